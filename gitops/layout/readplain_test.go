package layout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestReadPlain reads files of all sizes: of one that is larger than memory, which costs nothing on disk, a name's
// beginning is read, and nothing of another file.
func TestReadPlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, size := range map[string]int64{"empty": 0, "name": 41, "long": maxName, "longer": maxName + 1, "most": 1 << 40} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("ref: refs/heads/x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Skip(err) // this file system has no such files
		}
		text, err := ReadName(path)
		if want := min(size, maxName); err != nil || int64(len(text)) != want {
			t.Errorf("%s: a name of %d bytes, %v; want %d", name, len(text), err, want)
		}
		text, err = ReadPlain(path)
		if large := size > MaxPlain; large != (err != nil) || !large && int64(len(text)) != size {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
	for name, read := range map[string]func(string) ([]byte, error){"ReadPlain": ReadPlain, "ReadName": ReadName} {
		if _, err := read(dir); !errors.Is(err, ErrNotFile) {
			t.Errorf("%s of a folder: %v", name, err)
		}
		if _, err := read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of nothing: %v", name, err)
		}
	}
}
