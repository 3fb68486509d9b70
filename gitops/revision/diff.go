package revision

import (
	"cmp"
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
	var changes []Change
	err = r.diffTrees(ctx, a, b, "", func(path string, old, now objectstore.Entry) {
		if c, differs := changeOf(path, old, now); differs {
			changes = append(changes, c)
		}
	})
	return changes, err
}

// diffTrees calls see for each file that is not the same entry in two trees at the path above, in git's order. An entry
// without a name is missing in its tree; "" means an empty tree.
func (r *Reader) diffTrees(ctx context.Context, from, to, above string, see func(path string, old, now objectstore.Entry)) error {
	before, err := r.treeOrEmpty(ctx, from)
	if err != nil {
		return err
	}
	after, err := r.treeOrEmpty(ctx, to)
	if err != nil {
		return err
	}
	for len(before) > 0 || len(after) > 0 {
		var old, now objectstore.Entry
		order := orderOf(before, after)
		if order <= 0 {
			old, before = before[0], before[1:]
		}
		if order >= 0 {
			now, after = after[0], after[1:]
		}
		path := above + cmp.Or(old.Name, now.Name)
		switch {
		// Equal folders are skipped as a whole, which makes the comparison as large as the change.
		case old == now:
		// Two entries of one name that differ are both folders, or git would order them apart.
		case old.Dir || now.Dir:
			if err := r.diffTrees(ctx, old.Hash, now.Hash, path+"/", see); err != nil {
				return err
			}
		default:
			see(path, old, now)
		}
	}
	return nil
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

// changeOf describes what differs between two entries of one path, of which one may be missing.
func changeOf(path string, old, now objectstore.Entry) (c Change, differs bool) {
	oldMode, mode := plainMode(old.Mode), plainMode(now.Mode)
	status := byte('M')
	switch {
	case old.Name == "":
		status = 'A'
	case now.Name == "":
		status = 'D'
	case old.Hash == now.Hash && oldMode == mode:
		return Change{}, false
	// The first digits are the kind of the entry: a file that became a link, not one with other permissions.
	case oldMode[:3] != mode[:3]:
		status = 'T'
	}
	return Change{
		Status: status, Path: path, Gitlink: mode == objectstore.ModeSubmodule, Link: mode == objectstore.ModeSymlink,
		WasGitlink: oldMode == objectstore.ModeSubmodule, WasLink: oldMode == objectstore.ModeSymlink,
		LostExecutable: oldMode == objectstore.ModeExecutable && mode == objectstore.ModeFile,
	}, true
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
// that it is a symbolic link; WasGitlink and WasLink say so of what it was. LostExecutable says that a program became a file
// that is none.
type Change struct {
	Status              byte
	Path                string
	Gitlink, WasGitlink bool
	Link, WasLink       bool
	LostExecutable      bool
}
