package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// Leftovers commits to the branch what is uncommitted in the worktree, so that an agent's work is only in a working
// tree while it runs. What git cannot commit as it is (Unfinished) stays where it is.
func (t *Trees) Leftovers(ctx context.Context) error {
	if t.Tree == "" || !t.Whole(t.Tree) {
		return nil
	}
	if stuck, err := t.Unfinished(ctx); err != nil || stuck != nil {
		return err
	}
	return t.CommitLeftovers(ctx)
}

// CommitLeftovers commits what is uncommitted in a worktree that can be committed.
func (t *Trees) CommitLeftovers(ctx context.Context) error {
	commit, err := t.commitAll(ctx)
	if err == nil && commit != "" {
		t.Collected = commit
		t.Announce(journal.Collect, "step", "committed what was left uncommitted as %s", attempt.Short(commit))
		err = warnOfSecrets(ctx, t, commit)
	}
	return err
}

// warnOfSecrets reports the secrets that a commit of chant's own has. The guard keeps them from landing, but the branch may
// be pushed.
func warnOfSecrets(ctx context.Context, t *Trees, commit string) error {
	c, err := t.Repo.ReadCommit(ctx, commit)
	if err != nil || len(c.Parents) == 0 {
		return err
	}
	found, err := t.SecretsIn(ctx, c.Parents[0], commit)
	for _, what := range found {
		t.Announce(journal.Collect, "warning", "in commit %s, %s", attempt.Short(commit), what)
	}
	return err
}

// commitAll commits the worktree. A lock on its index that outlives every retry was left by one of the agent's git
// processes, since all processes of the run have ended.
func (t *Trees) commitAll(ctx context.Context) (string, error) {
	text := t.Message(message.Leftovers, "What the agent left uncommitted.")
	commit, err := t.Repo.CommitAll(ctx, t.Tree, text)
	if err == nil || ctx.Err() != nil {
		return commit, err
	}
	broken, lockErr := t.Repo.BreakLock(t.Tree)
	if lockErr != nil || !broken {
		return commit, errors.Join(err, lockErr)
	}
	t.Announce(journal.Collect, "warning", "removed the lock that a killed git had left on the index of the worktree")
	return t.Repo.CommitAll(ctx, t.Tree, text)
}

// Unfinished returns the failure of a worktree that cannot be committed as it is, else nil: it is on another branch, where what
// is uncommitted would be committed, a merge is under way, or repositories inside it would be lost.
func (t *Trees) Unfinished(ctx context.Context) (*journal.Failure, error) {
	if head, err := t.Repo.Head(ctx, t.Tree); (err == nil || errors.Is(err, gitops.ErrUnborn)) && head.Branch != "" && head.Branch != t.Job.Branch {
		return t.strayed(head), nil
	}
	why, err := t.uncommittable(ctx)
	if err != nil {
		return nil, err
	}
	if why == "" {
		return t.unsaved(ctx, t.Tree)
	}
	return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the worktree has %s (%q)", why, t.Tree), Next: next.Shell("git -C %q status", t.Tree)}, nil
}

func (t *Trees) uncommittable(ctx context.Context) (string, error) {
	unmerged, underway, err := t.Repo.Unmerged(ctx, t.Tree)
	if err != nil {
		return "", err
	}
	if len(unmerged) > 0 {
		return fmt.Sprintf("unresolved conflicts in %s", strings.Join(unmerged, ", ")), nil
	}
	if underway != "" {
		if ended, err := endPick(ctx, t, underway); err != nil || !ended {
			return "an unfinished " + underway, err
		}
	}
	nested, err := t.Repo.NestedRepositories(ctx, t.Tree)
	if err != nil || len(nested) == 0 {
		return "", err
	}
	return fmt.Sprintf("a repository of its own in %s, whose content would be lost", strings.Join(nested, ", ")), nil
}

// endPick removes the mark of a cherry-pick or revert that has ended. Behind the wall git cannot do that, since it locks
// the refs of the whole repository for it. One that is under way has steps left, conflicts, or something staged.
func endPick(ctx context.Context, t *Trees, underway string) (ended bool, err error) {
	marks := map[string]string{"cherry-pick": "CHERRY_PICK_HEAD", "revert": "REVERT_HEAD"}
	if marks[underway] == "" || !t.Sandbox().State().InForce {
		return false, nil
	}
	own, err := t.Repo.GitDir(t.Tree)
	if err != nil {
		return false, err
	}
	if _, err := os.Lstat(filepath.Join(own, "sequencer")); err == nil {
		return false, nil
	}
	changes, err := t.Repo.Status(ctx, t.Tree)
	if err != nil {
		return false, err
	}
	for _, c := range changes {
		if c.Code[0] != ' ' && c.Code[0] != '?' {
			return false, nil // staged
		}
	}
	return true, rootdir.RemoveEach(own, marks[underway])
}

// unsaved returns the failure of a worktree with submodules whose content would be lost with it, nil if there is none.
// Neither a commit nor a rescue ref of this repository can keep such content, and git would not find it in a folder
// that was set aside.
func (t *Trees) unsaved(ctx context.Context, tree string) (*journal.Failure, error) {
	subs, err := t.Repo.UnsavedSubmodules(ctx, tree)
	if err != nil || len(subs) == 0 {
		return nil, err
	}
	f := &journal.Failure{Kind: spec.ReasonStrayed}
	for _, sub := range subs {
		dir := filepath.Join(tree, filepath.FromSlash(sub.Path))
		what, step := "commits that none of its remotes has", next.Shell("git -C %q push origin HEAD:refs/heads/%s", dir, t.Job.Branch)
		if sub.Uncommitted {
			what, step = "uncommitted files", next.Shell("git -C %q status", dir)
		}
		if f.Next.IsZero() {
			f.Next = step
			f.Message = fmt.Sprintf("submodule %q has %s, which would be lost with the worktree (%q); push or discard them", sub.Path, what, tree)
		}
		f.Details = append(f.Details, fmt.Sprintf("submodule %s: %s", sub.Path, what))
	}
	return f, nil
}
