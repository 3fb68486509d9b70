package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/guard"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestBehind_lent finds changes of uncommitted files of the checkout that runs get a copy of or a link to: criteria use
// them.
func TestBehind_lent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		agent func(t *testing.T, home, tree string)
		words string
	}{
		"nothing":              {func(*testing.T, string, string) {}, ""},
		"a linked file":        {func(t *testing.T, _, tree string) { enginetest.Write(t, tree, "node_modules/m/index.js", "other") }, `"node_modules/m" of your checkout, which runs get a link to, was changed`},
		"a new linked package": {func(t *testing.T, _, tree string) { enginetest.Write(t, tree, "node_modules/n/index.js", "new") }, `"node_modules/n" of your checkout, which runs get a link to, was added`},
		"a package removed": {func(t *testing.T, _, tree string) {
			assert.NoError(t, os.RemoveAll(filepath.Join(tree, "node_modules", "m")))
		}, `"node_modules/m" of your checkout, which runs get a link to, was removed`},
		"what tools can make again": {func(t *testing.T, _, tree string) { enginetest.Write(t, tree, "node_modules/.cache/x", "made") }, ""},
		"the copied file at home":   {func(t *testing.T, home, _ string) { enginetest.Write(t, home, ".env", "A=2\n") }, `file ".env" of your checkout, which runs get a copy of, was changed`},
		"the run's own copy":        {func(t *testing.T, _, tree string) { enginetest.Write(t, tree, ".env", "A=2\n") }, ""},
		"a file of the checkout":    {func(t *testing.T, home, _ string) { enginetest.Write(t, home, "notes.txt", "a person's\n") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			enginetest.Commit(t, dir, map[string]string{".gitignore": ".env\nnode_modules\n"})
			enginetest.Write(t, dir, ".env", "A=1\n")
			enginetest.Write(t, dir, "node_modules/m/index.js", "m")
			r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.Copy, s.Link = []string{".env"}, []string{"node_modules"} })
			before, err := r.Guard.RecordAround(t.Context(), nil)
			assert.NoError(t, err)
			tc.agent(t, dir, r.Trees.Tree)
			found, err := r.Guard.SideEffects(t.Context(), before)
			assert.NoError(t, err)
			got := strings.Join(found.Behind, "\n")
			assert.Contains(t, got, tc.words)
			assert.False(t, tc.words == "" && got != "", "found %q, want %q", got, tc.words)
		})
	}
}

// TestCollect_lent stops a branch that has files where worktrees get copies of and links to ignored files: set-up would leave them
// there, and criteria would find them instead. The project's own files beside them are an agent's to change.
func TestCollect_lent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		agent map[string]string
		words string // "" if nothing is found
	}{
		"its own work":       {done("app.js", "a\n", "vendor/x.js", "b\n"), ""},
		"below a link":       {done("node_modules/m.js", "a\n"), "node_modules/m.js decides about node_modules, which is protected, since worktree.link leads to it, and was added"},
		"a copied file":      {done("a.env", "A=2\n"), "a.env is protected, since worktree.copy leads to it, and was added"},
		"a file of patterns": {done("judge.bin", "x\n"), "judge.bin is protected, since .worktreeinclude leads to it, and was added"},
		"no copied file":     {done("b.env", "A=2\n"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			enginetest.Commit(t, dir, map[string]string{".gitignore": "*.env\nnode_modules\n*.bin\n", ".worktreeinclude": "*.bin\n", "vendor/x.js": "a\n"})
			for _, file := range []string{"a.env", "node_modules/m/index.js", "judge.bin"} {
				enginetest.Write(t, dir, file, "of a person\n")
			}
			r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) {
				s.Copy, s.Link = []string{"*.env"}, []string{"node_modules", "vendor"}
			})
			for file, text := range tc.agent {
				// Without the link, through which the file would be written to the checkout.
				top, _, _ := strings.Cut(file, "/")
				assert.NoError(t, os.RemoveAll(filepath.Join(r.Trees.Tree, top)))
				enginetest.Write(t, r.Trees.Tree, file, text)
				enginetest.Git(t, r.Trees.Tree, "add", "-f", file)
			}
			enginetest.Git(t, r.Trees.Tree, "commit", "-q", "-m", "work")
			err := r.Guard.CheckUntampered(t.Context())
			if tc.words == "" {
				assert.NoError(t, err)
				return
			}
			r.Fails(err, spec.ReasonTampered, tc.words)
		})
	}
}

// TestMayCatchUp decides by what people have said of the spec, wherever they have said it.
func TestMayCatchUp(t *testing.T) {
	t.Parallel()
	waiting := "\napproval:\n  required: true\n  status: pending"
	for name, tc := range map[string]struct {
		front string // of the spec as the run began
		home  string // of the copy in the checkout since, "" as it was
		skip  bool   // the person who began the run has waived approval
		kind  spec.ReasonCode
	}{
		"nothing asked":              {"", "", false, ""},
		"never approved":             {waiting, "", false, spec.ReasonUnapproved},
		"never approved, but waived": {waiting, "", true, ""},
		"rejected since":             {"", "\napproval:\n  status: rejected\n  by: Ada", false, spec.ReasonWithdrawn},
		"rejected since, waived":     {"", "\napproval:\n  status: rejected\n  by: Ada", true, spec.ReasonWithdrawn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := func(front string) string {
				return strings.Replace(runtest.Plain, "status: pending", "status: pending"+front, 1)
			}
			r := runtest.Start(t, with(tc.front))
			r.Job.SkipApproval = tc.skip
			r.Agent(done())
			if tc.home != "" {
				enginetest.Write(t, r.Dir, runtest.Own, with(tc.home))
			}
			err := r.Guard.MayCatchUp(t.Context())
			assert.False(t, tc.kind == "" && err != nil, "%v, want %q", err, tc.kind)
			assert.False(t, tc.kind != "" && runtest.Kind(err) != tc.kind, "%v, want %q", err, tc.kind)
		})
	}
}

// TestWorkOf names work by what it changes, not by the commits that do so.
func TestWorkOf(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	work := func() string {
		t.Helper()
		id, err := guard.WorkOf(t.Context(), r.Repo, r.Job)
		assert.NoError(t, err)
		return id
	}
	none := work()
	r.Agent(done())
	one := work()
	assert.NotEqual(t, none, one, "work is named as none")
	enginetest.Git(t, r.Trees.Tree, "commit", "-q", "--amend", "-m", "in other words")
	assert.Equal(t, one, work(), "another message makes it another work")
	r.Agent(map[string]string{runtest.Own: strings.Replace(runtest.Plain, "pending", "in_progress", 1) + "\nNotes.\n"})
	assert.Equal(t, one, work(), "its own spec makes it another work")
	enginetest.Commit(t, r.Dir, map[string]string{"elsewhere.txt": "x\n"})
	enginetest.Git(t, r.Trees.Tree, "rebase", "-q", "main")
	assert.Equal(t, one, work(), "a replay on a target that touched none of its files makes it another work")
	r.Agent(map[string]string{"done.txt": "changed\n"})
	assert.NotEqual(t, one, work(), "another change is the same work")
}

// TestCheckSideEffects counts what an agent of any attempt did behind its run's back, until a person accepts it or drops the
// run.
func TestCheckSideEffects(t *testing.T) {
	t.Parallel()
	behind := []string{"alias.x was added"}
	for name, tc := range map[string]struct {
		attempts []*journal.Attempt
		accepted bool
		found    bool
	}{
		"none":           {nil, false, false},
		"this one":       {[]*journal.Attempt{{Number: 1, Behind: behind}}, false, true},
		"an earlier one": {[]*journal.Attempt{{Number: 1, Agent: &journal.AgentReport{Behind: behind}}, {Number: 2}}, false, true},
		"one dropped":    {[]*journal.Attempt{{Number: 1, Gone: true, Behind: behind}, {Number: 2}}, false, false},
		"accepted":       {[]*journal.Attempt{{Number: 1, Behind: behind}}, true, false},
	} {
		g := &guard.Guard{Attempt: attempt.New(attempt.Attempt{Accepted: tc.accepted}, &journal.History{Attempts: tc.attempts}, nil)}
		err := g.CheckSideEffects()
		assert.Equal(t, tc.found, err != nil, "%s", name)
		assert.False(t, err != nil && runtest.Kind(err) != spec.ReasonTampered, "%s: %v", name, err)
	}
}
