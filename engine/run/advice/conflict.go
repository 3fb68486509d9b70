package advice

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/providers/cli"
)

// stepOutOfConflict returns the next step for a spec whose branch conflicts with the target, or whose criteria fail on
// the merged tree; the zero step for any other reason. Errors and status name the same step.
func stepOutOfConflict(ctx context.Context, p *engine.Project, s *spec.Spec, code spec.ReasonCode) (next.Step, error) {
	if s.Branch == "" || code != spec.ReasonConflict && code != spec.ReasonMergedTree {
		return next.Step{}, nil
	}
	tree, err := engine.TreeOf(ctx, p, s.ID)
	if err != nil {
		return next.Step{}, err
	}
	// While a merge is under way there, any other step would be refused.
	if busy, err := MergeUnderWay(ctx, p, tree); err != nil || busy {
		return next.Shell("git -C %q status", tree), err
	}
	target, err := run.TargetFor(ctx, p, s)
	if err != nil {
		return next.Step{}, err
	}
	resolved, err := isReconciled(ctx, p, s, target, code)
	switch {
	case err != nil:
		return next.Step{}, err
	case resolved:
		return next.Finalize.On(s.ID), nil
	case code == spec.ReasonConflict && usage.ProviderOf(p, s) != cli.ShellName:
		return next.Merge.On(s.ID).Flag("auto"), nil
	case tree == "":
		// The rebase creates the tree again.
		return next.Merge.On(s.ID).Flag("rebase"), nil
	}
	return next.Shell("git -C %q merge %s", tree, target), nil
}

// MergeUnderWay reports whether a merge, a rebase or the like is under way in a worktree.
func MergeUnderWay(ctx context.Context, p *engine.Project, tree string) (bool, error) {
	if tree == "" {
		return false, nil
	}
	open, doing, err := p.Repo.Unmerged(ctx, tree)
	return doing != "" || len(open) > 0, err
}

// isReconciled reports whether a person has removed the conflict between the branch and the target or, after criteria
// failed on the merged tree, has merged the target into the branch.
func isReconciled(ctx context.Context, p *engine.Project, s *spec.Spec, target string, code spec.ReasonCode) (bool, error) {
	if code == spec.ReasonMergedTree {
		return p.Repo.IsAncestor(ctx, "refs/heads/"+target, "refs/heads/"+s.Branch)
	}
	// The merge is tried in memory, without a worktree.
	r := run.NewQuestionRun(p, journal.Job{ID: s.ID, Branch: s.Branch, Target: target}, &journal.History{})
	err := r.Lander.Merges(ctx)
	if f, ok := errors.AsType[*journal.Failure](err); ok && f.Kind == spec.ReasonConflict {
		return false, nil
	}
	return err == nil, err
}

// WithStepOutOfConflict sets the next step of a conflict's error to the one that status names.
func WithStepOutOfConflict(ctx context.Context, p *engine.Project, id string, err error) error {
	f, ok := errors.AsType[*journal.Failure](err)
	if !ok || f.Kind != spec.ReasonConflict && f.Kind != spec.ReasonMergedTree {
		return err
	}
	// A stop must not replace the reason of the failure.
	calm := context.WithoutCancel(ctx)
	s, lookErr := p.Store.Get(calm, id)
	if lookErr != nil {
		return errors.Join(err, lookErr)
	}
	way, lookErr := stepOutOfConflict(calm, p, &s.Spec, f.Kind)
	if lookErr != nil {
		return errors.Join(err, lookErr)
	}
	f.Next = way.Or(f.Next)
	return err
}
