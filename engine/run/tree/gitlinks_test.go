package tree

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/gitops"
	"chant/gitops/rootdir"

	"github.com/alecthomas/assert/v2"
)

// TestMakePlain: a second name of a file, as of a backup, keeps the content of both; a link is removed, and its target not.
func TestMakePlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backup, index, link := filepath.Join(dir, "backup"), filepath.Join(dir, "index"), filepath.Join(dir, "link")
	assert.NoError(t, os.WriteFile(backup, []byte("content"), 0o640))
	if err := os.Link(backup, index); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(backup, link); err != nil {
		t.Skip(err)
	}
	root, err := rootdir.Open(dir)
	assert.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	for _, name := range []string{"index", "link"} {
		info, err := root.Lstat(name)
		assert.NoError(t, err)
		assert.NoError(t, makePlain(root, name, info))
	}
	for _, path := range []string{backup, index} {
		info, err := os.Lstat(path)
		text, readErr := os.ReadFile(path)
		assert.NoError(t, err, "%s", path)
		assert.NoError(t, readErr, "%s", path)
		assert.Equal(t, "content", string(text), "%s", path)
		assert.False(t, rootdir.Linked(info), "%s: %q, %v, %v", path, text, info, err)
		assert.Equal(t, 0o640, info.Mode().Perm(), "%s", path)
	}
	_, err = os.Lstat(link)
	assert.True(t, os.IsNotExist(err), "the link exists: %v", err)
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
			trees := &Trees{Attempt: attempt.New(attempt.Attempt{Repo: repo}, &journal.History{}, nil)}
			mend, err := GuardGitFiles(t.Context(), trees, repo.Dir())
			assert.NoError(t, err)
			if found, err := mend(); err != nil || len(found) > 0 {
				t.Errorf("nothing was changed: %q, %v", found, err)
			}
			path := filepath.Join(admin, file)
			was, err := os.ReadFile(path)
			assert.NoError(t, err)
			if err := change(path); err != nil {
				t.Skip(err)
			}
			found, err := mend()
			assert.NoError(t, err, "%s", name)
			assert.Equal(t, 1, len(found), "%s", name)
			assert.Equal(t, "git's "+file+" of the worktree was changed", found[0], "%s", name)
			now, err := os.ReadFile(path)
			assert.NoError(t, err, "%s", name)
			assert.Equal(t, string(was), string(now), "%s", name)
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
		cmd.Dir = home
		assert.NoError(t, cmd.Run(), "git %q", args)
	}
	repo, err := gitops.Open(dir)
	assert.NoError(t, err)
	return repo, filepath.Join(home, ".git", "worktrees", "linked")
}
