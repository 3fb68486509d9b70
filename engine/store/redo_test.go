package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestFinish commits each whole record once, and keeps the record if that fails.
func TestFinish(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pending, err := pendingRedo(filepath.Join(dir, "missing"))
	assert.False(t, pending, "no folder: %v, %v", pending, err)
	assert.NoError(t, err)
	done, err := NoteRedo(dir, RedoLog{Message: "of a process that is alive"})
	assert.NoError(t, err)
	assert.NoError(t, done())
	want := RedoLog{Message: "m", Files: []RedoFile{{Path: "new", Next: []byte{}}, {Path: "gone", Old: []byte("x")}}}
	_, err = NoteRedo(dir, want)
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(filepath.Join(dir, "torn.json"), []byte(`{"message":`), 0o600))
	refused := errors.New("refused")
	var wrote []RedoFile
	tree := redoTree{
		Read:      func(string) ([]byte, error) { return nil, fs.ErrNotExist }, // "gone" was removed, "new" is missing
		Committed: func(string) ([]byte, error) { return []byte("x"), nil },
		Write:     func(f RedoFile) error { wrote = append(wrote, f); return nil },
		Commit:    func([]RedoFile, string) error { return refused },
	}
	err = finishRedo(dir, tree)
	assert.IsError(t, err, refused)
	assert.Equal(t, 1, len(wrote))
	assert.Equal(t, "new", wrote[0].Path)
	assert.True(t, wrote[0].Next != nil, "%v, wrote %v", err, wrote)
	commits := 0
	tree.Commit = func(files []RedoFile, message string) error {
		commits++
		if len(files) != 2 || message != "m" {
			t.Errorf("%q: %v", message, files)
		}
		return nil
	}
	err = finishRedo(dir, tree)
	pending, still := pendingRedo(dir)
	assert.NoError(t, err)
	assert.Equal(t, 1, commits)
	assert.False(t, pending, "%v after %d commits, pending %v, %v", err, commits, pending, still)
	assert.NoError(t, still)
}

// TestChange_split leaves out what was edited since, and distinguishes an empty file from a missing one.
func TestChange_split(t *testing.T) {
	t.Parallel()
	c := RedoLog{Files: []RedoFile{
		{Path: "written", Old: []byte("a"), Next: []byte("b")}, {Path: "missing", Old: []byte("a"), Next: []byte("b")},
		{Path: "edited", Old: []byte("a"), Next: []byte("b")}, {Path: "gone", Old: []byte("a")}, {Path: "new", Next: []byte{}},
	}}
	disk := map[string]string{"written": "b", "missing": "a", "edited": "c"}
	read := func(path string) ([]byte, error) {
		text, ok := disk[path]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}
	written, missing := c.split(read)
	assert.Equal(t, 2, len(written))
	assert.Equal(t, "written", written[0].Path)
	assert.Equal(t, "gone", written[1].Path)
	assert.Equal(t, 2, len(missing))
	assert.Equal(t, "missing", missing[0].Path)
	assert.Equal(t, "new", missing[1].Path)
	committed, err := c.isCommitted(read)
	assert.True(t, committed, "%v, %v", committed, err)
	assert.NoError(t, err)
	committed, err = c.isCommitted(func(string) ([]byte, error) { return []byte("other"), nil })
	assert.False(t, committed, "%v, %v", committed, err)
	assert.NoError(t, err)
}
