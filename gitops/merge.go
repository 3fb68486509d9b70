package gitops

import (
	"context"

	"chant/gitops/merging"
)

// Merge is a computed merge: with conflicts, Tree holds files with conflict markers.
type Merge = merging.Merge

// Conflict is a path that did not merge.
type Conflict = merging.Conflict

// MergeTree merges two commits without any working tree; conflicts are data, not an
// error. Spec files (attribute merge=chant-spec) come out as conflicts rather than run
// the configured driver. *ConflictError where the histories are unrelated.
func (r *Repo) MergeTree(ctx context.Context, ours, theirs string) (Merge, error) {
	return r.merger.Trees(ctx, ours, theirs)
}

// MergeFile merges three versions of one file line by line. conflict tells that the
// result holds conflict markers.
func (r *Repo) MergeFile(ctx context.Context, base, ours, theirs []byte) (merged []byte, conflict bool, err error) {
	return r.merger.File(ctx, base, ours, theirs)
}

// BeginMerge merges commit into what the worktree at dir has checked out and stops before
// it commits, so that ConcludeMerge or Abort has to follow. conflicts lists the paths
// that hold both sides now, sorted. Local changes in the way are a *ConflictError, with
// nothing changed. Errors: ErrNotFound, ErrNotRepository.
func (r *Repo) BeginMerge(ctx context.Context, dir, commit string) (conflicts []string, err error) {
	return r.merger.Begin(ctx, dir, commit)
}

// ConcludeMerge commits the merge under way in the worktree at dir with all that lies
// there, whatever git still takes for unmerged, and returns the commit; "" when no merge is
// under way. Errors: ErrNotRepository.
func (r *Repo) ConcludeMerge(ctx context.Context, dir, message string) (string, error) {
	return r.merger.Conclude(ctx, dir, message)
}

// Abort puts the worktree at dir back to where it was before the merge or rebase under way
// there; what was changed since is lost. Without one it does nothing. Errors:
// ErrNotRepository.
func (r *Repo) Abort(ctx context.Context, dir string) error {
	return r.merger.Abort(ctx, dir)
}

// Unmerged lists the paths with unmerged index entries in the worktree at dir, sorted;
// underway is "merge", "rebase", "cherry-pick" or "revert" when one has begun there and not
// ended, also with no path left unmerged, and "" otherwise. Errors: ErrNotRepository.
func (r *Repo) Unmerged(ctx context.Context, dir string) (paths []string, underway string, err error) {
	return r.merger.Unmerged(ctx, dir)
}

// Rebase replays the commits since base of the branch that is checked out at dir on top of
// onto, without the hooks that may refuse it. Where one does not apply, branch and worktree are
// put back as they were, and conflicts lists the paths, sorted. Local changes in the way
// are a *ConflictError. Errors: ErrNotFound, ErrNotRepository.
func (r *Repo) Rebase(ctx context.Context, dir, base, onto string) (conflicts []string, err error) {
	return r.merger.Rebase(ctx, dir, base, onto)
}

// Rebasing finds the worktree, home or linked, in which a rebase of branch (a short name)
// is under way: its HEAD is detached then, so that no list of worktrees names the branch.
// path is the top of that worktree. It starts no process.
func (r *Repo) Rebasing(branch string) (path string, found bool, err error) {
	return r.merger.Rebasing(branch)
}

// FastForward moves the branch checked out at dir, with index and files, to commit, and
// sets ORIG_HEAD to where it was. No setting of git that chooses how to merge has a say:
// it reads two trees and moves one ref. Local edits of other files stay as they are,
// staged or not. Where local edits, untracked or ignored files are in the way, where a
// merge or rebase is in progress, where HEAD is detached or commit is no descendant, it
// changes nothing and returns a *ConflictError. Errors: ErrChanged when the branch moves
// meanwhile (index and files are then put back), ErrNotFound, ErrNotRepository.
func (r *Repo) FastForward(ctx context.Context, dir, commit string) error {
	return r.merger.FastForward(ctx, dir, commit)
}

// PutBack undoes the half of a FastForward to commit that a killed process has done in the
// worktree at dir: index and files are there, the branch is not. Anything else it leaves as
// it is. done reports whether there was something to undo. Errors: ErrNotFound,
// ErrNotRepository.
func (r *Repo) PutBack(ctx context.Context, dir, commit string) (done bool, err error) {
	return r.merger.PutBack(ctx, dir, commit)
}
