package gitops

import (
	"context"
	"errors"
	"sync"

	"chant/gitops/committer"
	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
	"chant/gitops/refstore"
)

// File is one path of a commit, slash-separated from the top; nil Content removes the path.
type File = objectstore.File

// CommitOptions says what CommitFiles commits.
type CommitOptions = committer.CommitOptions

// PrepareCommit begins to ask git what a next commit needs to know, so that other work can be done meanwhile: its
// settings, and its attributes of paths in home. The answers are kept; the caller must call wait in the end.
func (r *Repo) PrepareCommit(ctx context.Context, paths ...string) (wait func()) {
	var asked sync.WaitGroup
	// Errors are not kept: the commit asks again, and returns them.
	asked.Go(func() { _, _ = r.config.Summary(ctx) })
	if len(paths) > 0 {
		asked.Go(func() { r.objects.LearnAttributes(ctx, r.site.Home, paths) })
	}
	return asked.Wait
}

// CommitFiles commits exactly these files on top of a branch and returns the new tip.
// Every other path, index entry and file on disk stays as it is, also where the branch is
// checked out; what stands on disk at these paths is the caller's business. When the tree
// would not change, the tip is returned with changed false. An error with a hash says
// that the commit was made and only an index could not follow; with any other, no ref has
// moved and the entries are what the branch holds.
//
// Errors: ErrNotFound (branch), ErrUnborn, ErrNotRepository (Dir), ErrChanged; *GitError
// when an index stays locked by another process for ten seconds.
func (r *Repo) CommitFiles(ctx context.Context, o CommitOptions) (hash string, changed bool, err error) {
	return r.commits.CommitFiles(ctx, o)
}

// CommitOn builds a commit of these files on top of parent; no ref moves.
func (r *Repo) CommitOn(ctx context.Context, parent string, files []File, message string) (string, error) {
	return r.commits.CommitOn(ctx, parent, files, message)
}

// CommitTree makes a commit object of a tree and parents, signed if git is set to sign;
// no ref moves.
func (r *Repo) CommitTree(ctx context.Context, tree string, parents []string, message string) (string, error) {
	return r.commits.CommitTree(ctx, tree, parents, message)
}

// CommitUnsigned is CommitTree without a signature, for commits that no ref will have.
func CommitUnsigned(ctx context.Context, r *Repo, tree string, parents []string, message string) (string, error) {
	return r.commits.Unsigned(ctx, tree, parents, message)
}

// CommitAll stages and commits all that is not ignored in the worktree at dir, on what it
// has checked out, without the hooks that may refuse a commit. It returns the commit, or
// "" when there was nothing to commit. Errors: ErrNotRepository.
func (r *Repo) CommitAll(ctx context.Context, dir, message string) (string, error) {
	return r.commits.CommitAll(ctx, dir, message)
}

// FirstCommit gives a branch that has no commit yet one without files; index and files stay as they
// are. Errors: ErrNoIdentity, ErrChanged when another process was faster.
func (r *Repo) FirstCommit(ctx context.Context, branch, message string) (string, error) {
	return r.commits.FirstCommit(ctx, branch, message)
}

// WriteTree stores a copy of tree (a tree or commit; "" for an empty one) with these files
// put in and returns its hash. A folder left empty goes, a folder in the way of a file is
// replaced.
func (r *Repo) WriteTree(ctx context.Context, tree string, files []File) (string, error) {
	return r.commits.WriteTree(ctx, tree, files)
}

// Snapshot makes a commit of everything uncommitted in the worktree at dir, ignored files
// excepted, on top of its HEAD. No ref, index or file changes; "" when there is nothing
// uncommitted. A nested repository without a commit is an error, one with a commit is kept
// as that commit's name alone: see NestedRepositories. Errors: ErrNotRepository, ErrUnborn.
func (r *Repo) Snapshot(ctx context.Context, dir, message string) (_ string, err error) {
	return r.commits.Snapshot(ctx, dir, message)
}

// Uncommit takes back the newest commit of the worktree at dir, which has to be commit:
// its branch stands at to again, and what the commit held lies in the tree, unstaged. No
// file changes. It does nothing when the branch has moved on. Errors: ErrNotRepository.
func (r *Repo) Uncommit(ctx context.Context, dir, commit, to string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	head, err := r.refs.HeadOf(ctx, p)
	if err != nil || head.Hash != commit {
		return err
	}
	ref := "HEAD"
	if head.Branch != "" {
		ref = layout.Heads + head.Branch
	}
	if err := r.refs.Move(ctx, p, ref, to, commit, "chant: uncommit"); err != nil {
		if errors.Is(err, refstore.ErrChanged) {
			return nil
		}
		return err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"reset", "-q", "--mixed"}, Limit: gitexec.LongLimit}) // the index alone
	return err
}
