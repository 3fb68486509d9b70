package gitops

import (
	"context"
	"errors"
	"fmt"
	"path"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// stage sets the entries of the edited paths, wherever the target is checked out, to what
// the coming commit holds. It is done before the ref moves, so that whatever ends us in
// between leaves our change staged, not its reversal. Also with an error it returns the
// worktrees in which something may have been written, for unstage.
func (r *Repo) stage(ctx context.Context, t target, edits []edit) ([]layout.Place, error) {
	all, err := r.checkedOut(ctx, t)
	if err != nil {
		return nil, err
	}
	for i, p := range all {
		err := r.writeEntries(ctx, p, edits)
		if gitexec.Contended(err) {
			return all[:i], err // the lock was never ours, so nothing was written there
		}
		if err == nil {
			_, absent := onDisk(p, edits)
			err = r.keepSparse(ctx, p, absent)
		}
		if err != nil {
			return all[:i+1], err
		}
	}
	return all, nil
}

// unstage puts what staging may have replaced back to what the target holds, also when ctx
// has ended, and returns why, with what went wrong here.
func (r *Repo) unstage(ctx context.Context, t target, staged []layout.Place, edits []edit, why error) error {
	ctx = context.WithoutCancel(ctx)
	for _, p := range staged {
		held, err := r.replaced(ctx, p, t.ref, edits)
		if err == nil {
			err = r.setEntries(ctx, p, held)
		}
		if err != nil {
			why = fmt.Errorf("%w; the index of %q keeps what was not committed: %w", why, p.Top, err)
		}
	}
	return why
}

// replaced is what the ref holds at the edited paths, and, as an entry for a file replaces
// those for a folder of its name and the other way round, below and above them.
func (r *Repo) replaced(ctx context.Context, p layout.Place, ref string, edits []edit) ([]edit, error) {
	tip, err := r.tip(ctx, p, ref)
	if err != nil {
		return nil, err
	}
	var none, held []edit
	for _, e := range edits {
		none = append(none, edit{path: e.path})
		entry, err := r.find(ctx, tip, e.path)
		at := e.path
		for errors.Is(err, ErrNotFound) && e.hash != "" && path.Dir(at) != "." {
			at = path.Dir(at)
			entry, err = r.find(ctx, tip, at)
		}
		switch {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			return nil, err
		case !entry.Dir:
			held = append(held, edit{path: at, mode: entry.Mode, hash: entry.Hash})
		case at == e.path && e.hash != "":
			if held, err = r.below(ctx, held, entry.Hash, at); err != nil {
				return nil, err
			}
		}
	}
	return append(none, held...), nil
}

// below appends every file of a tree that lies at folder.
func (r *Repo) below(ctx context.Context, held []edit, tree, folder string) ([]edit, error) {
	entries, err := r.readTree(ctx, tree)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		at := folder + "/" + e.Name
		if !e.Dir {
			held = append(held, edit{path: at, mode: e.Mode, hash: e.Hash})
		} else if held, err = r.below(ctx, held, e.Hash, at); err != nil {
			return nil, err
		}
	}
	return held, nil
}
