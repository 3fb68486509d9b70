package gate

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/run/attempt"
	"chant/engine/verify"

	"github.com/alecthomas/assert/v2"
)

// TestReadPushes: each commit that is new to the remote is read once, and those without specs are left out.
func TestReadPushes(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	zero := strings.Repeat("0", 40)
	rev := func(name string) string { return enginetest.Git(t, dir, "rev-parse", name) }
	first := rev("HEAD")
	enginetest.Commit(t, dir, map[string]string{"a.txt": "x\n"})
	second := rev("HEAD")
	enginetest.Git(t, dir, "checkout", "-q", "-b", "side", first)
	enginetest.Commit(t, dir, map[string]string{"b.txt": "x\n"})
	side := rev("HEAD")
	enginetest.Git(t, dir, "tag", "-a", "-m", "v1", "v1", second)
	bare := rev("HEAD~1~1") // before there was a project
	line := func(tip, there string) string {
		return "refs/heads/" + tip[:4] + " " + tip + " refs/heads/x " + there + "\n"
	}
	for name, c := range map[string]struct {
		stdin string
		want  []string
	}{
		"nothing":                        {"", nil},
		"one":                            {line(second, zero), []string{second}},
		"two sides":                      {line(second, zero) + line(side, zero), []string{second, side}},
		"the same twice":                 {line(second, zero) + line(second, first), []string{second}},
		"one leads up to the other":      {line(first, zero) + line(second, zero), []string{second}},
		"a deleted ref":                  {line(zero, second) + line(side, zero), []string{side}},
		"a tag, seen as its commit":      {line(rev("v1"), zero), []string{second}},
		"a commit without a project":     {line(bare, zero), nil},
		"a commit that is not here":      {line(strings.Repeat("1", 40), zero), nil},
		"lines that git would not write": {"a b c\n" + line(side, zero) + "a b c d e\n", []string{side}},
		"a blob, which is not a commit":  {line(rev("HEAD:b.txt"), zero), nil},
	} {
		all, err := readPushes(t.Context(), p, c.stdin)
		var got []string
		for _, one := range all {
			got = append(got, one.tip)
		}
		slices.Sort(c.want)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
	}
	all, err := readPushes(t.Context(), p, line(second, zero)+line(second, first))
	assert.NoError(t, err, "of two refs at one commit the one that the remote has counts")
	assert.Equal(t, first, all[0].there, "of two refs at one commit the one that the remote has counts")
}

// TestHookRun_prePush: a push with specs that do not pass is stopped, unless their evidence may be elsewhere.
func TestHookRun_prePush(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	base := enginetest.Git(t, dir, "rev-parse", "HEAD")
	const asked = "# A\n\n## Acceptance Criteria\n\n- [x] it is there `$ test -f a.txt`\n"
	const path = ".chant/specs/" + gateID + ".md"
	for _, c := range []struct {
		name  string
		files map[string]string
		code  engine.Code
		words string // of the error, or of what is reported
	}{
		{"an open spec", map[string]string{path: "---\nstatus: pending\n---\n" + asked}, "", ""},
		{"it does not hold", map[string]string{path: "---\nstatus: completed\n---\n" + asked}, engine.Unverified, "in refs/heads/work is not verified"},
		{"it holds, and no remote is known", map[string]string{path: "---\nstatus: completed\n---\n" + asked, "a.txt": "x\n"}, "", "no evidence here for one completed spec"},
		{"a rejected one that holds", map[string]string{path: "---\nstatus: completed\napproval:\n  required: true\n  status: rejected\n---\n" + asked, "a.txt": "x\n"}, engine.Unverified, "it was rejected"},
	} {
		enginetest.Git(t, dir, "checkout", "-q", "-B", "work", base)
		enginetest.Commit(t, dir, c.files)
		tip := enginetest.Git(t, dir, "rev-parse", "HEAD")
		o, said := heard()
		in := HookRunInput{Name: "pre-push", Args: []string{"origin", "x"}, Stdin: "refs/heads/work " + tip + " refs/heads/work " + strings.Repeat("0", 40) + "\n"}
		r, err := HookRun(t.Context(), dir, o, in)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s: %+v", c.name, r)
		assert.Equal(t, 1, len(r.Verified), "%s: %+v", c.name, r)
		text := said()
		if err != nil {
			text = err.Error()
		}
		assert.Contains(t, text, c.words, "%s", c.name)
		assert.False(t, c.words == "" && text != "", "%s: %q", c.name, text)
		s, err := p.Store.ReadAt(t.Context(), "work", gateID)
		assert.NoError(t, err, "%s: the hook has written", c.name)
		assert.Equal(t, "", s.Fields.Verification, "%s: the hook has written", c.name)
		assert.Equal(t, tip, enginetest.Git(t, dir, "rev-parse", "work"), "%s: the hook has written", c.name)
	}
}

// TestWithoutMissingEvidence: a spec whose only problem is missing evidence passes only if its evidence may exist
// elsewhere.
func TestWithoutMissingEvidence(t *testing.T) {
	t.Parallel()
	good := []criteria.Verdict{{How: criteria.ByRunning, Holds: true}}
	bare := verify.VerifyResult{SpecID: "bare", NoEvidence: true, Forged: []string{"no evidence"}, Verdicts: good}
	worse := verify.VerifyResult{SpecID: "worse", NoEvidence: true, Forged: []string{"no evidence", "rejected"}, Verdicts: good}
	for name, c := range map[string]struct {
		remote bool // there is one, which keeps evidence
		kept   bool // this repository has evidence
		all    bool // nothing is known of the remote
		want   string
		words  string
	}{
		"nothing is known of a remote":  {false, false, true, "worse", "no remote has any"},
		"a known remote without any":    {false, false, false, "bare worse", ""},
		"a remote that keeps evidence":  {true, false, false, "worse", "fetch it with: git fetch origin"},
		"evidence is here, but not its": {true, true, true, "bare worse", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			o, said := heard()
			p.Progress = o.Progress
			head := enginetest.Git(t, dir, "rev-parse", "HEAD")
			if c.remote {
				other := t.TempDir()
				enginetest.Git(t, other, "clone", "-q", "--bare", dir, "there.git")
				enginetest.Git(t, other+"/there.git", "update-ref", attempt.NotesRef, head)
				enginetest.Git(t, dir, "remote", "add", "origin", other+"/there.git")
			}
			if c.kept {
				enginetest.Git(t, dir, "notes", "--ref", attempt.NotesRef, "add", "-m", "x", head)
			}
			left, err := withoutMissingEvidence(t.Context(), p, c.all, "refs/heads/x", []verify.VerifyResult{bare, worse})
			var got []string
			for _, one := range left {
				got = append(got, one.SpecID)
			}
			assert.NoError(t, err)
			assert.Equal(t, c.want, strings.Join(got, " "))
			assert.Contains(t, said(), c.words)
			assert.Equal(t, c.words == "", said() == "")
			left, err = withoutMissingEvidence(t.Context(), p, c.all, "x", []verify.VerifyResult{worse})
			assert.NoError(t, err, "another doubt alone: %v", left)
			assert.Equal(t, 1, len(left), "another doubt alone: %v", left)
		})
	}
}

// TestPushBase finds what of a push is news to a remote.
func TestPushBase(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	zero := strings.Repeat("0", 40)
	commit := func(branch, from string) string {
		enginetest.Git(t, dir, "checkout", "-q", "-B", branch, from)
		enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", branch)
		return strings.TrimSpace(enginetest.Git(t, dir, "rev-parse", "HEAD"))
	}
	one := commit("one", "main")
	enginetest.Git(t, dir, "update-ref", "refs/remotes/origin/one", one)
	two := commit("two", "one")
	root := strings.TrimSpace(enginetest.Git(t, dir, "rev-list", "--max-parents=0", "HEAD"))
	enginetest.Git(t, dir, "checkout", "-q", "--orphan", "alone")
	enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "alone")
	alone := strings.TrimSpace(enginetest.Git(t, dir, "rev-parse", "HEAD"))
	main := strings.TrimSpace(enginetest.Git(t, dir, "rev-parse", "main"))
	for name, c := range map[string]struct{ remote, local, there, want string }{
		"what the ref is at":     {"origin", two, root, root},
		"a ref that was rebased": {"origin", two, one, one},
		"a new ref":              {"origin", two, zero, one},
		"no remote":              {"elsewhere", two, zero, main},
		"an address":             {"https://example.com/x.git", two, zero, main},
		"unknown there":          {"origin", two, strings.Repeat("1", 40), one},
		"nothing in common":      {"origin", alone, zero, alone},
	} {
		got, _, err := pushBase(t.Context(), p, c.remote, c.local, c.there)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
	}
}
