package revision

import (
	"context"
	"strings"

	"chant/gitops/objectstore"
)

// Diff lists the paths in which two commits or trees differ, in git's order. It starts no
// process for what Resolve starts none for. Errors: ErrNotFound.
func (r *Reader) Diff(ctx context.Context, from, to string) ([]Change, error) {
	a, err := r.TreeOf(ctx, from)
	if err != nil {
		return nil, err
	}
	b, err := r.TreeOf(ctx, to)
	if err != nil {
		return nil, err
	}
	return r.diffTrees(ctx, nil, a, b, "")
}

// diffTrees appends the changes from one tree to another, both of them at the path above. ""
// stands for an empty tree.
func (r *Reader) diffTrees(ctx context.Context, changes []Change, from, to, above string) ([]Change, error) {
	if from == to {
		return changes, nil
	}
	before, err := r.treeOrEmpty(ctx, from)
	if err != nil {
		return nil, err
	}
	after, err := r.treeOrEmpty(ctx, to)
	if err != nil {
		return nil, err
	}
	for len(before) > 0 || len(after) > 0 {
		var old, now objectstore.Entry
		switch order := orderOf(before, after); {
		case order < 0:
			old, before = before[0], before[1:]
		case order > 0:
			now, after = after[0], after[1:]
		default:
			old, before, now, after = before[0], before[1:], after[0], after[1:]
		}
		if changes, err = r.diffEntries(ctx, changes, old, now, above); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// orderOf compares the first entries of two trees: negative where only the first tree has its
// entry, positive where only the second has.
func orderOf(before, after []objectstore.Entry) int {
	switch {
	case len(after) == 0:
		return -1
	case len(before) == 0:
		return 1
	}
	return strings.Compare(objectstore.SortName(before[0]), objectstore.SortName(after[0]))
}

// diffEntries appends what differs between two entries of one name, of which one may be missing.
func (r *Reader) diffEntries(ctx context.Context, changes []Change, old, now objectstore.Entry, above string) ([]Change, error) {
	path := above + old.Name
	if old.Name == "" {
		path = above + now.Name
	}
	oldMode, mode := plainMode(old.Mode), plainMode(now.Mode)
	status := byte('M')
	switch {
	case old.Dir || now.Dir: // two of one name are both folders
		return r.diffTrees(ctx, changes, old.Hash, now.Hash, path+"/")
	case old.Name == "":
		status = 'A'
	case now.Name == "":
		status = 'D'
	case old.Hash == now.Hash && oldMode == mode:
		return changes, nil
	case oldMode[:3] != mode[:3]:
		status = 'T'
	}
	return append(changes, Change{
		Status: status, Path: path, Gitlink: mode == objectstore.ModeSubmodule, Link: mode == objectstore.ModeSymlink,
		WasGitlink: oldMode == objectstore.ModeSubmodule, WasLink: oldMode == objectstore.ModeSymlink,
	}), nil
}

// plainMode is a mode as git writes it today: early versions stored more bits of files.
func plainMode(mode string) string {
	switch {
	case len(mode) != len(objectstore.ModeFile) || !strings.HasPrefix(mode, "100"):
		return mode
	case (mode[3]-'0')&1 != 0:
		return objectstore.ModeExecutable
	}
	return objectstore.ModeFile
}

// treeOrEmpty lists a tree, none for "".
func (r *Reader) treeOrEmpty(ctx context.Context, hash string) ([]objectstore.Entry, error) {
	if hash == "" {
		return nil, nil
	}
	return r.Objects.ReadTree(ctx, hash)
}

// Change is one path that differs: Status is 'A', 'M', 'D' or 'T'. A rename is a D and an A.
// Gitlink says that the path is now a commit of another repository, not a file, and Link
// that it is a symbolic link; WasGitlink and WasLink say so of what it was.
type Change struct {
	Status              byte
	Path                string
	Gitlink, WasGitlink bool
	Link, WasLink       bool
}
