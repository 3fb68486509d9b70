package prove

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/run/runtest"

	"github.com/alecthomas/assert/v2"
)

// lib is a script before the work, and worked the same script after it: low has another limit, and high is new.
const (
	lib    = "#!/bin/sh\nlow() {\n  [ \"$1\" -lt 3 ]\n}\n# one\n# two\n# three\n"
	worked = "#!/bin/sh\nlow() {\n  [ \"$1\" -lt 5 ]\n}\n# one\n# two\n# three\nhigh() {\n  [ \"$1\" -gt 7 ]\n}\n"
)

// landed is a project in which a spec with these criteria has landed.
func landed(t *testing.T, criteria string, files map[string]string) (*engine.Project, *runtest.Run) {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{"lib.sh": lib, "old.txt": "old\n"})
	r := runtest.Of(t, p, dir, "---\nstatus: pending\n---\n# Do it\n\n## Acceptance Criteria\n\n"+criteria)
	r.Agent(files)
	assert.NoError(t, r.Completed().Lands())
	return p, r
}

// names lists survivors by kind and line.
func names(r Result) (out []string) {
	for _, s := range r.Survivors {
		out = append(out, s.Kind+" "+s.File+" "+strings.TrimSpace(strings.ReplaceAll(s.Diff, "\n", " ")))
	}
	return out
}

func TestProve(t *testing.T) {
	t.Parallel()
	const low = "- [ ] low `$ . ./lib.sh; low 4 && ! low 5`\n"
	work := map[string]string{"lib.sh": worked, "a.test.sh": "exit 0\n", "README.md": "# Lib\n", "old.txt": ""}
	p, r := landed(t, low+"- [ ] the tree is as committed `$ git diff --quiet HEAD && test ! -e left && touch left`\n", work)
	before := r.Git("rev-parse", "HEAD") + r.Git("status", "--porcelain") + r.Git("worktree", "list")
	got, err := Prove(t.Context(), p, Input{})
	assert.NoError(t, err)
	assert.Equal(t, runtest.ID, got.ID)
	assert.Equal(t, []string{`revert_hunk lib.sh -high() { -  [ "$1" -gt 7 ] -}`}, names(got))
	assert.Equal(t, []Line{{"lib.sh", 8}, {"lib.sh", 9}, {"lib.sh", 10}}, got.Unexecuted)
	// The reverted limit, and the mutants of its line.
	assert.Equal(t, 3, got.Killed)
	assert.Equal(t, 4, got.Total)
	assert.Equal(t, 0.75, *got.Score)
	assert.False(t, got.Sampled)
	assert.Equal(t, []string{"left out: 1 file (tests)", "left out: 2 files (documentation)"}, got.Notes)
	assert.Equal(t, before, r.Git("rev-parse", "HEAD")+r.Git("status", "--porcelain")+r.Git("worktree", "list"))

	p, _ = landed(t, low+"- [ ] high `$ . ./lib.sh; high 9 && ! high 6`\n", work)
	got, err = Prove(t.Context(), p, Input{ID: runtest.ID, Budget: "1m", Seed: 3})
	assert.NoError(t, err)
	// Nothing asks for the limit itself.
	assert.Equal(t, []string{
		`change_comparison lib.sh -  [ "$1" -gt 7 ] +  [ "$1" -ge 7 ]`, `off_by_one lib.sh -  [ "$1" -gt 7 ] +  [ "$1" -gt 8 ]`,
	}, names(got))
	assert.Equal(t, 0, len(got.Unexecuted))
}

func TestProve_refused(t *testing.T) {
	t.Parallel()
	p, _ := landed(t, "- [ ] low `$ true`\n", map[string]string{"lib.sh": worked})
	_, err := Prove(t.Context(), p, Input{ID: "none"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
	_, err = Prove(t.Context(), p, Input{Budget: "1ns"})
	assert.Equal(t, engine.Unverified, enginetest.CodeOf(t, err))
	assert.Contains(t, err.Error(), "budget of 1ns")
	_, err = Prove(t.Context(), p, Input{Budget: "soon"})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
}
