package layout

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestReadPlain reads files of all sizes: of one that is larger than memory, which costs nothing on disk, a name's
// beginning is read, and nothing of another file.
func TestReadPlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, size := range map[string]int64{"empty": 0, "name": 41, "long": maxName, "longer": maxName + 1, "most": 1 << 40} {
		path := filepath.Join(dir, name)
		assert.NoError(t, os.WriteFile(path, []byte("ref: refs/heads/x"), 0o600))
		if err := os.Truncate(path, size); err != nil {
			t.Skip(err) // this file system has no such files
		}
		text, err := ReadName(path)
		want := min(size, maxName)
		assert.NoError(t, err, "%s: a name", name)
		assert.Equal(t, want, int64(len(text)), "%s: a name", name)
		text, err = ReadPlain(path)
		large := size > MaxPlain
		assert.Equal(t, err != nil, large, "%s", name)
		assert.False(t, !large && int64(len(text)) != size, "%s: %d bytes, %v", name, len(text), err)
	}
	for name, read := range map[string]func(string) ([]byte, error){"ReadPlain": ReadPlain, "ReadName": ReadName} {
		_, err := read(dir)
		assert.IsError(t, err, ErrNotFile, "%s of a folder", name)
		_, err = read(filepath.Join(dir, "none"))
		assert.IsError(t, err, fs.ErrNotExist, "%s of nothing", name)
	}
}
