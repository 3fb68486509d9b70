package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func TestChooseDir_unusable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	assert.NoError(t, os.WriteFile(file, nil, 0o600))
	usable := filepath.Join(t.TempDir(), "chant", "repo-1")
	dir, _, err := sandbox.ChooseDir([]string{filepath.Join(file, "repo-1"), usable})
	assert.Equal(t, usable, dir)
	assert.NoError(t, err)
	for name, candidates := range map[string][]string{
		`: mkdir ` + file:            {filepath.Join(file, "repo-1")},
		"lies inside the repository": nil,
	} {
		_, _, err := sandbox.ChooseDir(candidates)
		f, ok := errors.AsType[*journal.Failure](err)
		assert.True(t, ok, "%q: %v, want a failure to set up that leads to XDG_CACHE_HOME", candidates, err)
		assert.Equal(t, spec.ReasonSetup, f.Kind, "%q: %v, want a failure to set up that leads to XDG_CACHE_HOME", candidates, err)
		assert.Contains(t, f.Message, name, "%q: %v, want a failure to set up that leads to XDG_CACHE_HOME", candidates, err)
		assert.HasPrefix(t, f.Next.Shell, "export XDG_CACHE_HOME=", "%q: %v, want a failure to set up that leads to XDG_CACHE_HOME", candidates, err)
	}
}

// TestMakeShared_removed has another run remove the shared folder just before something is made in it.
func TestMakeShared_removed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "chant", "repo-1")
	for _, removals := range []int{0, 1, 3} {
		left := removals
		err := makeInSharedFolder(dir, func() error {
			if left--; left >= 0 {
				assert.NoError(t, os.RemoveAll(dir))
			} else if err := os.MkdirAll(dir, 0o700); removals == 0 && err != nil {
				t.Fatal(err)
			}
			return os.Mkdir(filepath.Join(dir, fmt.Sprint(removals)), 0o700)
		})
		assert.NoError(t, err, "after %d removals", removals)
	}
	assert.IsError(t, makeInSharedFolder(dir, func() error { return fs.ErrPermission }), fs.ErrPermission)
}
