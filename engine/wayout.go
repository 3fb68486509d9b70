package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/providers/cli"
)

// wayOut is the command that leads a spec on whose branch does not go together with
// the target; "" where something else stopped it. Errors and status name the same one.
func (e *Engine) wayOut(ctx context.Context, s *spec.Spec, code spec.ReasonCode) (string, error) {
	if s.Branch == "" || code != spec.ReasonConflict && code != spec.ReasonMergedTree {
		return "", nil
	}
	tree, err := e.treeOf(ctx, s.ID)
	if err != nil {
		return "", err
	}
	if busy, err := e.midway(ctx, tree); err != nil || busy {
		return fmt.Sprintf("git -C %q status", tree), err
	}
	target, err := e.targetFor(ctx, s)
	if err != nil {
		return "", err
	}
	resolved, err := e.together(ctx, s, target, code)
	switch {
	case err != nil:
		return "", err
	case resolved:
		return "chant finalize " + s.ID, nil
	case code == spec.ReasonConflict && e.providerOf(s) != cli.ShellName:
		return "chant merge " + s.ID + " --agent", nil
	case tree == "":
		return "chant merge " + s.ID + " --rebase", nil // makes the tree again
	}
	return fmt.Sprintf("git -C %q merge %s", tree, target), nil
}

// midway tells whether a merge or the like has begun in a worktree and not ended.
func (e *Engine) midway(ctx context.Context, tree string) (bool, error) {
	if tree == "" {
		return false, nil
	}
	open, doing, err := e.repo.Unmerged(ctx, tree)
	return doing != "" || len(open) > 0, err
}

// together tells whether a person has brought the branch and the target together
// since they did not go together.
func (e *Engine) together(ctx context.Context, s *spec.Spec, target string, code spec.ReasonCode) (bool, error) {
	if code == spec.ReasonMergedTree {
		return e.repo.IsAncestor(ctx, "refs/heads/"+target, "refs/heads/"+s.Branch)
	}
	r := &run.Run{Repo: e.repo, Store: e.store, Settings: e.settings(), Job: run.Job{ID: s.ID, Branch: s.Branch, Target: target}}
	err := r.Merges(ctx)
	if f, ok := errors.AsType[*run.Failure](err); ok && f.Kind == spec.ReasonConflict {
		return false, nil
	}
	return err == nil, err
}

// ended is the result of a run and its error, whose hint is that of the status.
func (e *Engine) ended(ctx context.Context, r *run.Run, err error) (WorkResult, error) {
	if err == nil && r.Landed && r.Landing == "" { // by hand, or by a process that died then: nobody has seen to its drivers
		err = e.settleDriversOf(ctx, r.Job.ID, "Its last member "+r.Job.ID+" is done.")
	}
	result := e.workResult(ctx, r, err)
	return result, e.hinted(ctx, r.Job.ID, err)
}

// hinted gives the error of a conflict the way out of it.
func (e *Engine) hinted(ctx context.Context, id string, err error) error {
	f, ok := errors.AsType[*run.Failure](err)
	if !ok || f.Kind != spec.ReasonConflict && f.Kind != spec.ReasonMergedTree {
		return err
	}
	calm := context.WithoutCancel(ctx)
	s, lookErr := e.store.Get(calm, id)
	if lookErr != nil {
		return errors.Join(err, lookErr)
	}
	way, lookErr := e.wayOut(calm, s, f.Kind)
	if lookErr != nil {
		return errors.Join(err, lookErr)
	}
	f.Next = cmp.Or(way, f.Next)
	return err
}
