package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// commitAttempts bounds how often a commit is rebuilt on a tip that moved.
const commitAttempts = 10

// CommitOptions says what CommitFiles commits. Branch is a short name; "" means what the
// worktree Dir ("" for the one in which Open was called) has checked out, detached or
// not. With Expect, the tip must be that commit and nothing is retried.
type CommitOptions struct {
	Branch     string
	Dir        string
	Files      []File
	Message    string
	Expect     string
	AllowEmpty bool
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
	t, err := r.target(ctx, o)
	if err != nil {
		return "", false, err
	}
	signing := r.signing(ctx)
	edits, err := r.store(ctx, t.Top, o.Files)
	sign, signErr := signing()
	if err := errors.Join(err, signErr); err != nil {
		return "", false, err
	}
	defer r.turns.Committing(ctx)()
	hash, changed, err = r.commitEdits(ctx, commitJob{target: t, edits: edits, sign: sign, CommitOptions: o})
	if err != nil || !changed {
		return hash, changed, err
	}
	if err := r.refreshIndexes(ctx, t, edits); err != nil {
		return hash, true, fmt.Errorf("commit %q is made, but the index does not show it: %w", hash, err)
	}
	return hash, true, nil
}

// CommitOn builds a commit of these files on top of parent; no ref moves.
func (r *Repo) CommitOn(ctx context.Context, parent string, files []File, message string) (string, error) {
	c, err := r.ReadCommit(ctx, parent)
	if err != nil {
		return "", err
	}
	tree, err := r.WriteTree(ctx, c.Tree, files)
	if err != nil {
		return "", err
	}
	return r.CommitTree(ctx, tree, []string{c.Hash}, message)
}

// CommitTree makes a commit object of a tree and parents, signed if git is set to sign;
// no ref moves.
func (r *Repo) CommitTree(ctx context.Context, tree string, parents []string, message string) (string, error) {
	sign, err := r.signing(ctx)()
	if err != nil {
		return "", err
	}
	return r.commitTree(ctx, tree, parents, message, sign)
}

// signing asks in the background whether git is set to sign; the answer must be taken.
func (r *Repo) signing(ctx context.Context) (answer func() (bool, error)) {
	var sign bool
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		sign, err = r.truth(ctx, r.site.Home, "commit.gpgsign")
	}()
	return func() (bool, error) {
		<-done
		return sign, err
	}
}

func (r *Repo) commitTree(ctx context.Context, tree string, parents []string, message string, sign bool) (string, error) {
	args := []string{"commit-tree"}
	if sign {
		args = append(args, "-S")
	}
	for _, parent := range parents {
		args = append(args, "-p", parent)
	}
	text := strings.TrimRight(message, "\n") + "\n"
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: append(args, "-F", "-", tree), Stdin: []byte(text), Write: true})
	var failed *GitError
	if errors.As(err, &failed) && (strings.Contains(failed.Stderr, "tell me who you are") || strings.Contains(failed.Stderr, "empty ident name")) {
		err = fmt.Errorf("%w: %w", ErrNoIdentity, err)
	}
	return strings.TrimSpace(string(out)), err
}

// commitJob is a commit whose contents are stored and whose target is known.
type commitJob struct {
	target
	edits []edit
	sign  bool
	CommitOptions
}

// commitEdits builds on the tip and moves the ref; when the tip moved meanwhile, again.
func (r *Repo) commitEdits(ctx context.Context, j commitJob) (string, bool, error) {
	wait := gitexec.NewBackoff(gitexec.ShortLimit)
	for attempt := 1; ; attempt++ {
		hash, moved, err := r.commitOnce(ctx, j)
		if !errors.Is(err, ErrChanged) || j.Expect != "" || attempt == commitAttempts || !wait.Sleep(ctx) {
			return hash, moved, err
		}
	}
}

func (r *Repo) commitOnce(ctx context.Context, j commitJob) (string, bool, error) {
	tip, err := r.value(ctx, j.Place, j.ref)
	switch {
	case err != nil:
		return "", false, err
	case tip == "":
		return "", false, fmt.Errorf("branch %q: %w", strings.TrimPrefix(j.ref, layout.Heads), ErrNotFound)
	case j.Expect != "" && j.Expect != tip:
		return "", false, changed(j.ref, j.Expect, tip)
	}
	parent, err := r.ReadCommit(ctx, tip)
	if err != nil {
		return "", false, err
	}
	tree, err := r.graft(ctx, parent.Tree, j.edits)
	if err != nil {
		return "", false, err
	}
	if tree == parent.Tree && !j.AllowEmpty {
		return tip, false, nil
	}
	hash, err := r.commitTree(ctx, tree, []string{tip}, j.Message, j.sign)
	if err != nil {
		return "", false, err
	}
	staged, err := r.stage(ctx, j.target, j.edits)
	if err == nil {
		subject, _, _ := strings.Cut(j.Message, "\n")
		err = r.moveRef(ctx, j.Place, j.ref, hash, tip, "commit: "+subject)
	}
	if err != nil {
		return "", false, r.unstage(ctx, j.target, staged, j.edits, err)
	}
	return hash, true, nil
}
