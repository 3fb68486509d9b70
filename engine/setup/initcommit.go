package setup

import (
	"context"
	"errors"
	"os"
	"slices"

	"chant/gitops"
)

// makeFirstCommit creates the first commit of a branch, without files, because a run needs a commit to start from.
func (i *initializer) makeFirstCommit(ctx context.Context) (err error) {
	i.result.First, err = i.repo.FirstCommit(ctx, i.branch, firstMessage)
	return err
}

// dropFirstCommit removes the first commit.
func (i *initializer) dropFirstCommit(ctx context.Context) error {
	if i.result.First == "" {
		return nil
	}
	first := i.result.First
	i.result.First = ""
	return i.repo.DeleteCheckedOut(context.WithoutCancel(ctx), i.branch, first)
}

// headOf returns what the repository has checked out, and whether it has no commit yet.
func headOf(ctx context.Context, repo *gitops.Repo) (head gitops.Head, unborn bool, err error) {
	head, err = repo.Head(ctx, repo.Home())
	if errors.Is(err, gitops.ErrUnborn) && head.Branch != "" {
		return head, true, nil
	}
	return head, false, err
}

// commit commits exactly what was made or changed.
func (i *initializer) commit(ctx context.Context) error {
	var paths []string
	for _, f := range i.files {
		paths = append(paths, f.Path)
	}
	ignored, err := i.repo.Ignored(ctx, paths...)
	if err != nil {
		return err
	}
	tracked := slices.DeleteFunc(i.files, func(f gitops.File) bool { return ignored[f.Path] })
	if len(tracked) == 0 {
		return nil
	}
	hash, changed, err := i.repo.CommitFiles(ctx, gitops.CommitOptions{
		Dir: i.repo.Home(), Files: tracked, Message: "chant: init\n\nChant-Event: init\n",
	})
	if changed {
		i.result.Commit = hash
	}
	return err
}

// removeMade undoes the writes after the commit failed.
func (i *initializer) removeMade() error {
	var errs []error
	for _, e := range i.undo {
		errs = append(errs, e.restore(i.repo.Home()))
	}
	for _, f := range i.files {
		written := slices.ContainsFunc(i.undo, func(e *agentEdit) bool { return e.name == f.Path })
		if !written && slices.Contains(i.result.Made, f.Path) {
			errs = append(errs, os.Remove(i.path(f.Path)))
		}
	}
	i.result.Made = []string{}
	return errors.Join(errs...)
}
