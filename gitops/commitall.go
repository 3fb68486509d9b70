package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
)

// CommitAll stages and commits all that is not ignored in the worktree at dir, on what it
// has checked out, without the hooks that may refuse a commit. It returns the commit, or
// "" when there was nothing to commit. Errors: ErrNotRepository.
func (w *Committer) CommitAll(ctx context.Context, dir, message string) (string, error) {
	p, err := w.Site.Place(dir)
	if err != nil {
		return "", err
	}
	run := func(stdin []byte, args ...string) ([]byte, error) {
		return w.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: args, Stdin: stdin, Limit: gitexec.LongLimit})
	}
	// Git would read and hash all of a file that is too large until the time of the command is over.
	if err := w.Index.CheckSizes(ctx, p); err != nil {
		return "", err
	}
	// With --sparse also what was written outside of a sparse checkout is kept.
	added, err := run(nil, "add", "-A", "-v", "--sparse")
	if err != nil {
		return "", err
	}
	tree, err := run(nil, "write-tree")
	if err != nil {
		return "", err
	}
	head, err := w.Refs.HeadOf(ctx, p)
	if err != nil && !errors.Is(err, refstore.ErrUnborn) {
		return "", fmt.Errorf("commit in %q: %w", dir, err)
	}
	var parents []string
	// An unchanged tree makes no commit. Without a parent, only what "add -v" printed shows whether there was anything.
	if head.Hash != "" {
		have, err := w.Revs.TreeOf(ctx, head.Hash)
		if err != nil || have == strings.TrimSpace(string(tree)) {
			return "", err
		}
		parents = []string{head.Hash}
	} else if len(added) == 0 {
		return "", nil
	}
	// The commit is made, and signed, where the settings are the person's and programs may reach keys.
	commit, err := w.CommitTree(ctx, strings.TrimSpace(string(tree)), parents, message)
	if err != nil {
		return "", err
	}
	ref := "HEAD"
	if head.Branch != "" {
		ref = layout.Heads + head.Branch
	}
	subject, _, _ := strings.Cut(message, "\n")
	// The move names the value read above: a commit that came between is an error, never overwritten.
	return commit, w.Refs.Move(ctx, p, ref, commit, head.Hash, "commit: "+subject)
}
