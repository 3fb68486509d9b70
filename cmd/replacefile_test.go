package cmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestReplaceFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	for _, text := range []string{"one\n", "two\n"} {
		assert.NoError(t, replaceFile(path, []byte(text)))
		got, err := os.ReadFile(path)
		assert.NoError(t, err)
		assert.Equal(t, text, string(got))
	}
	assert.Error(t, replaceFile(dir, nil), "a folder was replaced")
	assert.Error(t, replaceFile(filepath.Join(dir, "none", "out.csv"), nil), "a folder was made")
	left, err := filepath.Glob(filepath.Join(dir, ".chant-*"))
	assert.NoError(t, err, "left behind: %v", left)
	assert.Zero(t, left, "left behind: %v", left)
}

// TestReplaceFile_link: the file that a link leads to is written, and the link stays.
func TestReplaceFile_link(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	to, link := filepath.Join(dir, "to"), filepath.Join(dir, "link")
	assert.NoError(t, os.WriteFile(to, []byte("old"), 0o600))
	if err := os.Symlink("to", link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	assert.NoError(t, replaceFile(link, []byte("new")))
	info, err := os.Lstat(to)
	got, readErr := os.ReadFile(to)
	assert.NoError(t, err)
	assert.NoError(t, readErr)
	assert.Equal(t, "new", string(got))
	assert.Equal(t, 0o600, info.Mode().Perm())
	at, err := os.Readlink(link)
	assert.NoError(t, err, "the link leads")
	assert.Equal(t, "to", at, "the link leads")
}
