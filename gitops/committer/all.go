package committer

import (
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
)

// CommitAll stages and commits all that is not ignored in the worktree at dir, on what it has
// checked out, without the hooks that may refuse a commit. Errors: *gitexec.Error, *gitindex.TooLargeError.
func (w *Committer) CommitAll(ctx context.Context, dir, message string) (string, error) {
	p, err := w.Site.Place(dir)
	if err != nil {
		return "", err
	}
	run := func(stdin []byte, args ...string) ([]byte, error) {
		return w.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: args, Stdin: stdin, Limit: gitexec.LongLimit})
	}
	if err := w.Index.CheckSizes(ctx, p); err != nil {
		return "", err
	}
	// With --sparse also what was written outside of a sparse checkout is kept.
	added, err := run(nil, "add", "-A", "-v", "--sparse")
	if err != nil {
		return "", err
	}
	// What is added now differs from the commit, unless it undoes what was staged before.
	if len(added) == 0 {
		if same, err := nothingStaged(run); err != nil || same {
			return "", err
		}
	}
	text := strings.TrimRight(message, "\n") + "\n"
	if _, err := run([]byte(text), "commit", "-q", "--no-verify", "--cleanup=whitespace", "-F", "-"); err != nil {
		if same, stagedErr := nothingStaged(run); stagedErr == nil && same {
			return "", nil
		}
		return "", err
	}
	head, err := w.Refs.HeadOf(ctx, p)
	if err != nil {
		return "", fmt.Errorf("commit in %q: %w", dir, err)
	}
	return head.Hash, nil
}

// nothingStaged reports whether the index holds what HEAD does.
func nothingStaged(run func(stdin []byte, args ...string) ([]byte, error)) (bool, error) {
	_, err := run(nil, "diff", "--cached", "--quiet", "--no-ext-diff")
	if gitexec.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}
