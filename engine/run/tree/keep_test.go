package tree_test

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/run/tree"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestRescue keeps each commit once, under the next free number.
func TestRescue(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	one := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "two")
	two := enginetest.Git(t, dir, "rev-parse", "HEAD")
	for _, tc := range []struct{ commit, ref string }{
		{one, "refs/chant/rescue/x/1"}, {two, "refs/chant/rescue/x/2"}, {one, "refs/chant/rescue/x/1"}, {two, "refs/chant/rescue/x/2"},
	} {
		ref, err := tree.Rescue(t.Context(), p.Repo, "x", tc.commit)
		assert.NoError(t, err, "%s is kept", tc.commit)
		assert.Equal(t, tc.ref, ref, "%s is kept", tc.commit)
	}
	_, made, err := tree.RescueNew(t.Context(), p.Repo, "x", one)
	assert.False(t, made, "made again: %v, %v", made, err)
	assert.NoError(t, err)
}

// TestDrop_nested sets a worktree aside that has a repository of its own inside: no ref can keep that.
func TestDrop_nested(t *testing.T) {
	t.Parallel()
	for name, ignored := range map[string]bool{"seen": false, "ignored": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			enginetest.Commit(t, dir, map[string]string{".gitignore": map[bool]string{true: "inner/\n", false: "other/\n"}[ignored]})
			r := runtest.Of(t, p, dir, runtest.Plain)
			inner := filepath.Join(r.Trees.Tree, "inner")
			enginetest.Git(t, r.Trees.Tree, "init", "-q", inner)
			enginetest.Write(t, inner, "a.txt", "precious\n")
			enginetest.Git(t, inner, "add", "-A")
			enginetest.Git(t, inner, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x")
			assert.NoError(t, r.Trees.Drop(t.Context(), "reset"))
			kept := ""
			for _, place := range r.Trees.Rescued {
				if src, err := os.ReadFile(filepath.Join(place, "inner", "a.txt")); err == nil {
					kept = string(src)
				}
			}
			assert.Equal(t, "precious\n", kept, "kept in %v", r.Trees.Rescued)
		})
	}
}

// TestWorktree_again takes up the worktree of an attempt whose agent may have worked in it, with what lies there
// committed.
func TestWorktree_again(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	assert.NoError(t, r.Begin(t.Context(), false))
	assert.NoError(t, r.Journal.Record(journal.Agent, journal.Begin, nil))
	r.Leave(map[string]string{"half.txt": "half\n"})
	next := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 2})
	assert.NoError(t, next.Begin(t.Context(), true))
	assert.NoError(t, next.Through(t.Context(), journal.Branch, journal.Prompt))
	assert.Equal(t, r.Trees.Tree, next.Trees.Tree, "the attempt works")
	assert.False(t, next.Trees.Made, "the attempt works in %q, made %v", next.Trees.Tree, next.Trees.Made)
	assert.Equal(t, "half", r.Git("show", r.Job.Branch+":half.txt"), "what lay there")
}

// TestSetup_leavesOut copies nothing that the run's branch does not ignore: it would be committed with the work.
func TestSetup_leavesOut(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".git/info/exclude", "secret.env\n")
	enginetest.Commit(t, dir, map[string]string{".gitignore": "kept.env\n"})
	enginetest.Write(t, dir, "kept.env", "A=1\n")
	enginetest.Write(t, dir, "open.env", "B=2\n")
	r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.Copy = []string{"*.env"} })
	assert.Equal(t, "A=1\n", enginetest.Read(t, r.Trees.Tree, "kept.env"))
	_, err := os.Lstat(filepath.Join(r.Trees.Tree, "open.env"))
	assert.Error(t, err, "a file that git does not ignore was copied")
	assert.Equal(t, "", enginetest.Git(t, r.Trees.Tree, "status", "--porcelain"))
}

// TestWorktree_elsewhere makes worktrees in the folder that the settings name, also with spaces in its path.
func TestWorktree_elsewhere(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "work trees")
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".chant/config.md": "---\nworktree: {dir: '" + place + "'}\n---\n"})
	p, err := engine.Open(dir, p.Options)
	assert.NoError(t, err)
	r := runtest.Of(t, p, dir, runtest.Plain)
	assert.HasPrefix(t, r.Trees.Tree, place+string(filepath.Separator))
	r.Agent(map[string]string{"done.txt": "yes\n"})
	assert.NoError(t, r.To(journal.Clean))
	if r.Status() != spec.Completed || r.Target("done.txt") == "" {
		t.Errorf("status %s", r.Status())
	}
}
