package place

import (
	"context"
	"errors"

	"chant/engine/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/gitops"
)

// Places makes the folders that criteria run in, restores them and removes them.
type Places struct {
	*attempt.Attempt
	Trees *tree.Trees
}

// Place is where something is judged.
type Place struct {
	Dir    string // the top of a worktree
	Commit string // what it has checked out unchanged, "" when that is not known
	Tree   string // of that commit

	Check *checkTree // nil where the worktree was not made for a check
}

// InPlace does something in a clean worktree of a commit, made for the purpose and
// removed again, or nowhere when nothing runs.
func (p *Places) InPlace(ctx context.Context, commit string, runs bool, do func(Place) error) error {
	at, err := p.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return err
	}
	if !runs {
		return do(Place{Commit: at.Hash, Tree: at.Tree})
	}
	return p.inTree(ctx, Place{Commit: at.Hash, Tree: at.Tree}, do)
}

// Untouched checks that what ran in a place has changed no tracked file there, nor what is checked
// out: it would not have judged what is committed. What else it left there is removed.
func (p *Places) Untouched(ctx context.Context, at Place) error {
	if at.Check == nil {
		return nil
	}
	for _, t := range append([]*checkTree{at.Check}, at.Check.beside...) {
		if err := t.restore(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Clean restores a place and reports whether it then is as it was made: only then it is good for
// another spec.
func (p *Places) Clean(ctx context.Context, at Place) (bool, error) {
	err := p.Untouched(ctx, at)
	var f *journal.Failure
	if errors.As(err, &f) && f.Kind.FailsVerification() {
		return false, nil
	}
	return err == nil, err
}

// ChangedIn names what in a place is not as its commit has it: what is checked out, and
// files, those that git does not know only with fresh.
func (p *Places) ChangedIn(ctx context.Context, at Place, fresh bool) ([]string, error) {
	head, err := p.Repo.Head(ctx, at.Dir)
	if !p.Whole(at.Dir) || errors.Is(err, gitops.ErrNotRepository) {
		return []string{"the folder is no longer a worktree of this repository"}, nil
	}
	if err != nil {
		return nil, err
	}
	changes, err := p.Repo.Status(ctx, at.Dir)
	if err != nil {
		return nil, err
	}
	out, err := p.Repo.Hidden(ctx, at.Dir)
	if err != nil {
		return nil, err
	}
	if head.Hash != at.Commit {
		out = append(out, "HEAD moved to "+attempt.Short(head.Hash))
	}
	for _, c := range changes {
		if fresh || c.Code != "??" {
			out = append(out, c.Path)
		}
	}
	return out, nil
}
