package worktrees

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// ErrCheckedOut says that a branch is checked out in another worktree.
var ErrCheckedOut = errors.New("the branch is checked out in another worktree")

// Add checks out an existing branch at path, which must not exist or be empty.
func (t *Trees) Add(ctx context.Context, path, branch string) error {
	if err := layout.ValidBranch(branch); err != nil {
		return err
	}
	if _, err := t.Refs.Read(ctx, layout.Heads+branch); err != nil {
		return err
	}
	defer t.Turns.Adding(ctx)()
	if done, err := t.create(ctx, path, branch, "ref: "+layout.Heads+branch); done || err != nil {
		return err
	}
	return t.add(ctx, path, "--", layout.RealPath(path), branch)
}

// AddDetached checks out a commit at path, on no branch.
func (t *Trees) AddDetached(ctx context.Context, path, commit string) error {
	hash, err := t.Revs.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	defer t.Turns.Adding(ctx)()
	if done, err := t.create(ctx, path, "", hash); done || err != nil {
		return err
	}
	return t.add(ctx, path, "--detach", "--", layout.RealPath(path), hash)
}

func (t *Trees) add(ctx context.Context, path string, args ...string) error {
	known, err := t.Registered(ctx, path)
	if err != nil {
		return err
	}
	if known != nil && !known.Locked && gone(known.Path) {
		if err := t.unregister(ctx, known.Path, false); err != nil {
			return err
		}
	}
	args = append([]string{"worktree", "add", "-q"}, args...)
	_, err = t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: args, Limit: gitexec.LongLimit})
	var failed *gitexec.Error
	if errors.As(err, &failed) && (strings.Contains(failed.Stderr, "already checked out at") || strings.Contains(failed.Stderr, "already used by worktree")) {
		return fmt.Errorf("%w: %w", ErrCheckedOut, err)
	}
	return err
}
