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

// RepairWorktree connects the repository again with the worktree of a branch that was moved along with it, from the path
// that is registered to path. It does nothing where the registered one exists, or where no worktree is at path.
func RepairWorktree(ctx context.Context, r *Repo, path, branch string) error {
	return r.trees.Repair(ctx, path, branch)
}

// Unfaithful lists the settings in force that would change what AddDetached writes if it heeded them, each as
// "key=value", and a file of attributes of the user.
func Unfaithful(ctx context.Context, r *Repo) ([]string, error) { return r.config.Unfaithful(ctx) }

// Attach puts the worktree at dir, which has the tip of a branch checked out, on that
// branch. Errors: ErrNotRepository, ErrNotFound, ErrChanged when it is not at the tip.
func (r *Repo) Attach(ctx context.Context, dir, branch string) error {
	return r.trees.Attach(ctx, dir, branch)
}

// RemoveWorktree removes a worktree with all that it holds, locked or not, and its registration, also when one of them is
// gone already. A folder that is not registered is left alone, with an error.
func (r *Repo) RemoveWorktree(ctx context.Context, path string) error {
	return r.trees.Remove(ctx, path)
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
