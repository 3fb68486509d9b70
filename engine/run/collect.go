package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// collect brings everything the agent made onto the branch and judges it.
func (r *Run) collect(ctx context.Context) error {
	if r.Tree == "" { // a process that was killed had removed it
		if err := r.NeedTree(ctx); err != nil {
			return err
		}
	}
	if !r.whole(r.Tree) {
		return r.brokenTree()
	}
	if stuck, err := r.unfinished(ctx); err != nil {
		return err
	} else if stuck != nil {
		return stuck
	}
	if err := r.commitLeftovers(ctx); err != nil {
		return err
	}
	if r.deleted != nil {
		return r.deleted
	}
	if err := r.onBranch(ctx); err != nil {
		return err
	}
	if err := r.unbroken(ctx); err != nil {
		return err
	}
	if err := r.lookBehind(ctx); err != nil {
		return err
	}
	if err := r.straight(); err != nil {
		return err
	}
	if r.Agent != nil && !r.Agent.OK {
		return &journal.Failure{Kind: spec.ReasonAgent, Message: r.Agent.Reason}
	}
	if err := r.untampered(ctx); err != nil {
		return err
	}
	if err := r.fitting(ctx); err != nil {
		return err
	}
	if now, err := r.ownSpec(ctx); r.Agent != nil && err == nil && now.Status == spec.Failed {
		return &journal.Failure{Kind: spec.ReasonAgent, Message: "the agent says that it could not do it"}
	}
	return r.worked(ctx)
}

// brokenTree is the failure of a worktree that git no longer knows as the run's.
func (r *Run) brokenTree() *journal.Failure {
	if _, err := os.Lstat(r.Tree); errors.Is(err, fs.ErrNotExist) {
		return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the worktree %q was removed during the run; what is committed on %q is kept", r.Tree, r.Job.Branch)}
	}
	return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the worktree %q was broken during the run: its .git is gone or leads elsewhere", r.Tree)}
}

// unbroken checks that the branch still grows from its start commit, and that
// nobody has brought the unfinished run to the target.
func (r *Run) unbroken(ctx context.Context) error {
	t := r.History.Trusted
	if t == nil || t.Commit == "" || t.OfTarget {
		return nil
	}
	ok, err := r.Repo.IsAncestor(ctx, t.Commit, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	if !ok {
		return &journal.Failure{
			Kind: spec.ReasonStrayed, Next: "chant merge " + r.Job.ID + " --rebase",
			Message: fmt.Sprintf("branch %q was rewritten during the run: its start commit %s is gone from it", r.Job.Branch, short(t.Commit)),
		}
	}
	if r.Accepted {
		return nil
	}
	leaked, err := r.Repo.IsAncestor(ctx, t.Commit, "refs/heads/"+r.Job.Target)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil // the target is gone, which the landing reports
	}
	if err == nil && leaked {
		err = &journal.Failure{Kind: spec.ReasonStrayed, Next: "git log " + r.Job.Target, Message: fmt.Sprintf("%q already has unfinished commits of this run: they were merged before it was completed", r.Job.Target)}
	}
	return err
}

// ownSpec reads the run's spec as the branch has it now, or home's file where
// git ignores .chant.
func (r *Run) ownSpec(ctx context.Context) (*spec.Spec, error) {
	return r.specAt(ctx, "refs/heads/"+r.Job.Branch)
}

// worked checks that there is something to land. Ticking boxes is no work;
// writing into the spec is, for specs whose result is text. What was done before may
// turn out to be right as it is.
func (r *Run) worked(ctx context.Context) error {
	base, err := r.base(ctx)
	if err != nil {
		return err
	}
	changes, err := r.Repo.Diff(ctx, base, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !strings.HasPrefix(c.Path, store.Dir+"/") {
			return nil
		}
	}
	start, err := r.trusted(ctx)
	if err != nil {
		return err
	}
	if start.Fields.Replays > 0 {
		return nil // that nothing has to change is an answer, the criteria judge it
	}
	if now, err := r.ownSpec(ctx); err == nil && prose(now) != prose(start) {
		return nil
	}
	if r.asked {
		return &journal.Failure{Kind: spec.ReasonNothing, Message: fmt.Sprintf("nothing was done yet: branch %q has neither a commit nor a change", r.Job.Branch)}
	}
	return &journal.Failure{Kind: spec.ReasonAgent, Message: "the agent ended without a commit or a change"}
}

// prose is the body without the state of its boxes.
func prose(s *spec.Spec) string {
	text := string(s.Doc.Body())
	return strings.TrimSpace(strings.NewReplacer("[x]", "[ ]", "[X]", "[ ]").Replace(text))
}
