package tree_test

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/run/tree"
	"chant/engine/spec"
)

// TestInPlace_link: a command that puts a link in the place of its tree does not make chant remove what that leads to.
func TestInPlace_link(t *testing.T) {
	t.Parallel()
	r := placed(t)
	mine := filepath.Join(t.TempDir(), "mine")
	r.Git("worktree", "add", "-q", "--detach", mine, "main")
	enginetest.Write(t, mine, "mine.txt", "mine\n")
	var at string
	err := r.Places.InPlace(t.Context(), r.Job.Branch, true, func(p tree.Place) error {
		at = p.Dir
		if err := os.Rename(p.Dir, filepath.Join(t.TempDir(), "away")); err != nil {
			return err
		}
		if err := os.Symlink(mine, p.Dir); err != nil {
			t.Skip(err)
		}
		return r.Places.CheckUntouched(t.Context(), p)
	})
	r.Fails(err, spec.ReasonSpoiled)
	if got := enginetest.Read(t, mine, "mine.txt"); got != "mine\n" {
		t.Errorf("%q", got)
	}
	if _, err := os.Lstat(at); err == nil {
		t.Errorf("%q is still there", at)
	}
}
