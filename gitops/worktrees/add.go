package worktrees

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitconfig"
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
	if done, err := t.create(ctx, path, branch, "ref: "+layout.Heads+branch, false); done || err != nil {
		return err
	}
	return t.add(ctx, path, gitexec.Call{}, "--", layout.RealPath(path), branch)
}

// AddDetached checks out a commit at path, on no branch, with the files as the commit alone has them, whatever settings
// would make of them.
func (t *Trees) AddDetached(ctx context.Context, path, commit string) error {
	hash, err := t.Revs.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	defer t.Turns.Adding(ctx)()
	if done, err := t.create(ctx, path, "", hash, true); done || err != nil {
		return err
	}
	how := gitexec.Call{}
	how.Settings, how.Env = gitconfig.Faithful()
	return t.add(ctx, path, how, "--detach", "--", layout.RealPath(path), hash)
}

// add has git add a worktree, with the settings and variables of how.
func (t *Trees) add(ctx context.Context, path string, how gitexec.Call, args ...string) error {
	known, err := t.Registered(ctx, path)
	if err != nil {
		return err
	}
	if known != nil && !known.Locked && gone(known.Path) {
		if err := t.unregister(ctx, known.Path, false); err != nil {
			return err
		}
	}
	how.Dir, how.Args, how.Limit = t.Site.Home, append([]string{"worktree", "add", "-q"}, args...), gitexec.LongLimit
	_, err = t.Git.Retry(ctx, how)
	var failed *gitexec.Error
	if errors.As(err, &failed) && (strings.Contains(failed.Stderr, "already checked out at") || strings.Contains(failed.Stderr, "already used by worktree")) {
		return fmt.Errorf("%w: %w", ErrCheckedOut, err)
	}
	return err
}
