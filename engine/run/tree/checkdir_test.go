package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec"
)

func TestChooseDir_unusable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	usable := filepath.Join(t.TempDir(), "chant", "repo-1")
	if dir, _, err := sandbox.ChooseDir([]string{filepath.Join(file, "repo-1"), usable}); dir != usable || err != nil {
		t.Errorf("%q, %v; want %q", dir, err, usable)
	}
	for name, candidates := range map[string][]string{
		`: mkdir ` + file:            {filepath.Join(file, "repo-1")},
		"lies inside the repository": nil,
	} {
		_, _, err := sandbox.ChooseDir(candidates)
		f, ok := errors.AsType[*journal.Failure](err)
		if !ok || f.Kind != spec.ReasonSetup || !strings.Contains(f.Message, name) || !strings.HasPrefix(f.Next.Shell, "export XDG_CACHE_HOME=") {
			t.Errorf("%q: %v, want a failure to set up that leads to XDG_CACHE_HOME", candidates, err)
		}
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
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
			} else if err := os.MkdirAll(dir, 0o700); removals == 0 && err != nil {
				t.Fatal(err)
			}
			return os.Mkdir(filepath.Join(dir, fmt.Sprint(removals)), 0o700)
		})
		if err != nil {
			t.Errorf("after %d removals: %v", removals, err)
		}
	}
	if err := makeInSharedFolder(dir, func() error { return fs.ErrPermission }); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v, want what went wrong", err)
	}
}
