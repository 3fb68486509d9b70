package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before  fs.FileMode // 0 = no file
		options Options
		want    fs.FileMode // 0 = any
	}{
		"new":           {0, Options{}, 0},
		"new, private":  {0, Options{Mode: 0o600}, 0o600},
		"kept":          {0o640, Options{}, 0o640},
		"made to run":   {0o600, Options{Mode: 0o755}, 0o755},
		"by way of":     {0o640, Options{Temp: t.TempDir()}, 0o640},
		"private again": {0o644, Options{Temp: t.TempDir(), Mode: 0o600}, 0o600},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "file")
			if test.before != 0 {
				assert.NoError(t, os.WriteFile(path, []byte("old"), test.before))
			}
			assert.NoError(t, Write(path, []byte("new"), test.options))
			src, err := os.ReadFile(path)
			assert.NoError(t, err)
			assert.Equal(t, "new", string(src))
			info, err := os.Lstat(path)
			assert.NoError(t, err)
			assert.False(t, runtime.GOOS != "windows" && test.want != 0 && info.Mode() != test.want, "%v, %v", info, err)
			for _, dir := range []string{filepath.Dir(path), test.options.Temp} {
				entries, err := os.ReadDir(dir)
				if dir != "" && (err != nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != "file") {
					t.Errorf("left behind in %s: %v, %v", dir, entries, err)
				}
			}
		})
	}
}

// TestWrite_fails: a failed write changes nothing and leaves no file behind.
func TestWrite_fails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder", "full")
	assert.NoError(t, os.MkdirAll(folder, 0o755))
	for _, path := range []string{filepath.Join(dir, "folder"), filepath.Join(dir, "none", "file")} {
		assert.Error(t, Write(path, []byte("new"), Options{}), "%q was written", path)
	}
	entries, err := os.ReadDir(dir)
	assert.NoError(t, err, "%v", entries)
	assert.Equal(t, 1, len(entries), "%v", entries)
}
