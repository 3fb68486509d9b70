package gitops

import (
	"context"

	"chant/gitops/nestedrepo"
)

// NestedRepositories lists the repositories inside the worktree at dir that git would
// record as a bare commit name or refuse to add, so that the files in them would be lost:
// untracked ones, with or without a commit, and those in the index that ".gitmodules" does
// not declare. Ignored ones do not count; linked worktrees do. Paths are slash-separated
// from dir, sorted. Errors: ErrNotRepository.
func (r *Repo) NestedRepositories(ctx context.Context, dir string) ([]string, error) {
	return r.nested.Repositories(ctx, dir)
}

// IgnoredRepositories lists the repositories in ignored folders of the worktree at dir that hold
// something of their own: uncommitted files, or commits that no remote of theirs had when it was
// asked last. What git cannot read counts too. Clones that can be made again do not, nor does what
// lies behind a link. Paths are slash-separated from dir, sorted. Errors: ErrNotRepository.
func (r *Repo) IgnoredRepositories(ctx context.Context, dir string) ([]string, error) {
	return r.nested.Ignored(ctx, dir)
}

// UnsavedSubmodules lists the submodules of the worktree at dir, those within others too,
// in which something is uncommitted, untracked or stashed, or that have commits which no
// remote of theirs, no tag, not home's own store of the submodule and no commit of home
// names: a linked worktree keeps the objects of its submodules, and they go with it.
// One that git cannot read counts. Errors: ErrNotRepository.
func (r *Repo) UnsavedSubmodules(ctx context.Context, dir string) ([]nestedrepo.UnsavedSubmodule, error) {
	return r.nested.UnsavedSubmodules(ctx, dir)
}
