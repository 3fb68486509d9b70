package tree

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"chant/engine/run/attempt"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// TestMakePlain: a second name of a file, as of a backup, keeps the content of both; a link is removed, and its target not.
func TestMakePlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backup, index, link := filepath.Join(dir, "backup"), filepath.Join(dir, "index"), filepath.Join(dir, "link")
	if err := os.WriteFile(backup, []byte("content"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(backup, index); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(backup, link); err != nil {
		t.Skip(err)
	}
	root, err := rootdir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	for _, name := range []string{"index", "link"} {
		info, err := root.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := makePlain(root, name, info); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{backup, index} {
		info, err := os.Lstat(path)
		text, readErr := os.ReadFile(path)
		if err != nil || readErr != nil || string(text) != "content" || rootdir.Linked(info) || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %q, %v, %v", path, text, info, err)
		}
	}
	if _, err := os.Lstat(link); !os.IsNotExist(err) {
		t.Errorf("the link exists: %v", err)
	}
}

// TestKeepPlace: what an agent makes of the files by which git finds its worktree is undone and named.
func TestKeepPlace(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(path string) error{
		"written": func(path string) error { return os.WriteFile(path, []byte("/elsewhere\n"), 0o600) },
		"removed": os.Remove,
		"a folder": func(path string) error {
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o700))
		},
		"a link": func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/elsewhere", path)) },
	} {
		for _, file := range []string{"gitdir", "commondir"} {
			repo, admin := linkedTree(t)
			trees := &Trees{Attempt: &attempt.Attempt{Repo: repo}}
			mend, err := GuardGitFiles(t.Context(), trees, repo.Dir())
			if err != nil {
				t.Fatal(err)
			}
			if found, err := mend(); err != nil || len(found) > 0 {
				t.Errorf("nothing was changed: %q, %v", found, err)
			}
			path := filepath.Join(admin, file)
			was, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := change(path); err != nil {
				t.Skip(err)
			}
			found, err := mend()
			if err != nil || len(found) != 1 || found[0] != "git's "+file+" of the worktree was changed" {
				t.Errorf("%s: %q, %v", name, found, err)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != string(was) {
				t.Errorf("%s: %q, %v", name, now, err)
			}
		}
	}
}

// linkedTree is a repository that is opened in a linked worktree, and git's folder of that.
func linkedTree(t *testing.T) (repo *gitops.Repo, admin string) {
	t.Helper()
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "linked")
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "--allow-empty", "-m", "x"},
		{"worktree", "add", "-q", dir},
	} {
		cmd := exec.Command("git", args...)
		if cmd.Dir = home; cmd.Run() != nil {
			t.Fatalf("git %q", args)
		}
	}
	repo, err := gitops.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo, filepath.Join(home, ".git", "worktrees", "linked")
}
