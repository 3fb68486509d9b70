package prove

import (
	"testing"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

func TestNoticeOf(t *testing.T) {
	t.Parallel()
	for tail, want := range map[string]notices{
		"":                                                       killed,
		"--- FAIL: TestA (0.00s)\n":                              killed,
		"a_test.go:7: got 1, want 2\nFAIL\n":                     killed,
		"AssertionError: 1 != 2\n":                               killed,
		"FAIL\tcalc [build failed]\n":                            notBuilt,
		"./a.go:3:5: declared and not used: x":                   notBuilt,
		"src/a.ts(3,5): error TS2322: no":                        notBuilt,
		"error[E0308]: mismatched types\n":                       notBuilt,
		"a.c:3:5: error: 'x' undeclared\n    3 | x\n":            notBuilt,
		"A.java:3: error: cannot find symbol":                    notBuilt,
		"  File \"a.py\", line 3\nSyntaxError: invalid syntax\n": notBuilt,
	} {
		v := criteria.Verdict{Evidence: []criteria.Evidence{{ExitCode: 1, Tail: tail}}}
		assert.Equal(t, want, noticeOf(v), "%q", tail)
	}
	assert.Equal(t, survived, noticeOf(criteria.Verdict{Holds: true}))
}

func TestTimes(t *testing.T) {
	t.Parallel()
	all := times{}
	ran := func(seconds float64, timedOut bool) criteria.Verdict {
		return criteria.Verdict{Evidence: []criteria.Evidence{{Command: "make", Seconds: seconds, TimedOut: timedOut}}}
	}
	all.add(ran(1, false), false)
	assert.Equal(t, 24*time.Second, all.limit("make"), "before a wrong version was built")
	all.add(ran(2, false), true)
	all.add(ran(1, false), true)
	assert.Equal(t, 7*time.Second, all.limit("make"))
	all.add(ran(9, true), true)
	assert.Equal(t, 7*time.Second, all.limit("make"), "after one that did not end")
}

func TestPatch(t *testing.T) {
	t.Parallel()
	now := []byte("a\nb\nc\nd\ne\nf\ng\nh")
	v := &version{file: "x", of: &change{now: now}}
	for want, wrong := range map[string]string{
		"--- a/x\n+++ b/x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n\\ No newline at end of file\n": "a\nb\nc\nd\nE\nf\ng\nh",
		"--- a/x\n+++ b/x\n@@ -1,4 +1,3 @@\n-a\n b\n c\n d\n":                                               "b\nc\nd\ne\nf\ng\nh",
	} {
		v.files = []gitops.File{{Path: "x", Content: []byte(wrong)}}
		assert.Equal(t, want, v.patch())
	}
}

func TestSome(t *testing.T) {
	t.Parallel()
	all := func(n int) (out []*version) {
		for i := range n {
			out = append(out, &version{line: i})
		}
		return out
	}
	for name, c := range map[string]struct {
		versions, want int
		many, sampled  bool
	}{
		"a small change":                   {3, 3, false, false},
		"many versions of a small change":  {sample + 1, sample + 1, false, false},
		"many versions of a large change":  {sample + 1, sample, true, true},
		"as many versions as a sample has": {sample, sample, true, false},
	} {
		tried := &trial{result: &Result{}}
		got := tried.some(all(c.versions), c.many, Input{Seed: 1})
		assert.Equal(t, c.want, len(got), "%s", name)
		assert.Equal(t, c.versions, tried.result.Total, "%s", name)
		assert.Equal(t, c.sampled, tried.result.Sampled, "%s", name)
		again := (&trial{result: &Result{}}).some(all(c.versions), c.many, Input{Seed: 1})
		assert.Equal(t, got[1].line, again[1].line, "%s: the seed chooses", name)
	}
}

// TestWithoutNetwork: a command that reached nothing on the unchanged tree runs once on a wrong version, unless something else
// was set.
func TestWithoutNetwork(t *testing.T) {
	t.Parallel()
	step := func(line string, use spec.Network) criteria.Step {
		return criteria.Step{Line: line, Options: spec.CommandOptions{Network: use}}
	}
	items := []criteria.Item{{Steps: []criteria.Step{step("make", spec.NetworkIfNeeded), step("curl", spec.NetworkIfNeeded), step("ping", spec.NetworkAll)}}}
	ran := []criteria.Verdict{{Evidence: []criteria.Evidence{
		{Command: "make", Network: spec.NetworkLoopback}, {Command: "curl", Network: spec.NetworkAll}, {Command: "ping", Network: spec.NetworkAll},
	}}}
	assert.Equal(t, []criteria.Step{step("make", spec.NetworkLoopback), step("curl", spec.NetworkIfNeeded), step("ping", spec.NetworkAll)}, withoutNetwork(items, ran)[0].Steps)
	assert.Equal(t, spec.NetworkIfNeeded, items[0].Steps[0].Options.Network)
}
