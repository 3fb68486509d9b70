package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// laid creates folders and links: top/in/file, top/loop to in, top/out to elsewhere, alias to top.
func laid(t *testing.T) (top, alias string) {
	t.Helper()
	dir := RealPath(t.TempDir())
	top, alias = filepath.Join(dir, "top"), filepath.Join(dir, "alias")
	if err := errors.Join(
		os.MkdirAll(filepath.Join(top, "in"), 0o755), os.MkdirAll(filepath.Join(dir, "elsewhere"), 0o755),
		os.WriteFile(filepath.Join(top, "in", "file"), nil, 0o644), os.WriteFile(filepath.Join(dir, "elsewhere", "file"), nil, 0o644),
	); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"top/loop": "in", "top/out": filepath.Join(dir, "elsewhere"), "alias": top} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skipf("this system makes no symbolic links: %v", err)
		}
	}
	return top, alias
}

// TestWithin decides by where a path leads, also for one that does not exist yet.
func TestWithin(t *testing.T) {
	t.Parallel()
	top, alias := laid(t)
	for path, want := range map[string]bool{
		top: true, alias: true, filepath.Join(alias, "in", "file"): true, filepath.Join(top, "loop", "new", "deeper"): true,
		filepath.Join(top, "out"): false, filepath.Join(top, "out", "new"): false, filepath.Dir(top): false, top + "-beside": false,
		filepath.Join(top, "..hidden"): true,
	} {
		if got := Within(top, path); got != want {
			t.Errorf("Within(top, %q) = %t", path, got)
		}
		if got := Within(alias, path); got != want {
			t.Errorf("Within(alias, %q) = %t", path, got)
		}
	}
	if !SamePlace(top, alias) || SamePlace(top, filepath.Join(top, "in")) || !SamePlace(filepath.Join(alias, "new"), filepath.Join(top, "new")) {
		t.Error("Same does not follow links")
	}
}

// TestBelow resolves links inside a folder and refuses those that leave it.
func TestBelow(t *testing.T) {
	t.Parallel()
	top, alias := laid(t)
	for name, want := range map[string]string{"in/file": "in/file", "loop/file": "in/file", ".": "."} {
		if got, err := RealBelow(alias, name); err != nil || filepath.ToSlash(got) != want {
			t.Errorf("%q leads to %q (%v), want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]error{"out/file": ErrOutside, "..": ErrOutside, "missing": fs.ErrNotExist, "out/missing": fs.ErrNotExist} {
		if got, err := RealBelow(top, name); !errors.Is(err, want) {
			t.Errorf("%q leads to %q (%v), want %v", name, got, err, want)
		}
	}
}
