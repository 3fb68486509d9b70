package place_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/run/attempt"
	"chant/engine/run/place"
	"chant/engine/run/runtest"
)

// TestInPlace_recycled: a check tree of many files is used again, and has the files of the next commit alone, whatever
// was done in it before and while it was kept.
func TestInPlace_recycled(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	files := map[string]string{".gitignore": "built/\n"}
	for n := range 2000 {
		files[fmt.Sprintf("many/%d/%d.txt", n%50, n)] = fmt.Sprintf("%d\n", n)
	}
	enginetest.Commit(t, dir, files)
	r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.RecycleLarge, s.Spares = true, 2 })
	r.Agent(map[string]string{"done.txt": "yes\n"})
	tip := r.Git("rev-parse", r.Job.Branch)
	spare := filepath.Join(dir, ".chant", "worktrees", ".spare-1")

	spoil := func(in string) {
		enginetest.Write(t, in, "many/1/1.txt", "9\n")
		enginetest.Write(t, in, "left.txt", "left\n")
		enginetest.Write(t, in, "built/out", "left\n")
	}
	var first, second os.FileInfo
	err := r.Places.InPlace(t.Context(), "main", true, func(at place.Place) (err error) {
		spoil(at.Dir)
		first, err = os.Stat(filepath.Join(at.Dir, "many/2/2.txt"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(spare); err != nil {
		t.Fatal("the check tree was not kept")
	}
	spoil(spare)
	enginetest.Git(t, spare, "add", "-A")
	for n := range 2 {
		err := r.Places.InPlace(t.Context(), tip, true, func(at place.Place) (err error) {
			if _, err := os.Lstat(spare); err == nil {
				t.Error("the spare worktree was not used")
			}
			for name, want := range map[string]string{"many/1/1.txt": "1\n", "done.txt": "yes\n"} {
				if got := enginetest.Read(t, at.Dir, name); got != want {
					t.Errorf("%s: %q", name, got)
				}
			}
			if got := enginetest.Git(t, at.Dir, "status", "--porcelain", "--ignored"); got != "" || enginetest.Git(t, at.Dir, "rev-parse", "HEAD") != tip {
				t.Errorf("not the commit alone: %q", got)
			}
			spoil(at.Dir)
			if second, err = os.Stat(filepath.Join(at.Dir, "many/2/2.txt")); n == 1 {
				err = errors.New("a check that fails")
			}
			return err
		})
		if (err != nil) != (n == 1) {
			t.Error(n, err)
		}
		if !os.SameFile(first, second) {
			t.Error("a file that did not change was written again")
		}
	}
	if _, err := os.Lstat(spare); err == nil {
		t.Error("the tree of a check that ended with an error was kept")
	}
}
