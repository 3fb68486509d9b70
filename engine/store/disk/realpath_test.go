package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// laid creates folders and links: top/in/file, top/loop to in, top/out to elsewhere, alias to top.
func laid(t *testing.T) (top, alias string) {
	t.Helper()
	dir := RealPath(t.TempDir())
	top, alias = filepath.Join(dir, "top"), filepath.Join(dir, "alias")
	err := errors.Join(
		os.MkdirAll(filepath.Join(top, "in"), 0o755), os.MkdirAll(filepath.Join(dir, "elsewhere"), 0o755),
		os.WriteFile(filepath.Join(top, "in", "file"), nil, 0o644), os.WriteFile(filepath.Join(dir, "elsewhere", "file"), nil, 0o644),
	)
	assert.NoError(t, err)
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
		assert.Equal(t, want, Within(top, path), "Within(top, %q)", path)
		assert.Equal(t, want, Within(alias, path), "Within(alias, %q)", path)
	}
	assert.True(t, SamePlace(top, alias), "Same does not follow links")
	assert.False(t, SamePlace(top, filepath.Join(top, "in")), "Same does not follow links")
	assert.True(t, SamePlace(filepath.Join(alias, "new"), filepath.Join(top, "new")), "Same does not follow links")
}

// TestBelow resolves links inside a folder and refuses those that leave it.
func TestBelow(t *testing.T) {
	t.Parallel()
	top, alias := laid(t)
	for name, want := range map[string]string{"in/file": "in/file", "loop/file": "in/file", ".": "."} {
		got, err := RealBelow(alias, name)
		assert.NoError(t, err, "%q leads", name)
		assert.Equal(t, want, filepath.ToSlash(got), "%q leads", name)
	}
	for name, want := range map[string]error{"out/file": ErrOutside, "..": ErrOutside, "missing": fs.ErrNotExist, "out/missing": fs.ErrNotExist} {
		got, err := RealBelow(top, name)
		assert.IsError(t, err, want, "%q leads to %q", name, got)
	}
}

// TestLeads lists every place to which a path leads, and the links below it.
func TestLeads(t *testing.T) {
	t.Parallel()
	top, _ := laid(t)
	dir := filepath.Dir(top)
	at := func(names ...string) (out []string) {
		for _, name := range names {
			out = append(out, filepath.Join(dir, filepath.FromSlash(name)))
		}
		return out
	}
	for link, to := range map[string]string{"first": "alias/out/../second", "elsewhere/third": "../alias", "second": "top/in/file", "circle": "circle", "nothing": "elsewhere/missing"} {
		assert.NoError(t, os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))))
	}
	for name, want := range map[string][]string{
		"top/in/file": at("top/in/file"), "top/loop": at("top/loop", "top/in"), "nothing": at("nothing", "elsewhere/missing"),
		"circle": at("circle"), "missing": at("missing"),
		// Behind a link "..", a path leads elsewhere than it looks.
		"first": at("first", "second", "top/in/file"),
		"top":   at("top", "top/loop", "top/out", "top/in", "elsewhere", "elsewhere/third", "alias"),
	} {
		got := Leads(filepath.Join(dir, filepath.FromSlash(name)))
		for _, place := range want {
			assert.SliceContains(t, got, place, "Leads(%q)", name)
		}
	}
	assert.Equal(t, at("missing/a/b"), Leads(filepath.Join(dir, "missing", "a", "b")), "a path that does not exist")
}
