package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
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
				if err := os.WriteFile(path, []byte("old"), test.before); err != nil {
					t.Fatal(err)
				}
			}
			if err := Write(path, []byte("new"), test.options); err != nil {
				t.Fatal(err)
			}
			src, err := os.ReadFile(path)
			if err != nil || string(src) != "new" {
				t.Errorf("%q, %v", src, err)
			}
			info, err := os.Lstat(path)
			if err != nil || runtime.GOOS != "windows" && test.want != 0 && info.Mode() != test.want {
				t.Errorf("%v, %v", info, err)
			}
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
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "folder"), filepath.Join(dir, "none", "file")} {
		if err := Write(path, []byte("new"), Options{}); err == nil {
			t.Errorf("%q was written", path)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
