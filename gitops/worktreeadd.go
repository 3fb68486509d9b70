package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
)

// ErrCheckedOut says that a branch is checked out in another worktree.
var ErrCheckedOut = errors.New("the branch is checked out in another worktree")

// AddWorktree checks out an existing branch at path, which must not exist or be empty.
// Errors: ErrNotFound (branch), ErrCheckedOut.
func (t *Trees) AddWorktree(ctx context.Context, path, branch string) error {
	if err := layout.ValidBranch(branch); err != nil {
		return err
	}
	tip, err := t.Revs.Resolve(ctx, layout.Heads+branch)
	if err != nil {
		return err
	}
	// Before anything shows that a worktree is being added.
	if err := t.Revs.Objects.Secure(ctx, tip); err != nil {
		return err
	}
	done, err := t.create(ctx, path, branch, "ref: "+layout.Heads+branch, false)
	if !done && err == nil {
		err = t.add(ctx, path, gitexec.Call{}, "--", layout.RealPath(path), branch)
	}
	if err != nil {
		return err
	}
	// The hook comes last, as in git, since it may look at the files.
	return t.afterCheckout(ctx, layout.RealPath(path))
}

// AddDetached checks out a commit at path, on no branch. The files are as the commit alone has them: no setting of the
// user about links, line ends, attributes or sparse checkouts changes them. Errors: ErrNotFound.
func (t *Trees) AddDetached(ctx context.Context, path, commit string) error {
	hash, err := t.Revs.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	if err := t.Revs.Objects.Secure(ctx, hash); err != nil {
		return err
	}
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
	// Git refuses a path that is registered, also if the worktree is gone.
	if known != nil && !known.Locked && isMissing(known.Path) {
		if err := t.unregister(ctx, known.Path); err != nil {
			return err
		}
	}
	// Git registers the worktree from the person's checkout, and writes its files from the worktree itself, where nothing of
	// a branch that it runs or reads reaches further: filters, attributes.
	_, err = t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: append([]string{"worktree", "add", "-q", "--no-checkout"}, args...)})
	if err == nil {
		err = t.writeFiles(ctx, layout.RealPath(path), "HEAD", how)
	}
	var failed *gitexec.Error
	if errors.As(err, &failed) && (strings.Contains(failed.Stderr, "already checked out at") || strings.Contains(failed.Stderr, "already used by worktree")) {
		return fmt.Errorf("%w: %w", ErrCheckedOut, err)
	}
	return err
}

// RepairWorktree connects the repository with the worktree of a branch that was moved along with it: both know each other by paths
// that no longer exist. It does nothing where the registered path exists, or where no worktree is at path.
func (t *Trees) RepairWorktree(ctx context.Context, path, branch string) error {
	top, moved := layout.RealPath(path), false
	for place, gitDir := range t.Site.Registrations() {
		// The list of worktrees leaves such a folder out: what it says is not true.
		c := t.Site.Claim(gitDir, top)
		moved = moved || c.Right && c.Branch == branch && place != top && isMissing(place)
	}
	info, err := os.Lstat(filepath.Join(path, ".git"))
	// Git would write through a link.
	if !moved || err != nil || !info.Mode().IsRegular() {
		// There is no worktree.
		return nil //nolint:nilerr
	}
	if _, err := t.Site.Place(path); err == nil {
		// It belongs to this repository or to another one, and is where that says.
		return nil
	}
	_, err = t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: []string{"worktree", "repair", "--", path}})
	return err
}

// SwitchDetached brings HEAD, index and files of a worktree that AddDetached has made to another commit. What is changed in
// tracked files is lost. Errors: ErrNotFound, ErrNotRepository.
func (t *Trees) SwitchDetached(ctx context.Context, path, commit string) error {
	p, err := t.Site.Place(path)
	if err != nil {
		return err
	}
	hash, err := t.Revs.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	if err := t.Revs.Objects.Secure(ctx, hash); err != nil {
		return err
	}
	how := gitexec.Call{}
	how.Settings, how.Env = gitconfig.Faithful()
	return t.writeFiles(ctx, p.Top, hash, how)
}

// writeFiles has git write the files of a commit to a worktree, with the settings and variables of how. The caller has secured
// the commit.
func (t *Trees) writeFiles(ctx context.Context, top, commit string, how gitexec.Call) error {
	// The files are written from the worktree itself, where nothing of a branch reaches further: filters, attributes.
	how.Dir, how.Args, how.Limit = top, []string{"reset", "--hard", "--no-recurse-submodules", "-q", commit}, gitexec.LongLimit
	_, err := t.Git.Retry(ctx, how)
	return err
}

// afterCheckout runs the person's hook for a new worktree, as "git worktree add" does. A folder of hooks that lies in the
// checkout is not the person's alone: the worktree has its own version of it, which is not run.
func (t *Trees) afterCheckout(ctx context.Context, top string) error {
	// A link may lead into the checkout.
	hooks := layout.RealPath(filepath.Join(t.Site.Common, "hooks"))
	if how, err := t.Config.Summary(ctx); err != nil || how.HooksElsewhere {
		out, err := t.Git.Run(ctx, gitexec.Call{Dir: t.Site.Home, Args: []string{"rev-parse", "--git-path", "hooks"}})
		if err != nil {
			return err
		}
		hooks = layout.RealPath(layout.Resolve(t.Site.Home, strings.TrimRight(string(out), "\r\n")))
	}
	// The worktree has its own version of a folder of hooks that lies in the checkout, and an agent may have written it.
	if isWithin(t.Site.Home, hooks) && !isWithin(t.Site.Common, hooks) {
		return nil
	}
	if _, err := os.Stat(filepath.Join(hooks, "post-checkout")); err != nil {
		// There is none that could run.
		return nil //nolint:nilerr
	}
	tip, err := t.Refs.HeadOf(ctx, layout.Place{Top: top, GitDir: t.Site.AdminDir(top)})
	if err != nil {
		return err
	}
	// A new worktree comes from no commit, for which git passes zeros.
	none := strings.Repeat("0", len(tip.Hash))
	return t.Git.After(ctx, "post-checkout", gitexec.Call{Dir: top, Hooks: hooks, Args: []string{none, tip.Hash, "1"}})
}

// isWithin reports whether a path is a folder or below it.
func isWithin(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, folder+string(filepath.Separator))
}

// Attach puts the worktree at dir, which has the tip of a branch checked out, on that
// branch. Errors: ErrNotRepository, ErrNotFound, ErrChanged when it is not at the tip.
func (t *Trees) Attach(ctx context.Context, dir, branch string) error {
	p, err := t.Site.Place(dir)
	if err != nil {
		return err
	}
	if err := layout.ValidBranch(branch); err != nil {
		return err
	}
	tip, err := t.Refs.Read(ctx, layout.Heads+branch)
	if err != nil {
		return err
	}
	head, err := t.Refs.HeadOf(ctx, p)
	if err != nil {
		return err
	}
	// The files are those of another commit, and every difference would show as a change of the worktree.
	if head.Hash != tip {
		return fmt.Errorf("%q is not at the tip of %q: %w", p.Top, branch, refstore.ErrChanged)
	}
	_, err = t.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"symbolic-ref", "HEAD", layout.Heads + branch}})
	return err
}
