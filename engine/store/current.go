package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"chant/engine/spec"
	"chant/gitops"
	"chant/markdown"
)

// source is where the versions of specs are read from: the files themselves, or what the index knows of them.
type source interface {
	// home returns home's copy of a spec. Error: fs.ErrNotExist without a file.
	readHome(ctx context.Context, id string) (*spec.Spec, error)
	// at returns the active spec of a revision. Errors: gitops.ErrNotFound, *markdown.SyntaxError.
	readAt(ctx context.Context, rev, id string) (*spec.Spec, error)
	// branches maps the ids of specs with a run's branch to its tip.
	branches(ctx context.Context) (map[string]string, error)
}

// fileSource reads and parses the files.
type fileSource struct{ *Store }

func (f fileSource) readHome(_ context.Context, id string) (*spec.Spec, error) {
	return withoutFile(f.ReadHome(id))
}

func (f fileSource) readAt(ctx context.Context, rev, id string) (*spec.Spec, error) {
	return withoutFile(f.ReadAt(ctx, rev, id))
}

// withoutFile returns a copy of the spec, because a pointer into the file would keep its document in memory.
func withoutFile(f *spec.File, err error) (*spec.Spec, error) {
	if err != nil {
		return nil, err
	}
	s := f.Spec
	return &s, nil
}

// current finds the current versions of specs.
type current struct {
	*Store
	from source
	away string // the target as a revision if home has another branch checked out, "" if home has the target
}

// read reads a spec from the caller's own run, from the tip of its branch, or
// from home, in this order. If home has another branch than the target, landed specs are read from the
// target, since the branch in home may be older. tip is the tip of the branch of its run, "" without one.
func (c current) read(ctx context.Context, id, tip string) (*spec.Spec, error) {
	// An agent sees its own uncommitted edits, so the worktree of its run comes before the tip of the branch.
	if c.run == id && id != "" {
		if got, err := c.readRunCopy(id); !errors.Is(err, fs.ErrNotExist) {
			return got, err
		}
	}
	home, homeErr := c.from.readHome(ctx, id)
	// The spec may land on a branch of its own, which then counts as the target.
	if home != nil && home.Fields.Onto != "" && home.Fields.Onto != c.Target {
		var err error
		if c.away, err = c.branchRevision(ctx, home.Fields.Onto); err != nil {
			return nil, err
		}
	}
	if tip == "" {
		// Home has another branch checked out, whose copy may be older than what has landed on the target.
		if c.away != "" && homeErr == nil && home.Status != spec.Completed {
			return c.landedOrHome(ctx, home, c.away)
		}
		return home, homeErr
	}
	got, err := c.from.readAt(ctx, tip, id)
	// If git ignores .chant, the branch has no spec: home's copy is the current version, but its work is on the branch.
	if errors.Is(err, gitops.ErrNotFound) {
		if home != nil {
			home.Branch, home.Landed = c.Branch(id), false
			if err := c.adoptOnBranch(ctx, home, tip); err != nil {
				return nil, err
			}
		}
		return home, homeErr
	}
	// Line numbers are those of the branch's copy, which home's path would not show.
	if broken, ok := errors.AsType[*markdown.SyntaxError](err); ok {
		return nil, &markdown.SyntaxError{Path: c.Branch(id) + ":" + broken.Path, Line: broken.Line, Msg: broken.Msg}
	}
	if err != nil {
		return nil, err
	}
	got.Branch, got.Home, got.Path = c.Branch(id), home, c.Branch(id)+":"+SpecPath(id)
	// Completed on its branch does not mean landed: the target must have it as completed too.
	if got.Landed {
		got.Landed, err = c.hasLanded(ctx, got)
	}
	return got, err
}

// adoptOnBranch gives home's copy of a spec, whose branch has no copy because git ignores .chant, the folder as the branch
// has it.
func (c current) adoptOnBranch(ctx context.Context, home *spec.Spec, tip string) error {
	if c.run != home.ID {
		return adoptAt(ctx, c.Store, tip, home)
	}
	adoptFrom(c.Store, c.Tree(home.ID), home)
	return nil
}

// readRunCopy reads the copy of the caller's own run. Error: fs.ErrNotExist if its worktree has no readable file.
func (c current) readRunCopy(id string) (*spec.Spec, error) {
	path := SpecPath(id)
	src, err := c.ReadTree(c.Tree(id), path)
	// A worktree without a readable copy does not hide the version on the branch.
	if err != nil {
		return nil, fs.ErrNotExist
	}
	got, err := c.Parse(id, path, src)
	if err != nil {
		return nil, err
	}
	AdoptFrom(c.Store, c.Tree(id), got)
	got.Branch, got.Landed = c.Branch(id), false
	return &got.Spec, nil
}

// landedOrHome returns the spec of a revision if it is completed there, otherwise that of
// home.
func (c current) landedOrHome(ctx context.Context, home *spec.Spec, rev string) (*spec.Spec, error) {
	there, err := c.from.readAt(ctx, rev, home.ID)
	// A broken copy on the target proves nothing, so home's counts.
	if _, unreadable := errors.AsType[*markdown.SyntaxError](err); unreadable || errors.Is(err, gitops.ErrNotFound) {
		return home, nil
	}
	if err == nil && there.Status != spec.Completed {
		return home, nil
	}
	return there, err
}

// hasLanded reports whether the spec is completed on the target's tip, in its place or archived, with as many replays as in
// its run.
func (c current) hasLanded(ctx context.Context, of *spec.Spec) (bool, error) {
	// Home's files do not count, since they may have uncommitted content.
	rev := "refs/heads/" + cmp.Or(of.Fields.Onto, c.Store.Target)
	if cmp.Or(of.Fields.Onto, c.Store.Target) == "" {
		head, err := c.repo.Head(ctx, c.Store.home)
		if err != nil {
			return false, err
		}
		rev = head.Hash
	}
	return c.completedAt(ctx, of, rev)
}

// completedAt reports whether a spec is completed in a revision, with as many replays.
func (c current) completedAt(ctx context.Context, of *spec.Spec, rev string) (bool, error) {
	there, err := c.from.readAt(ctx, rev, of.ID)
	if errors.Is(err, gitops.ErrNotFound) {
		// Work that has landed may have been archived since.
		there, err = withoutFile(c.FindAt(ctx, rev, of.ID))
	}
	if _, unreadable := errors.AsType[*markdown.SyntaxError](err); unreadable || errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	// A replay completes the same spec again: an older completion on the target is not its landing.
	return err == nil && there.Status == spec.Completed && there.Fields.Replays >= of.Fields.Replays, err
}
