package gitindex

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"chant/gitops/gitexec"
	"chant/gitops/rootdir"
)

// IndexLock reports whether git has locked the index of the worktree at dir, and since when.
// Errors: ErrNotRepository.
func (x *Index) IndexLock(dir string) (since time.Time, locked bool, err error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return time.Time{}, false, err
	}
	info, err := os.Stat(filepath.Join(p.GitDir, "index.lock"))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, err
	}
	return info.ModTime(), true, nil
}

// indexWait bounds how long a git that writes a worktree is waited for.
const indexWait = 10 * time.Second

// AwaitIndex waits until no git writes the index and the files of the worktree at dir. A
// lock that stays was left by a killed one, or is of a very large checkout: it is not waited
// for to the end. Errors: ErrNotRepository, the context's.
func (x *Index) AwaitIndex(ctx context.Context, dir string) error {
	for wait := gitexec.NewBackoff(indexWait); ; {
		_, locked, err := x.IndexLock(dir)
		// A lock that stays was left by a killed git, or belongs to a very large checkout, so the wait ends without an
		// error.
		if err != nil || !locked || !wait.Sleep(ctx) {
			return errors.Join(err, ctx.Err())
		}
	}
}

// BreakLock removes the locks that a killed git left on the index and the HEAD of the linked worktree at dir,
// and reports whether there was one. It is for a caller that knows every process that
// worked in that worktree to be dead: nothing here can distinguish a left lock from a live one.
// For the main worktree, which people share, it is an error. Errors: ErrNotRepository.
func (x *Index) BreakLock(dir string) (bool, error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return false, err
	}
	var left []string
	// A commit locks the index first and HEAD after it, and either lock alone stops the next commit.
	for _, name := range []string{"index.lock", "HEAD.lock"} {
		if _, err := os.Lstat(filepath.Join(p.GitDir, name)); err == nil {
			left = append(left, name)
		}
	}
	// People work in the main worktree, so nothing here can know that its lock is dead.
	if p.GitDir == x.Site.Common {
		return false, fmt.Errorf("the locks of %q stay: it is the main worktree, which others may be using", p.Top)
	}
	// An agent may have made a folder of it, which a plain remove leaves.
	return len(left) > 0, rootdir.RemoveEach(p.GitDir, left...)
}
