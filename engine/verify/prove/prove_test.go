package prove

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/run/runtest"
	"chant/engine/verify"

	"github.com/alecthomas/assert/v2"
)

// lib is a script before the work, and worked the same script after it: low has another limit, high and mid are new.
const (
	lib    = "#!/bin/sh\nlow() {\n  [ \"$1\" -lt 3 ]\n}\n# one\n# two\n"
	worked = "#!/bin/sh\nlow() {\n  [ \"$1\" -lt 5 ]\n}\n# one\nhigh() {\n  [ \"$1\" -gt 7 ]\n}\n# two\nmid() {\n  [ \"$1\" -eq 6 ]\n}\n"
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

// TestProve_blind has criteria that notice every wrong version, since they compare texts and commits.
func TestProve_blind(t *testing.T) {
	t.Parallel()
	p, r := landed(t, "- [ ] low `$ . ./lib.sh; low 4 && ! low 5`\n- [ ] the text `$ test $(wc -l < lib.sh) = 12`\n- [ ] a branch `$ git for-each-ref --contains HEAD | grep -q .`\n"+
		"- [ ] it ends as programs do `$ test -n \"$(tail -c 3 lib.sh | tr -d '\\n')\"`\n",
		map[string]string{"lib.sh": worked})
	r.Git("branch", "-f", "kept", "HEAD")
	got, err := Prove(t.Context(), p, Input{})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(got.Notes), "%q", got.Notes)
	for i, number := range []string{"2", "3"} {
		assert.HasPrefix(t, got.Notes[i], "left out: criterion "+number+", which also fails if only a comment or an empty line is added")
	}
	// Only the limit of low is noticed.
	assert.Equal(t, 3, got.Killed, "%q", names(got))

	// Nothing is left to measure.
	p, _ = landed(t, "- [ ] the text `$ test $(wc -l < lib.sh) = 12`\n", map[string]string{"lib.sh": worked})
	_, err = Prove(t.Context(), p, Input{})
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "nothing is measured")
}

func TestProve(t *testing.T) {
	t.Parallel()
	p, r := landed(t, "- [ ] low and high `$ . ./lib.sh; low 4 && ! low 5 && high 9 && ! high 6`\n"+
		"- [ ] the tree is as committed `$ git diff --quiet HEAD && test ! -e left && touch left`\n",
		map[string]string{"lib.sh": worked, "test_lib.sh": "exit 0\n", "README.md": "# Lib\n", "old.txt": ""})
	before := r.Git("rev-parse", "HEAD") + r.Git("status", "--porcelain") + r.Git("worktree", "list")
	got, err := Prove(t.Context(), p, Input{Budget: "5m", Seed: 3})
	assert.NoError(t, err)
	assert.Equal(t, runtest.ID, got.ID)
	// Nothing asks for mid, nor for the limit of high itself.
	assert.Equal(t, []string{
		`change_comparison lib.sh -  [ "$1" -gt 7 ] +  [ "$1" -ge 7 ]`, `off_by_one lib.sh -  [ "$1" -gt 7 ] +  [ "$1" -gt 8 ]`,
		`revert_hunk lib.sh -mid() { -  [ "$1" -eq 6 ] -}`,
	}, names(got))
	assert.Equal(t, []criteria.Line{{File: "lib.sh", Line: 10}, {File: "lib.sh", Line: 11}, {File: "lib.sh", Line: 12}}, got.Unexecuted)
	// The two other hunks, two mutants of the limit of low, and the emptied body of high.
	assert.Equal(t, 5, got.Killed)
	assert.Equal(t, 8, got.Total)
	assert.Equal(t, 0.625, *got.Score)
	assert.False(t, got.Sampled)
	assert.Equal(t, []string{"left out: 1 file (tests)", "left out: 2 files (documentation)"}, got.Notes)
	assert.Equal(t, r.Lander.Landing, got.Recorded)
	h, err := journal.ReadHistory(p.Store, runtest.ID)
	assert.NoError(t, err)
	evidence, err := verify.Evidence(t.Context(), p, runtest.ID, h)
	assert.NoError(t, err)
	assert.Equal(t, "score 5 of 8", evidence.Strength.Words())
	assert.False(t, evidence.Edited)
	assert.Equal(t, before, r.Git("rev-parse", "HEAD")+r.Git("status", "--porcelain")+r.Git("worktree", "list"))

	// An agent thinks of two further ones, of which one is about another file.
	program := filepath.Join(t.TempDir(), "agent")
	assert.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\ngrep -q 'mid()' \"$1\" && cat <<'END'\n```diff\n--- a/lib.sh\n+++ b/lib.sh\n@@ -7 +7 @@\n-  [ \"$1\" -gt 7 ]\n+  [ \"$1\" -gt 6 ]\n```\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\nEND\n"), 0o755))
	enginetest.Write(t, engine.Home(p), ".chant/providers/helper.md", "---\ncommand: "+program+"\nargs: ['{{prompt_file}}']\n---\n")
	// Nothing unsigned becomes signed.
	_, err = keyfile.Create(p.Environ, rand.Reader)
	assert.NoError(t, err)
	got, err = Prove(t.Context(), p, Input{Agent: "helper", Seed: 3})
	assert.NoError(t, err)
	assert.Equal(t, `agent lib.sh -  [ "$1" -gt 7 ] +  [ "$1" -gt 6 ]`, names(got)[0])
	assert.Equal(t, 10, got.Total)
	assert.Equal(t, 1, got.Unbuilt)
	assert.Equal(t, `1 of the 2 wrong versions of "helper" do not apply to the change`, got.Notes[2])
	assert.Equal(t, "", got.Recorded)
	assert.Equal(t, fmt.Sprintf("not recorded: the evidence of commit %.7s is not of this machine's key (UNSIGNED)", r.Lander.Landing), got.Notes[3])

	for code, in := range map[engine.Code]Input{
		engine.NotFound: {ID: "none"}, engine.Usage: {Budget: "soon"}, engine.Unverified: {Budget: "1ns"},
	} {
		_, err := Prove(t.Context(), p, in)
		assert.Equal(t, code, enginetest.CodeOf(t, err), "%v", in)
	}
	_, err = Prove(t.Context(), p, Input{Agent: "shell"})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
}
