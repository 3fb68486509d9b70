package gitops

import (
	"context"

	"chant/gitops/gitexec"
	"chant/gitops/worktrees"
)

// Worktree is one folder in which something is checked out.
type Worktree = worktrees.Worktree

// Worktrees lists the registered worktrees, the main one first; paths have no symbolic links.
// It starts no process, unless git stores the repository's refs in a form of its own.
func (r *Repo) Worktrees(ctx context.Context) ([]Worktree, error) {
	return r.trees.List(ctx)
}

// AddWorktree checks out an existing branch at path, which must not exist or be empty.
// Errors: ErrNotFound (branch), worktrees.ErrCheckedOut.
func (r *Repo) AddWorktree(ctx context.Context, path, branch string) error {
	return r.trees.Add(ctx, path, branch)
}

// AddDetached checks out a commit at path, on no branch. The files are as the commit alone has them: no setting of the
// user about links, line ends, attributes or sparse checkouts changes them. Errors: ErrNotFound.
func (r *Repo) AddDetached(ctx context.Context, path, commit string) error {
	return r.trees.AddDetached(ctx, path, commit)
}

// Unfaithful lists the settings in force that would change what AddDetached writes if it heeded them, each as
// "key=value", and a file of attributes of the user.
func Unfaithful(ctx context.Context, r *Repo) ([]string, error) { return r.config.Unfaithful(ctx) }

// MoveWorktree moves a worktree and its registration, locked or not, to a path where
// nothing is but an empty folder. A crash can leave it at the new path, registered at
// the old. Errors: ErrNotRepository, fs.ErrExist.
func (r *Repo) MoveWorktree(ctx context.Context, from, to string) error {
	return r.trees.Move(ctx, from, to)
}

// RepairWorktree registers a worktree where it stands, if a move that was killed has left
// it registered elsewhere, and reports whether it had to. A folder that is none, or whose
// ".git" leads to the registration of another, is left alone.
func (r *Repo) RepairWorktree(ctx context.Context, path string) (bool, error) {
	return r.trees.Repair(ctx, path)
}

// Attach puts the worktree at dir, which has the tip of a branch checked out, on that
// branch. Errors: ErrNotRepository, ErrNotFound, ErrChanged when it is not at the tip.
func (r *Repo) Attach(ctx context.Context, dir, branch string) error {
	return r.trees.Attach(ctx, dir, branch)
}

// SwitchTree gives the linked worktree at dir another commit, on no branch: tracked files
// become those of the commit, only differing ones are written; what is neither tracked
// nor ignored goes, repositories inside it too; ignored files stay. Afterwards git sees
// a clean worktree, or the error is worktrees.ErrUnclean. Errors: ErrNotFound, ErrNotRepository.
func (r *Repo) SwitchTree(ctx context.Context, dir, commit string) error {
	return r.trees.Switch(ctx, dir, commit)
}

// RenewTree gives the linked worktree at dir, on which SwitchTree was used, the files of a commit, on no branch, as if it
// was new: content decides whether a file stays, not what git remembers of it, and ignored files go too. Errors as
// SwitchTree, and worktrees.ErrOtherCheckout.
func (r *Repo) RenewTree(ctx context.Context, dir, commit string) error {
	return r.trees.Renew(ctx, dir, commit)
}

// Particular says what is particular to the worktree at dir, so that it could hide
// changes from git or fit another commit badly: settings of its own, a sparse checkout,
// flags in its index, submodules, something that was not ended. "" when there is nothing. Errors: ErrNotRepository.
func (r *Repo) Particular(ctx context.Context, dir string) (string, error) {
	return r.trees.Particular(ctx, dir)
}

// RemoveWorktree removes a worktree and its registration, also when one of them is gone
// already. Without force git refuses one that is locked or holds work; a folder that is
// not registered is left alone, with an error.
func (r *Repo) RemoveWorktree(ctx context.Context, path string, force bool) error {
	return r.trees.Remove(ctx, path, force)
}

// PruneWorktrees forgets the worktrees whose folders are gone and that are not locked. It
// takes turns with AddWorktree and AddDetached, also those of other processes.
func (r *Repo) PruneWorktrees(ctx context.Context) error {
	return r.trees.Prune(ctx)
}

// RemoveUntracked removes what the worktree at dir holds that is neither tracked nor
// ignored; repositories inside it stay. Errors: ErrNotRepository.
func (r *Repo) RemoveUntracked(ctx context.Context, dir string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"clean", "-q", "-f", "-d"}, Limit: gitexec.LongLimit})
	return err
}
