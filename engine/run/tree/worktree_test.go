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
	if err := r.Begin(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSetup gives a worktree what the settings name: copies, links and what commands make. The rest stays away.
func TestSetup(t *testing.T) {
	t.Parallel()
	r := ignored(t, func(s *attempt.Settings) {
		s.Copy, s.Link = []string{"**/.env"}, []string{"node_modules", "missing"}
		s.SetupCmd = []string{"echo $CHANT_SPEC_ID > made.txt", "test -n \"$CHANT_WORKTREE_PATH\" && echo two >> made.txt"}
	})
	if err := r.Through(t.Context(), journal.Branch, journal.Setup); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{".env": "A=1\n", "sub/.env": "B=2\n", "node_modules/m/index.js": "m\n", "made.txt": runtest.ID + "\ntwo\n"} {
		if got := enginetest.Read(t, r.Tree, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if to, err := os.Readlink(filepath.Join(r.Tree, "node_modules")); err != nil || to != filepath.Join(r.Dir, "node_modules") {
		t.Errorf("node_modules leads to %q, %v", to, err)
	}
	if _, err := os.Lstat(filepath.Join(r.Tree, "secret")); err == nil {
		t.Error("a file that nothing names was copied")
	}
	if got := enginetest.Git(t, r.Tree, "status", "--porcelain"); got != "?? made.txt" {
		t.Errorf("git sees\n%s", got)
	}
}

// TestSetup_refused undoes a run whose worktree cannot be set up: no branch and no worktree stay, and the spec is as it
// was.
func TestSetup_refused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*attempt.Settings)
		words  []string
	}{
		"a command fails":   {func(s *attempt.Settings) { s.SetupCmd = []string{"echo first; echo why >&2; exit 3"} }, []string{"exited with 3", "why"}},
		"a silent failure":  {func(s *attempt.Settings) { s.SetupCmd = []string{"false"} }, []string{"exited with 1", "printed nothing"}},
		"the second fails":  {func(s *attempt.Settings) { s.SetupCmd = []string{"true", "exit 9"} }, []string{"`exit 9` exited with 9"}},
		"a copy from above": {func(s *attempt.Settings) { s.Copy = []string{"../x"} }, []string{`worktree.copy: "../x" leaves the repository`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := ignored(t, tc.change)
			refs := r.Git("for-each-ref")
			r.Fails(r.Through(t.Context(), journal.Branch, journal.Setup), spec.ReasonSetup, tc.words...)
			if now := r.Git("for-each-ref"); now != refs {
				t.Errorf("refs were\n%s\nare\n%s", refs, now)
			}
			if got := r.Git("worktree", "list", "--porcelain"); strings.Count(got, "worktree ") != 1 {
				t.Errorf("worktrees:\n%s", got)
			}
			if got := r.Status(); got != spec.Pending {
				t.Errorf("status %s", got)
			}
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
		if got := r.Git("show", r.Job.Branch+":"+name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	files := r.Git("ls-tree", "-r", "--name-only", r.Job.Branch)
	if strings.Contains(files, "gone.txt") || strings.Contains(files, "x.tmp") {
		t.Errorf("the branch has\n%s", files)
	}
	if r.Trees.Collected == "" || enginetest.Git(t, r.Tree, "status", "--porcelain") != "" {
		t.Errorf("commit %q, status\n%s", r.Trees.Collected, enginetest.Git(t, r.Tree, "status", "--porcelain"))
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
			enginetest.Git(r.T, r.Tree, "switch", "-q", "--detach")
			r.Agent(map[string]string{"a": "1\n"})
		}, map[string]string{"a": "1"}},
		"the branch deleted": {func(r *runtest.Run) {
			r.Agent(map[string]string{"a": "1\n"})
			enginetest.Git(r.T, r.Tree, "switch", "-q", "--detach")
			r.Git("branch", "-q", "-D", r.Job.Branch)
		}, map[string]string{"a": "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			tree := r.Tree
			tc.agent(r)
			if err := r.Trees.Drop(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(tree); err == nil {
				t.Error("the worktree is there")
			}
			if err := enginetest.TryGit(t, r.Dir, "rev-parse", "-q", "--verify", "refs/heads/"+r.Job.Branch); err == nil {
				t.Error("the branch is there")
			}
			refs := strings.Fields(r.Git("for-each-ref", "--format=%(refname)", "refs/chant/rescue/"))
			if len(refs) != len(r.Trees.Rescued) || tc.kept == nil && len(refs) > 0 {
				t.Errorf("refs %v, reported %v", refs, r.Trees.Rescued)
			}
			for file, want := range tc.kept {
				found := false
				for _, ref := range refs {
					found = found || enginetest.TryGit(t, r.Dir, "cat-file", "-e", ref+":"+file) == nil && r.Git("show", ref+":"+file) == want
				}
				if !found {
					t.Errorf("%s is in none of %v", file, refs)
				}
			}
		})
	}
}

// TestDrop_broken sets a worktree aside that git no longer knows, with everything in it.
func TestDrop_broken(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Leave(map[string]string{"a": "1\n"})
	if err := os.Remove(filepath.Join(r.Tree, ".git")); err != nil {
		t.Fatal(err)
	}
	if err := r.Trees.Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept := ""
	for _, place := range r.Trees.Rescued {
		if src, err := os.ReadFile(filepath.Join(place, "a")); err == nil {
			kept = string(src)
		}
	}
	if kept != "1\n" {
		t.Errorf("kept in %v: %q", r.Trees.Rescued, kept)
	}
}

// TestRemoveTree_link: a link that an agent has put in the place of its worktree is removed, not what it leads to.
func TestRemoveTree_link(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	mine := filepath.Join(t.TempDir(), "mine")
	r.Git("worktree", "add", "-q", "--detach", mine)
	enginetest.Write(t, mine, "mine.txt", "mine\n")
	if err := os.Rename(r.Tree, filepath.Join(t.TempDir(), "away")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(mine, r.Tree); err != nil {
		t.Skip(err)
	}
	if err := r.Trees.RemoveTree(t.Context()); err != nil {
		t.Error(err)
	}
	if got := enginetest.Read(t, mine, "mine.txt"); got != "mine\n" {
		t.Errorf("%q", got)
	}
	if _, err := os.Lstat(r.Tree); err == nil {
		t.Error("the link is still there")
	}
	if got := r.Git("worktree", "list"); !strings.Contains(got, mine) {
		t.Errorf("%q is not registered any more:\n%s", mine, got)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	if err := two.Trees.WithPorts(func() error { again = two.Trees.PortEnv(); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(first) != 1 || !strings.HasPrefix(first[0], attempt.PortBase+"=") || len(second) != 1 || first[0] == second[0] || len(again) != 1 {
		t.Errorf("first %v, beside it %v, then %v", first, second, again)
	}
	if left := one.Trees.PortEnv(); len(left) != 0 {
		t.Errorf("ports were not given back: %v", left)
	}
}
