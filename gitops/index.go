package gitops

import (
	"context"
	"time"

	"chant/gitops/gitindex"
)

// StatusEntry is one path that is not clean.
type StatusEntry = gitindex.StatusEntry

// Status lists what is changed, staged or untracked in the worktree whose top is dir; a
// rename shows as a removal and an addition. With paths, slash-separated from the top, only
// what lies at or below them. It takes no lock. Errors: ErrNotRepository when dir is not
// (any more) that worktree.
func (r *Repo) Status(ctx context.Context, dir string, paths ...string) ([]StatusEntry, error) {
	return r.index.Status(ctx, dir, paths...)
}

// FaithfulStatus is Status for a worktree that AddDetached made: by the settings with which it was written.
func FaithfulStatus(ctx context.Context, r *Repo, dir string) ([]StatusEntry, error) {
	return r.index.FaithfulStatus(ctx, dir)
}

// Hidden lists the tracked files of the worktree at dir that git was told not to look at
// (assume-unchanged, and skip-worktree outside of a sparse checkout): Status says nothing
// of them. Errors as Status.
func (r *Repo) Hidden(ctx context.Context, dir string) ([]string, error) {
	return r.index.Hidden(ctx, dir)
}

// Skipped lists the tracked files below a folder that git leaves out of the worktree at dir, as in a sparse checkout, or was
// told not to look at there (skip-worktree). Errors: ErrNotRepository.
func Skipped(ctx context.Context, r *Repo, dir, folder string) ([]string, error) {
	return r.index.Skipped(ctx, dir, folder)
}

// Staged returns the files below a folder that the index of the worktree whose top is dir
// adds or changes, as they are in it. index is another index file, such as the one that
// git names to a hook, "" for the worktree's own. It takes no lock and reads nothing from
// disk where nothing is staged.
func (r *Repo) Staged(ctx context.Context, dir, index, folder string) ([]File, error) {
	return r.index.Staged(ctx, dir, index, folder)
}

// TrackedFiles lists the paths in the index of the worktree at dir, slash-separated from its top and
// sorted by bytes. Errors: ErrNotRepository.
func (r *Repo) TrackedFiles(ctx context.Context, dir string) ([]string, error) {
	return r.index.TrackedFiles(ctx, dir)
}

// Written returns git's names, in SHA-1, of the files that a checkout has written to the worktree at dir exactly as git
// has stored them, by path, slash-separated from its top: nil where attributes, or an index that only git can read, leave
// that open. Links and submodules are left out. Errors: ErrNotRepository.
func Written(r *Repo, dir string) (map[string]string, error) { return r.index.Written(dir) }

// WorkFile is a file of a worktree that git does not ignore.
type WorkFile = gitindex.WorkFile

// Kinds of what stands at a path of a worktree.
const (
	WorkRegular   = gitindex.WorkRegular
	WorkLink      = gitindex.WorkLink
	WorkSubmodule = gitindex.WorkSubmodule
)

// WorkFiles lists the tracked files that are in the worktree whose top is dir, and the untracked ones that are not
// ignored, sorted by path. What is deleted, or was left out of a sparse checkout, is not listed; other repositories
// inside are listed only if they are submodules. Errors: ErrNotRepository.
func WorkFiles(ctx context.Context, r *Repo, dir string) ([]WorkFile, error) {
	return r.index.WorkFiles(ctx, dir)
}

// IndexLock reports whether git has locked the index of the worktree at dir, and since when.
// Errors: ErrNotRepository.
func (r *Repo) IndexLock(dir string) (since time.Time, locked bool, err error) {
	return r.index.Locked(dir)
}

// AwaitIndex waits until no git writes the index and the files of the worktree at dir. A
// lock that stays was left by a killed one, or is of a very large checkout: it is not waited
// for to the end. Errors: ErrNotRepository, the context's.
func (r *Repo) AwaitIndex(ctx context.Context, dir string) error {
	return r.index.Await(ctx, dir)
}

// BreakLock removes the index.lock that a killed git left in the linked worktree at dir,
// and reports whether there was one. It is for a caller that knows every process that
// worked in that worktree to be dead: nothing here can tell a left lock from a live one.
// For the main worktree, which people share, it is an error. Errors: ErrNotRepository.
func (r *Repo) BreakLock(dir string) (bool, error) {
	return r.index.BreakLock(dir)
}
