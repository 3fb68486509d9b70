package place

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/gitops"
)

// Places creates the folders in which criteria run, restores them and removes them.
type Places struct {
	*attempt.Attempt
	Trees *tree.Trees
}

// Place is where criteria are checked.
type Place struct {
	Dir    string // the top of a worktree
	Commit string // what it has checked out, "" if unknown
	Tree   string // of that commit

	Check *checkTree // nil if the worktree was not created for a check
}

// InPlace runs do in a clean worktree of a commit, which it creates and removes; or without one if no command runs.
func (p *Places) InPlace(ctx context.Context, commit string, runs bool, do func(Place) error) error {
	at, err := p.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return err
	}
	if err := p.genuine(ctx, at.Hash); err != nil {
		return err
	}
	if !runs {
		return do(Place{Commit: at.Hash, Tree: at.Tree})
	}
	return p.inTree(ctx, Place{Commit: at.Hash, Tree: at.Tree}, do)
}

// Untouched checks that the commands in a place have changed no tracked file and not what is checked out: they would
// not have judged what is committed. Anything else that they left is removed.
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

// Clean restores a place and reports whether it then is as it was created: only then may it serve another spec.
func (p *Places) Clean(ctx context.Context, at Place) (bool, error) {
	err := p.Untouched(ctx, at)
	var f *journal.Failure
	if errors.As(err, &f) && f.Kind.FailsVerification() {
		return false, nil
	}
	return err == nil, err
}

// ChangedIn lists how a place differs from its commit: what is checked out, and changed files; with fresh also
// untracked files.
func (p *Places) ChangedIn(ctx context.Context, at Place, fresh bool) ([]string, error) {
	head, err := p.Repo.Head(ctx, at.Dir)
	if !p.Whole(at.Dir) || errors.Is(err, gitops.ErrNotRepository) {
		return []string{"the folder is no longer a worktree of this repository"}, nil
	}
	if err != nil {
		return nil, err
	}
	var changes []gitops.StatusEntry
	var statusErr error
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		changes, statusErr = p.Repo.FaithfulStatus(ctx, at.Dir)
	}()
	out, err := p.Repo.Hidden(ctx, at.Dir)
	<-asked
	if err := errors.Join(statusErr, err); err != nil {
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

// genuine checks that the objects of a commit, and of the commit with which the run began, have the content of their
// names: an agent can write to the files of objects that are in no pack.
func (p *Places) genuine(ctx context.Context, commit string) error {
	commits := []string{commit}
	if start := p.History.Trusted; start != nil && start.Commit != "" {
		commits = append(commits, start.Commit)
	}
	wrong, err := p.Repo.Replaced(ctx, commits...)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		return attempt.Tampered([]string{fmt.Sprintf("git's object %s, which commit %s or the start of its run has, was replaced by other content", wrong[0], attempt.Short(commit))})
	}
	return nil
}
