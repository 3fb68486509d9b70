package merging

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// BeginMerge merges commit into what the worktree at dir has checked out and stops before
// it commits, so that ConcludeMerge or Abort has to follow. conflicts lists the paths
// that hold both sides now, sorted. Local changes in the way are a *ConflictError, with
// nothing changed. Errors: ErrNotFound, ErrNotRepository.
func (mr *Merger) BeginMerge(ctx context.Context, dir, commit string) (conflicts []string, err error) {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	hash, err := mr.Revs.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	head, err := mr.Refs.HeadOf(ctx, p)
	if err != nil {
		return nil, err
	}
	_, err = mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Limit: gitexec.LongLimit, Config: plainMerge(head.Branch), Args: []string{"merge", "-q", "--strategy=ort", "--no-ff", "--no-commit",
		"--no-squash", "--no-autostash", "--no-verify-signatures", "--no-overwrite-ignore", "--no-stat", hash}})
	if err == nil {
		return nil, nil
	}
	if gitexec.ExitCode(err) != 1 && inProgress(p.GitDir) != "merge" {
		return nil, refusal("merge", p, err)
	}
	conflicts, underway, lookErr := mr.Unmerged(ctx, dir)
	switch {
	case lookErr != nil:
		return nil, lookErr
	case underway != "merge":
		return nil, refusal("merge", p, err)
	}
	return conflicts, nil
}

// plainMerge are the settings with which the options that a user has set for merging into
// a branch have no effect: "-s ours" among them would drop what is merged.
func plainMerge(branch string) [][2]string {
	return [][2]string{{"branch." + branch + ".mergeOptions", ""}}
}

// ConcludeMerge commits the merge under way in the worktree at dir with all that lies
// there, whatever git still takes for unmerged, and returns the commit; "" when no merge is
// under way. Errors: ErrNotRepository.
func (mr *Merger) ConcludeMerge(ctx context.Context, dir, message string) (string, error) {
	p, err := mr.Site.Place(dir)
	if err != nil || inProgress(p.GitDir) != "merge" {
		return "", err
	}
	if _, err := mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"add", "-A", "--sparse"}, Limit: gitexec.LongLimit}); err != nil {
		return "", err
	}
	text := strings.TrimRight(message, "\n") + "\n"
	commit := gitexec.Call{Dir: p.Top, Args: []string{"commit", "-q", "--no-verify", "--cleanup=whitespace", "-F", "-"}, Stdin: []byte(text), Limit: gitexec.LongLimit}
	if _, err := mr.Git.Retry(ctx, commit); err != nil {
		return "", err
	}
	head, err := mr.Refs.HeadOf(ctx, p)
	if err != nil {
		return "", fmt.Errorf("commit in %q: %w", dir, err)
	}
	return head.Hash, nil
}

// Abort puts the worktree at dir back to where it was before the merge or rebase under way
// there; what was changed since is lost. Without one it does nothing. Errors:
// ErrNotRepository.
func (mr *Merger) Abort(ctx context.Context, dir string) error {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return err
	}
	doing := inProgress(p.GitDir)
	if doing != "merge" && doing != "rebase" {
		return nil
	}
	_, err = mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{doing, "--abort"}, Limit: gitexec.LongLimit})
	return err
}

// Rebase replays the commits since base of the branch that is checked out at dir on top of
// onto, without the hooks that may refuse it. Where one does not apply, branch and worktree are
// put back as they were, and conflicts lists the paths, sorted. Local changes in the way
// are a *ConflictError. Errors: ErrNotFound, ErrNotRepository.
func (mr *Merger) Rebase(ctx context.Context, dir, base, onto string) (conflicts []string, err error) {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	hashes, err := mr.Revs.ResolveBoth(ctx, base, onto)
	if err != nil {
		return nil, err
	}
	settings := []string{"core.editor=true", "sequence.editor=true", "rebase.updateRefs=false", "rebase.autoSquash=false"}
	_, err = mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Settings: settings, Limit: gitexec.LongLimit, Args: []string{"rebase", "-q",
		"--no-autostash", "--no-verify", "--empty=keep", "--reapply-cherry-picks", "--onto", hashes[1], hashes[0]}})
	if err == nil {
		return nil, nil
	}
	calm := context.WithoutCancel(ctx)
	conflicts, underway, lookErr := mr.Unmerged(calm, dir)
	if lookErr != nil || underway != "rebase" {
		return nil, errors.Join(refusal("rebase", p, err), lookErr)
	}
	if abortErr := mr.Abort(calm, dir); abortErr != nil || ctx.Err() != nil || len(conflicts) == 0 {
		return nil, errors.Join(err, abortErr)
	}
	return conflicts, nil
}

// refusal is the error of a git that did not even begin.
func refusal(op string, p layout.Place, err error) error {
	var failed *gitexec.Error
	if !errors.As(err, &failed) {
		return err
	}
	files := inTheWay(failed.Stderr)
	if len(files) == 0 && !strings.Contains(failed.Stderr, "unstaged changes") && !strings.Contains(failed.Stderr, "uncommitted changes") {
		return err
	}
	return &ConflictError{Op: op, Files: files, Msg: fmt.Sprintf("local changes in %q are in the way", p.Top)}
}
