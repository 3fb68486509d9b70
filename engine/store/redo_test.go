package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFinish commits each whole record once, and keeps the record if that fails.
func TestFinish(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if pending, err := pendingRedo(filepath.Join(dir, "missing")); pending || err != nil {
		t.Errorf("no folder: %v, %v", pending, err)
	}
	done, err := NoteRedo(dir, RedoLog{Message: "of a process that is alive"})
	if err != nil {
		t.Fatal(err)
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}
	want := RedoLog{Message: "m", Files: []RedoFile{{Path: "new", Next: []byte{}}, {Path: "gone", Old: []byte("x")}}}
	if _, err := NoteRedo(dir, want); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "torn.json"), []byte(`{"message":`), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	var wrote []RedoFile
	tree := redoTree{
		Read:      func(string) ([]byte, error) { return nil, fs.ErrNotExist }, // "gone" was removed, "new" is missing
		Committed: func(string) ([]byte, error) { return []byte("x"), nil },
		Write:     func(f RedoFile) error { wrote = append(wrote, f); return nil },
		Commit:    func([]RedoFile, string) error { return refused },
	}
	if err := finishRedo(dir, tree); !errors.Is(err, refused) || len(wrote) != 1 || wrote[0].Path != "new" || wrote[0].Next == nil {
		t.Errorf("%v, wrote %v", err, wrote)
	}
	commits := 0
	tree.Commit = func(files []RedoFile, message string) error {
		commits++
		if len(files) != 2 || message != "m" {
			t.Errorf("%q: %v", message, files)
		}
		return nil
	}
	err = finishRedo(dir, tree)
	if pending, still := pendingRedo(dir); err != nil || commits != 1 || pending || still != nil {
		t.Errorf("%v after %d commits, pending %v, %v", err, commits, pending, still)
	}
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
	if len(written) != 2 || written[0].Path != "written" || written[1].Path != "gone" || len(missing) != 2 || missing[0].Path != "missing" || missing[1].Path != "new" {
		t.Errorf("written %v, missing %v", written, missing)
	}
	if committed, err := c.isCommitted(read); !committed || err != nil {
		t.Errorf("%v, %v", committed, err)
	}
	if committed, err := c.isCommitted(func(string) ([]byte, error) { return []byte("other"), nil }); committed || err != nil {
		t.Errorf("%v, %v", committed, err)
	}
}
