package tree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// ignored is a project with ignored files, and a spec that is not begun.
func ignored(t *testing.T, change func(*attempt.Settings)) *runtest.Run {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".gitignore": ".env\nnode_modules\nsecret/\n", runtest.Own: runtest.Plain})
	for name, text := range map[string]string{".env": "A=1\n", "sub/.env": "B=2\n", "node_modules/m/index.js": "m\n", "secret/key": "k\n"} {
		enginetest.Write(t, dir, name, text)
	}
	r := runtest.New(t, p, dir, journal.Job{}, change)
	assert.NoError(t, r.Begin(t.Context(), true))
	return r
}

// TestSetup gives a worktree what the settings name: copies, links and what commands make. The rest stays away.
func TestSetup(t *testing.T) {
	t.Parallel()
	r := ignored(t, func(s *attempt.Settings) {
		s.Copy, s.Link = []string{"**/.env"}, []string{"node_modules", "missing"}
		s.SetupCmd = []string{"echo $CHANT_SPEC_ID > made.txt", "test -n \"$CHANT_WORKTREE_PATH\" && echo two >> made.txt"}
	})
	assert.NoError(t, r.Through(t.Context(), journal.Branch, journal.Setup))
	for name, want := range map[string]string{".env": "A=1\n", "sub/.env": "B=2\n", "node_modules/m/index.js": "m\n", "made.txt": runtest.ID + "\ntwo\n"} {
		assert.Equal(t, want, enginetest.Read(t, r.Trees.Tree, name), "%s", name)
	}
	to, err := os.Readlink(filepath.Join(r.Trees.Tree, "node_modules"))
	assert.NoError(t, err)
	assert.Equal(t, filepath.Join(r.Dir, "node_modules"), to)
	_, err = os.Lstat(filepath.Join(r.Trees.Tree, "secret"))
	assert.Error(t, err, "a file that nothing names was copied")
	assert.Equal(t, "?? made.txt", enginetest.Git(t, r.Trees.Tree, "status", "--porcelain"))
}

// TestSetup_refused undoes a run whose worktree cannot be set up: no branch and no worktree stay, and the spec is as it
// was.
func TestSetup_refused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*attempt.Settings)
		words  []string
	}{
		"a command fails":      {func(s *attempt.Settings) { s.SetupCmd = []string{"echo first; echo why >&2; exit 3"} }, []string{"exited with 3", "why"}},
		"a silent failure":     {func(s *attempt.Settings) { s.SetupCmd = []string{"false"} }, []string{"exited with 1", "printed nothing"}},
		"much after the error": {func(s *attempt.Settings) { s.SetupCmd = []string{"echo one; echo npm error why; seq 30; exit 1"} }, []string{"exited with 1:\n  npm error why\n  1\n"}},
		"the second fails":     {func(s *attempt.Settings) { s.SetupCmd = []string{"true", "exit 9"} }, []string{"`exit 9` exited with 9"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := ignored(t, tc.change)
			refs := r.Git("for-each-ref")
			r.Fails(r.Through(t.Context(), journal.Branch, journal.Setup), spec.ReasonSetup, tc.words...)
			assert.Equal(t, refs, r.Git("for-each-ref"))
			assert.Equal(t, 1, strings.Count(r.Git("worktree", "list", "--porcelain"), "worktree "))
			assert.Equal(t, spec.Pending, r.Status())
		})
	}
}

// TestWorktree_inTheWay refuses a place where something else is, and leaves that alone.
func TestWorktree_inTheWay(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before func(r *runtest.Run)
		words  string
	}{
		"a folder": {func(r *runtest.Run) {
			enginetest.Write(r.T, r.Dir, ".chant/worktrees/"+runtest.ID+"/mine.txt", "mine\n")
		}, "git knows no worktree there"},
		"the branch checked out elsewhere": {func(r *runtest.Run) {
			if err := r.Through(r.T.Context(), journal.Branch, journal.Branch); err != nil {
				r.T.Fatal(err)
			}
			r.Git("worktree", "add", "-q", filepath.Join(r.T.TempDir(), "mine"), r.Job.Branch)
		}, "which chant did not make"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := ignored(t, func(*attempt.Settings) {})
			tc.before(r)
			r.Fails(r.Through(t.Context(), journal.Branch, journal.Worktree), spec.ReasonCheckedOut, tc.words)
			if name == "a folder" && enginetest.Read(t, r.Dir, ".chant/worktrees/"+runtest.ID+"/mine.txt") != "mine\n" {
				t.Error("the folder has changed")
			}
		})
	}
}

// TestCollect_leftovers commits what an agent leaves: changes, new files and removals, but nothing that git ignores.
func TestCollect_leftovers(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".gitignore": "*.tmp\n", "old.txt": "old\n", "gone.txt": "gone\n"})
	r := runtest.Of(t, p, dir, runtest.Plain)
	r.Leave(map[string]string{"done.txt": "yes\n", "old.txt": "new\n", "gone.txt": "", "deep/new.txt": "n\n", "x.tmp": "t\n"})
	r.Completed()
	for name, want := range map[string]string{"done.txt": "yes", "old.txt": "new", "deep/new.txt": "n"} {
		assert.Equal(t, want, r.Git("show", r.Job.Branch+":"+name), "%s", name)
	}
	files := r.Git("ls-tree", "-r", "--name-only", r.Job.Branch)
	assert.NotContains(t, files, "gone.txt", "the branch has")
	assert.NotContains(t, files, "x.tmp", "the branch has")
	if r.Trees.Collected == "" || enginetest.Git(t, r.Trees.Tree, "status", "--porcelain") != "" {
		t.Errorf("commit %q, status\n%s", r.Trees.Collected, enginetest.Git(t, r.Trees.Tree, "status", "--porcelain"))
	}
}

// TestDrop ends a run without landing it: what was done lives on under rescue refs, whatever state it is in.
func TestDrop(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		agent func(r *runtest.Run)
		kept  map[string]string // file to content, in any of the rescue refs
	}{
		"nothing done": {func(*runtest.Run) {}, nil},
		"committed":    {func(r *runtest.Run) { r.Agent(map[string]string{"a": "1\n"}) }, map[string]string{"a": "1"}},
		"left":         {func(r *runtest.Run) { r.Leave(map[string]string{"a": "1\n"}) }, map[string]string{"a": "1"}},
		"both": {func(r *runtest.Run) {
			r.Agent(map[string]string{"a": "1\n"})
			r.Leave(map[string]string{"b": "2\n"})
		}, map[string]string{"a": "1", "b": "2"}},
		"on no branch": {func(r *runtest.Run) {
			enginetest.Git(r.T, r.Trees.Tree, "switch", "-q", "--detach")
			r.Agent(map[string]string{"a": "1\n"})
		}, map[string]string{"a": "1"}},
		"the branch deleted": {func(r *runtest.Run) {
			r.Agent(map[string]string{"a": "1\n"})
			enginetest.Git(r.T, r.Trees.Tree, "switch", "-q", "--detach")
			r.Git("branch", "-q", "-D", r.Job.Branch)
		}, map[string]string{"a": "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			tree := r.Trees.Tree
			tc.agent(r)
			assert.NoError(t, r.Trees.Drop(t.Context(), "reset"))
			_, err := os.Lstat(tree)
			assert.Error(t, err, "the worktree is there")
			assert.Error(t, enginetest.TryGit(t, r.Dir, "rev-parse", "-q", "--verify", "refs/heads/"+r.Job.Branch), "the branch is there")
			refs := strings.Fields(r.Git("for-each-ref", "--format=%(refname)", "refs/chant/rescue/"))
			assert.Equal(t, len(r.Trees.Rescued), len(refs), "refs %v, reported %v", refs, r.Trees.Rescued)
			assert.False(t, tc.kept == nil && len(refs) > 0, "refs %v, reported %v", refs, r.Trees.Rescued)
			for file, want := range tc.kept {
				found := false
				for _, ref := range refs {
					found = found || enginetest.TryGit(t, r.Dir, "cat-file", "-e", ref+":"+file) == nil && r.Git("show", ref+":"+file) == want
				}
				assert.True(t, found, "%s is in none of %v", file, refs)
			}
		})
	}
}

// TestDrop_broken sets a worktree aside that git no longer knows, with everything in it.
func TestDrop_broken(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Leave(map[string]string{"a": "1\n"})
	assert.NoError(t, os.Remove(filepath.Join(r.Trees.Tree, ".git")))
	assert.NoError(t, r.Trees.Drop(t.Context(), "reset"))
	kept := ""
	for _, place := range r.Trees.Rescued {
		if src, err := os.ReadFile(filepath.Join(place, "a")); err == nil {
			kept = string(src)
		}
	}
	assert.Equal(t, "1\n", kept, "kept in %v", r.Trees.Rescued)
}

// TestRemoveTree_link: a link that an agent has put in the place of its worktree is removed, not what it leads to.
func TestRemoveTree_link(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	mine := filepath.Join(t.TempDir(), "mine")
	r.Git("worktree", "add", "-q", "--detach", mine)
	enginetest.Write(t, mine, "mine.txt", "mine\n")
	assert.NoError(t, os.Rename(r.Trees.Tree, filepath.Join(t.TempDir(), "away")))
	if err := os.Symlink(mine, r.Trees.Tree); err != nil {
		t.Skip(err)
	}
	assert.NoError(t, r.Trees.RemoveTree(t.Context()))
	assert.Equal(t, "mine\n", enginetest.Read(t, mine, "mine.txt"))
	_, err := os.Lstat(r.Trees.Tree)
	assert.Error(t, err, "the link is still there")
	assert.Contains(t, r.Git("worktree", "list"), mine)
}

// TestPorts gives runs beside each other ranges of their own, and gives them back.
func TestPorts(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{runtest.Own: runtest.Plain})
	one := runtest.New(t, p, dir, journal.Job{})
	two := runtest.New(t, p, dir, journal.Job{})
	two.Job.ID = "2026-01-02-002-def"
	var first, second, again []string
	err := one.Trees.WithPorts(func() error {
		first = one.Trees.PortEnv()
		return two.Trees.WithPorts(func() error { second = two.Trees.PortEnv(); return nil })
	})
	assert.NoError(t, err)
	assert.NoError(t, two.Trees.WithPorts(func() error { again = two.Trees.PortEnv(); return nil }))
	assert.Equal(t, 1, len(first), "first %v", again)
	assert.HasPrefix(t, first[0], attempt.PortBase+"=", "first %v", again)
	assert.Equal(t, 1, len(second), "first %v", again)
	assert.NotEqual(t, second[0], first[0], "first %v", again)
	assert.Equal(t, 1, len(again), "first %v", again)
	left := one.Trees.PortEnv()
	assert.Zero(t, left, "ports were not given back: %v", left)
}
