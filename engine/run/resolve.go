package run

import (
	"context"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/judge"
	"chant/engine/spec"
	"chant/engine/store"
)

// resolve merges the target into the run's branch, has an agent resolve the conflicts, and returns the target's tip. If
// that fails, branch and worktree are put back as they were.
func (r *Run) resolve(ctx context.Context) (string, error) {
	if _, err := r.tidy(ctx); err != nil {
		return "", err
	}
	// Otherwise the merge would bring back commits that were dropped from the target.
	if err := r.StillBased(ctx); err != nil {
		return "", err
	}
	target, err := r.TargetTip(ctx)
	if err != nil {
		return "", err
	}
	r.Catching = true
	if r.Briefing.Clashes, err = r.Repo.BeginMerge(ctx, r.Tree, target); err != nil {
		return "", err
	}
	// Before the agent: every run changes its status in the spec, which needs no agent to resolve.
	if err := r.joinSpecs(ctx, target); err != nil {
		return "", err
	}
	if len(r.Briefing.Clashes) > 0 {
		if err := r.agentResolves(ctx); err != nil {
			return "", err
		}
	}
	if _, err := r.Repo.ConcludeMerge(ctx, r.Tree, r.Message("merge", "Merge "+r.Job.Target+" into the run.")); err != nil {
		return "", err
	}
	// The agent works in the same worktree, so the merge may be gone although concluding it worked.
	merged, err := r.Repo.IsAncestor(ctx, target, "refs/heads/"+r.Job.Branch)
	if err == nil && !merged {
		err = r.Lander.Clash(r.Briefing.Clashes, judge.NoMerge)
	}
	r.CaughtTo = target
	return target, err
}

// joinSpecs resolves conflicts in spec files field by field, as a landing does.
func (r *Run) joinSpecs(ctx context.Context, target string) error {
	if !slices.ContainsFunc(r.Briefing.Clashes, func(path string) bool { return strings.HasPrefix(path, store.SpecsDir+"/") }) {
		return nil
	}
	m, err := r.Repo.MergeTree(ctx, target, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	for _, c := range m.Conflicts {
		joined, ok, err := r.Lander.JoinSpec(ctx, c)
		if err != nil {
			return err
		}
		// Left to the agent.
		if !ok {
			continue
		}
		if err := r.Store.Put(r.Tree, c.Path, joined); err != nil {
			return err
		}
		r.Briefing.Clashes = slices.DeleteFunc(r.Briefing.Clashes, func(path string) bool { return path == c.Path })
	}
	return nil
}

// agentResolves runs the agent on the conflicts and checks the result.
func (r *Run) agentResolves(ctx context.Context) error {
	if err := r.Briefing.Prompt(ctx); err != nil {
		return err
	}
	// Before the agent starts, to find afterwards which conflicts it has not touched.
	before, err := r.Briefing.ReadConflicts()
	if err != nil {
		return err
	}
	if _, err := r.Launcher.RunAgent(ctx); err != nil {
		return err
	}
	if err := r.Guard.CheckSideEffects(); err != nil {
		return err
	}
	if !r.Agent.OK {
		return &journal.Failure{Kind: spec.ReasonAgent, Message: r.Agent.Reason}
	}
	open, err := r.Briefing.FindUnresolved(ctx, before)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		return r.Lander.Clash(open, judge.NoMerge)
	}
	return nil
}
