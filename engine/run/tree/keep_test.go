package tree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/run/tree"
	"chant/engine/spec"
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
		if ref, err := tree.Rescue(t.Context(), p.Repo, "x", tc.commit); err != nil || ref != tc.ref {
			t.Errorf("%s is kept as %q, want %q (%v)", tc.commit, ref, tc.ref, err)
		}
	}
	if _, made, err := tree.RescueNew(t.Context(), p.Repo, "x", one); made || err != nil {
		t.Errorf("made again: %v, %v", made, err)
	}
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
			inner := filepath.Join(r.Tree, "inner")
			enginetest.Git(t, r.Tree, "init", "-q", inner)
			enginetest.Write(t, inner, "a.txt", "precious\n")
			enginetest.Git(t, inner, "add", "-A")
			enginetest.Git(t, inner, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x")
			if err := r.Trees.Drop(t.Context()); err != nil {
				t.Fatal(err)
			}
			kept := ""
			for _, place := range r.Trees.Rescued {
				if src, err := os.ReadFile(filepath.Join(place, "inner", "a.txt")); err == nil {
					kept = string(src)
				}
			}
			if kept != "precious\n" {
				t.Errorf("kept in %v: %q", r.Trees.Rescued, kept)
			}
		})
	}
}

// TestWorktree_again takes up the worktree of an attempt whose agent may have worked in it, with what lies there
// committed.
func TestWorktree_again(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	if err := r.Begin(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(journal.Agent, journal.Begin, nil); err != nil {
		t.Fatal(err)
	}
	r.Leave(map[string]string{"half.txt": "half\n"})
	next := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 2})
	if err := next.Begin(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := next.Through(t.Context(), journal.Branch, journal.Prompt); err != nil {
		t.Fatal(err)
	}
	if next.Tree != r.Tree || next.Trees.Made {
		t.Errorf("the attempt works in %q, made %v", next.Tree, next.Trees.Made)
	}
	if got := r.Git("show", r.Job.Branch+":half.txt"); got != "half" {
		t.Errorf("what lay there is %q", got)
	}
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
	if got := enginetest.Read(t, r.Tree, "kept.env"); got != "A=1\n" {
		t.Errorf("kept.env: %q", got)
	}
	if _, err := os.Lstat(filepath.Join(r.Tree, "open.env")); err == nil {
		t.Error("a file that git does not ignore was copied")
	}
	if got := enginetest.Git(t, r.Tree, "status", "--porcelain"); got != "" {
		t.Errorf("git sees\n%s", got)
	}
}

// TestWorktree_elsewhere makes worktrees in the folder that the settings name, also with spaces in its path.
func TestWorktree_elsewhere(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "work trees")
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".chant/config.md": "---\nworktree: {dir: '" + place + "'}\n---\n"})
	p, err := engine.Open(dir, p.Options)
	if err != nil {
		t.Fatal(err)
	}
	r := runtest.Of(t, p, dir, runtest.Plain)
	if !strings.HasPrefix(r.Tree, place+string(filepath.Separator)) {
		t.Errorf("the worktree is %q", r.Tree)
	}
	r.Agent(map[string]string{"done.txt": "yes\n"})
	if err := r.To(journal.Clean); err != nil {
		t.Fatal(err)
	}
	if r.Status() != spec.Completed || r.Target("done.txt") == "" {
		t.Errorf("status %s", r.Status())
	}
}
