package gitindex

import (
	"context"
	"errors"
	"fmt"
	"path"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
)

// Stage sets the entries of the edited paths, wherever the target is checked out, to what
// the coming commit holds. It is done before the ref moves, so that an end of this process in
// between leaves our change staged, not its reversal. Also with an error it returns the
// worktrees in which something may have been written, for Unstage.
func (x *Index) Stage(ctx context.Context, t Target, edits []objectstore.Edit) (staged []layout.Place, err error) {
	all, err := x.checkedOut(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		err := x.stageEntries(ctx, p, edits)
		// With a contended lock nothing was written there, so there is nothing to put back.
		if !gitexec.Contended(err) {
			staged = append(staged, p)
		}
		if err != nil {
			return staged, err
		}
	}
	return staged, nil
}

// stageEntries sets the entries in one worktree, whatever its files are.
func (x *Index) stageEntries(ctx context.Context, p layout.Place, edits []objectstore.Edit) error {
	if err := x.writeEntries(ctx, p, edits); err != nil {
		return err
	}
	// Entries without a file would show as deleted in a sparse worktree.
	_, absent := onDisk(p, edits)
	return x.keepSparse(ctx, p, absent)
}

// Unstage puts what staging may have replaced back to what the target holds, also when ctx
// has ended, and returns why, with what went wrong here.
func (x *Index) Unstage(ctx context.Context, t Target, staged []layout.Place, edits []objectstore.Edit, why error) error {
	// A canceled commit leaves indexes that need to be put back all the same.
	ctx = context.WithoutCancel(ctx)
	for _, p := range staged {
		held, err := x.entriesToRestore(ctx, p, t.Ref, edits)
		if err == nil {
			err = x.setEntries(ctx, p, held)
		}
		if err != nil {
			why = fmt.Errorf("%w; the index of %q keeps what was not committed: %w", why, p.Top, err)
		}
	}
	return why
}

// entriesToRestore is what the ref holds at the edited paths, and, as an entry for a file replaces
// those for a folder of its name and the other way round, below and above them.
func (x *Index) entriesToRestore(ctx context.Context, p layout.Place, ref string, edits []objectstore.Edit) ([]objectstore.Edit, error) {
	tip, err := x.Refs.Tip(ctx, p, ref)
	if err != nil {
		return nil, err
	}
	var none, held []objectstore.Edit
	for _, e := range edits {
		none = append(none, objectstore.Edit{Path: e.Path})
		entry, err := x.Revs.Entry(ctx, tip, e.Path)
		at := e.Path
		// An entry for a file replaces those for a folder of its name above it, so what the ref holds there was lost too.
		for errors.Is(err, layout.ErrNotFound) && e.Hash != "" && path.Dir(at) != "." {
			at = path.Dir(at)
			entry, err = x.Revs.Entry(ctx, tip, at)
		}
		switch {
		case errors.Is(err, layout.ErrNotFound):
		case err != nil:
			return nil, err
		case !entry.Dir:
			held = append(held, objectstore.Edit{Path: at, Mode: entry.Mode, Hash: entry.Hash})
		// The other way round, a file in place of a folder took all that was in it.
		case at == e.Path && e.Hash != "":
			if held, err = x.appendFiles(ctx, held, entry.Hash, at); err != nil {
				return nil, err
			}
		}
	}
	// The removals come first: git refuses a file and a folder of one name in an index.
	return append(none, held...), nil
}

// appendFiles appends every file of a tree that lies at folder.
func (x *Index) appendFiles(ctx context.Context, held []objectstore.Edit, tree, folder string) ([]objectstore.Edit, error) {
	entries, err := x.Objects.ReadTree(ctx, tree)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		at := folder + "/" + e.Name
		if !e.Dir {
			held = append(held, objectstore.Edit{Path: at, Mode: e.Mode, Hash: e.Hash})
		} else if held, err = x.appendFiles(ctx, held, e.Hash, at); err != nil {
			return nil, err
		}
	}
	return held, nil
}

// Target is what a commit moves: a ref, or with "HEAD" the detached head of a worktree.
type Target struct {
	layout.Place
	Ref string
}

// checkedOut lists the worktrees that have the target checked out.
func (x *Index) checkedOut(ctx context.Context, t Target) ([]layout.Place, error) {
	if t.Ref == "HEAD" {
		return []layout.Place{t.Place}, nil
	}
	all, err := x.Site.Places()
	if err != nil {
		return nil, err
	}
	var those []layout.Place
	for _, p := range all {
		head, err := x.Refs.HeadOf(ctx, p)
		if err != nil || layout.Heads+head.Branch != t.Ref || !x.Site.MayHave(p, head.Branch) {
			// It is unborn, gone, or has something else checked out.
			continue
		}
		those = append(those, p)
	}
	return those, nil
}
