package gitops

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/revision"
)

// takeBack undoes what a read-tree has done of these changes before it failed, for example because no space was left: it
// writes files first and the index last. Before, all of these files were as the index has them. Files that are now
// neither that nor the beginning of the new version were written by another program, and stay.
func (mr *Merger) takeBack(ctx context.Context, p layout.Place, changes []revision.Change, to string) error {
	var all error
	var again []string
	// Files come before their folders, so that emptied ones can go.
	for _, c := range slices.Backward(changes) {
		// The files of a submodule are not written by read-tree.
		if c.Gitlink {
			continue
		}
		path := filepath.Join(p.Top, filepath.FromSlash(c.Path))
		begun, err := mr.hasBegun(ctx, path, c, to)
		switch {
		case err != nil:
			all = errors.Join(all, err)
		case !begun:
		case c.Status == 'A':
			if err := os.Remove(path); err != nil && !layout.Absent(err) {
				all = errors.Join(all, err)
			}
			// Git made the folders for the new file.
			removeEmpty(p.Top, filepath.Dir(path))
		default:
			again = append(again, c.Path)
		}
	}
	for some := range slices.Chunk(again, perCall) {
		// read-tree writes the index last, so it still holds the old versions of these files.
		_, err := mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Limit: gitexec.LongLimit, Args: append([]string{"checkout-index", "-f", "-u", "--"}, some...)})
		all = errors.Join(all, err)
	}
	return all
}

// hasBegun reports whether a file has been removed, or has the new content or the beginning of it.
func (mr *Merger) hasBegun(ctx context.Context, path string, c revision.Change, to string) (bool, error) {
	info, err := os.Lstat(path)
	if layout.Absent(err) {
		return true, nil
	}
	// Content at the path of a removal is not what git has done.
	if err != nil || c.Status == 'D' || info.IsDir() {
		return false, err
	}
	want, err := mr.Revs.ReadFile(ctx, to, c.Path)
	if err != nil {
		return false, err
	}
	var have []byte
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		return target == string(want), err
	}
	if have, err = os.ReadFile(path); err != nil {
		return false, err
	}
	// A checkout may have written other line ends, and on a full disk only the beginning.
	return bytes.HasPrefix(withoutCR(want), withoutCR(have)), nil
}

// withoutCR is a text without the line ends that a checkout may have added.
func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// removeEmpty removes a folder and those above it, up to the worktree, as long as they are empty.
func removeEmpty(top, dir string) {
	// Remove fails for a folder with anything in it, which ends the loop.
	for dir != top && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}
