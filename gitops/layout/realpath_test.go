package layout

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestRealPaths finds what RealPath finds, in whatever order paths are asked for.
func TestRealPaths(t *testing.T) {
	t.Parallel()
	dir := RealPath(t.TempDir())
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	assert.NoError(t, os.MkdirAll(at("real/one"), 0o755))
	if err := errors.Join(os.Symlink(at("real"), at("link")), os.Symlink(at("real/one"), at("real/two")), os.Symlink(at("nowhere/x"), at("real/lost"))); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	reals := RealPaths{}
	for path, want := range map[string]string{
		"real/one": "real/one", "link/one": "real/one", "link/two": "real/one", "link": "real", "link/none": "real/none",
		"none/none": "none/none", "link/none/none": "real/none/none", "link/lost": "real/lost", "link/one/../two": "real/one",
	} {
		if got := reals.Of(at(path)); got != at(want) || got != RealPath(at(path)) {
			t.Errorf("%s is %s, want %s; RealPath: %s", path, got, at(want), RealPath(at(path)))
		}
	}
	got := reals.Of(string(filepath.Separator))
	assert.Equal(t, RealPath(string(filepath.Separator)), got)
}
