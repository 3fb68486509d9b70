package criteria

import (
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestProve compares what a command does with the work with what it did without.
func TestProve(t *testing.T) {
	t.Parallel()
	ran := func(cmd string, code int, tail string) Verdict {
		return Verdict{ID: "a", How: ByRunning, Holds: code == 0, Source: FromCriteria, Evidence: []Evidence{{Command: cmd, ExitCode: code, Tail: tail}}}
	}
	slow := ran("make test", 1, "")
	slow.Evidence[0].TimedOut = true
	flaky := ran("make test", 1, "")
	flaky.Flaky = true
	inFolder := ran("go test", 0, "")
	inFolder.Evidence[0].Dir = "web"
	noFolder := Verdict{ID: "a", How: ByRunning, Why: "the tree has no folder"}
	for name, c := range map[string]struct {
		now, base Verdict
		changed   []string
		want      Proof
	}{
		"it failed before":                    {ran("make test", 0, ""), ran("make test", 2, "FAIL"), nil, FailToPass},
		"it held before":                      {ran("make test", 0, ""), ran("make test", 0, ""), nil, PassToPass},
		"no such program":                     {ran("xyz -v", 0, ""), ran("xyz -v", 127, "sh: xyz: not found"), []string{"a.go"}, BrokenBase},
		"a program that the work adds":        {ran("./bin/hello | cat", 0, ""), ran("./bin/hello | cat", 127, "not found"), []string{"bin/hello"}, FailToPass},
		"one that it adds in another folder":  {ran("cd app && ./run.sh", 0, ""), ran("cd app && ./run.sh", 126, ""), []string{"app/run.sh"}, FailToPass},
		"a file whose name ends like it":      {ran("./run.sh", 0, ""), ran("./run.sh", 127, ""), []string{"prerun.sh"}, BrokenBase},
		"a folder that the work adds":         {inFolder, noFolder, []string{"web/a.go"}, FailToPass},
		"a folder that something else makes":  {inFolder, noFolder, []string{"api/a.go"}, BrokenBase},
		"too slow before":                     {ran("make test", 0, ""), slow, nil, UnknownProof},
		"killed before":                       {ran("make test", 0, ""), ran("make test", 137, ""), nil, UnknownProof},
		"out of time before":                  {ran("timeout 1 make test", 0, ""), ran("timeout 1 make test", 124, ""), nil, UnknownProof},
		"flaky before":                        {ran("make test", 0, ""), flaky, nil, UnknownProof},
		"it holds no more":                    {ran("make test", 1, ""), ran("make test", 0, ""), nil, UnknownProof},
		"it fails as before":                  {ran("make test", 1, "FAIL: TestA\n"), ran("make test", 1, "FAIL: TestA\n"), nil, UnknownProof},
		"it does not build, before and after": {ran("npm test", 1, "Cannot find module x\n"), ran("npm test", 1, "Cannot find module x\n"), nil, BrokenBase},
		"not run before":                      {ran("make test", 0, ""), Verdict{ID: "b"}, nil, UnknownProof},
	} {
		now := []Verdict{c.now}
		Prove(now, []Verdict{c.base}, c.changed)
		assert.Equal(t, c.want, now[0].Proof, "%s", name)
	}
	box := []Verdict{{ID: "a", How: ByBox, Holds: true}}
	Prove(box, box, nil)
	assert.Equal(t, "", box[0].Proof)
}

// TestRed: tests that must fail count if they fail because of what they test, and did not before.
func TestRed(t *testing.T) {
	t.Parallel()
	ran := func(cmd string, code int, tail string) Verdict {
		v := Verdict{ID: "a", How: ByRunning, Holds: code == 0, Evidence: []Evidence{{Command: cmd, ExitCode: code, Tail: tail}}}
		if code != 0 {
			v.Why = "it failed"
		}
		return v
	}
	slow := ran("go test .", 1, "")
	slow.Evidence[0].TimedOut = true
	flaky := ran("go test .", 1, "")
	flaky.Flaky = true
	green := ran("go test -run TestNew .", 0, "no tests to run")
	for name, c := range map[string]struct {
		now, base Verdict
		why       string
	}{
		"a new test fails":                  {ran("go test -run TestNew .", 1, "--- FAIL: TestNew"), green, ""},
		"the suite failed for other causes": {ran("pytest", 1, "1 failed"), ran("pytest", 2, "SyntaxError: invalid"), ""},
		"it does not build, for the work":   {ran("go test .", 1, "undefined: Greet"), green, ""},
		"it passes":                         {green, green, "its commands pass"},
		"it is slow":                        {slow, green, "ended from outside"},
		"it was killed":                     {ran("go test .", 137, ""), green, "ended from outside"},
		"no such program":                   {ran("nosuch", 127, "not found"), green, "could not be started"},
		"no such file":                      {ran("sh new.sh", 2, "sh: new.sh: No such file"), green, "is not there"},
		"no test":                           {ran("pytest -k new", 5, "no tests ran in 0.1s"), green, "is not there"},
		"sometimes":                         {flaky, green, "has passed on the same tree"},
		"as before":                         {ran("npm test", 1, "FAIL old\n"), ran("npm test", 1, "FAIL old\n"), "failed in the same way without them"},
	} {
		now := []Verdict{c.now}
		now[0].turnRed()
		Prove(now, []Verdict{c.base}, nil)
		assert.Equal(t, c.why == "", now[0].Holds, "%s: %s", name, now[0].Why)
		assert.Contains(t, now[0].Why, c.why, "%s", name)
		assert.Equal(t, RedTests, now[0].Proof, "%s", name)
	}
}

func TestConclude(t *testing.T) {
	t.Parallel()
	ran := func(proof Proof) Verdict { return Verdict{How: ByRunning, Holds: true, Proof: proof} }
	for name, c := range map[string]struct {
		verdicts []Verdict
		based    bool
		want     Conclusion
	}{
		"nothing":                   {nil, true, NothingToVerify},
		"only boxes":                {[]Verdict{{How: ByBox, Holds: true}}, true, NothingToVerify},
		"an open box":               {[]Verdict{ran(FailToPass), {How: ByBox}}, true, FailedVerdict},
		"something fails":           {[]Verdict{ran(FailToPass), {How: ByRunning}}, true, FailedVerdict},
		"one was red":               {[]Verdict{ran(PassToPass), ran(FailToPass)}, true, Verified},
		"only an agent's own":       {[]Verdict{ran(PassToPass), {How: ByRunning, Holds: true, Proof: FailToPass, Added: true}}, true, RegressionOnly},
		"none was red":              {[]Verdict{ran(PassToPass), ran(BrokenBase)}, true, RegressionOnly},
		"nothing is known":          {[]Verdict{ran(UnknownProof)}, true, RegressionOnly},
		"nothing was asked":         {[]Verdict{ran("")}, false, Verified},
		"a flaky one":               {[]Verdict{ran(FailToPass), {How: ByRunning, Holds: true, Flaky: true}}, true, FlakyVerdict},
		"an agent's opinion, alone": {[]Verdict{{How: ByAgent, Holds: true}}, true, RegressionOnly},
	} {
		assert.Equal(t, c.want, Conclude(c.verdicts, c.based), "%s", name)
	}
}

// TestLacksRed lets only guards land alone.
func TestLacksRed(t *testing.T) {
	t.Parallel()
	ran := func(proof Proof, from Source) Verdict {
		return Verdict{How: ByRunning, Holds: true, Proof: proof, Source: from}
	}
	guard := Verdict{How: ByRunning, Holds: true, Proof: PassToPass, Source: FromCriteria, Guard: true}
	added := Verdict{How: ByRunning, Holds: true, Proof: FailToPass, Source: FromCriteria, Added: true}
	for name, c := range map[string]struct {
		verdicts []Verdict
		want     bool
	}{
		"one was red":                  {[]Verdict{ran(PassToPass, FromCriteria), ran(FailToPass, FromCriteria)}, false},
		"a command of the spec was":    {[]Verdict{ran(FailToPass, FromSpec)}, false},
		"none was red":                 {[]Verdict{ran(PassToPass, FromCriteria)}, true},
		"guards alone":                 {[]Verdict{guard, ran(PassToPass, FromProject)}, false},
		"a guard and one that is none": {[]Verdict{guard, ran(PassToPass, FromCriteria)}, true},
		"an agent's own":               {[]Verdict{ran(PassToPass, FromCriteria), added}, true},
		"only the project's":           {[]Verdict{ran(PassToPass, FromProject)}, true},
		"only boxes":                   {[]Verdict{{How: ByBox, Holds: true}}, true},
		"nothing at all":               {nil, true},
	} {
		assert.Equal(t, c.want, LacksRed(c.verdicts), "%s", name)
	}
}

// TestPlanFor_guards finds the criteria that say of themselves that they held before.
func TestPlanFor_guards(t *testing.T) {
	t.Parallel()
	const body = "\n# T\n\n## Acceptance Criteria\n\n- [ ] One `$ true`\n- [ ] keeps: two `$ true`\n- [ ] It upkeeps: three `$ true`\n"
	for front, want := range map[string][]bool{
		"":                     {false, true, false},
		"guards: 3\n":          {false, true, true},
		"guards: [1, \"3\"]\n": {true, true, true},
		"guards: all\n":        {true, true, true},
	} {
		f, err := spec.Parse("2026-01-01-001-aaa", "a.md", []byte("---\nstatus: pending\n"+front+"---\n"+body))
		assert.NoError(t, err)
		var got []bool
		for _, item := range PlanFor(f, f, spec.Checks{}).Items {
			got = append(got, item.Guard)
		}
		assert.Equal(t, want, got, "%q", front)
	}
}
