package committer

import (
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
)

// CommitAll stages and commits all that is not ignored in the worktree at dir, on what it has
// checked out, without the hooks that may refuse a commit.
func (w *Committer) CommitAll(ctx context.Context, dir, message string) (string, error) {
	p, err := w.Site.Place(dir)
	if err != nil {
		return "", err
	}
	run := func(stdin []byte, args ...string) error {
		_, err := w.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: args, Stdin: stdin, Limit: gitexec.LongLimit})
		return err
	}
	// With --sparse also what was written outside of a sparse checkout is kept.
	if err := run(nil, "add", "-A", "--sparse"); err != nil {
		return "", err
	}
	switch err := run(nil, "diff", "--cached", "--quiet", "--no-ext-diff"); {
	case err == nil:
		return "", nil
	case gitexec.ExitCode(err) != 1:
		return "", err
	}
	text := strings.TrimRight(message, "\n") + "\n"
	if err := run([]byte(text), "commit", "-q", "--no-verify", "--cleanup=whitespace", "-F", "-"); err != nil {
		return "", err
	}
	head, err := w.Refs.HeadOf(ctx, p)
	if err != nil {
		return "", fmt.Errorf("commit in %q: %w", dir, err)
	}
	return head.Hash, nil
}
