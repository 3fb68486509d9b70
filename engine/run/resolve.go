package run

import (
	"context"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/judge"
	"chant/engine/run/launch"
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
	clashes, err := r.Trees.BeginMerge(ctx, target)
	if err != nil {
		return "", err
	}
	// Before the agent: every run changes its status in the spec, which needs no agent to resolve.
	if clashes, err = r.joinSpecs(ctx, target, clashes); err != nil {
		return "", err
	}
	if len(clashes) > 0 {
		if err := r.agentResolves(ctx, launch.Site{Tree: r.Trees.Tree, Resolves: true, Clashes: clashes}); err != nil {
			return "", err
		}
	}
	if _, err := r.Repo.ConcludeMerge(ctx, r.Trees.Tree, r.Message("merge", "Merge "+r.Job.Target+" into the run.")); err != nil {
		return "", err
	}
	// The agent works in the same worktree, so the merge may be gone although concluding it worked.
	merged, err := r.Repo.IsAncestor(ctx, target, "refs/heads/"+r.Job.Branch)
	if err == nil && !merged {
		err = r.Lander.Clash(clashes, judge.NoMerge)
	}
	r.Journal.CaughtUp(target)
	return target, err
}

// joinSpecs resolves conflicts in spec files field by field, as a landing does, and returns the other files that conflict.
func (r *Run) joinSpecs(ctx context.Context, target string, clashes []string) ([]string, error) {
	if !slices.ContainsFunc(clashes, func(path string) bool { return strings.HasPrefix(path, store.SpecsDir+"/") }) {
		return clashes, nil
	}
	m, err := r.Repo.MergeTree(ctx, target, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return nil, err
	}
	for _, c := range m.Conflicts {
		joined, ok, err := r.Lander.JoinSpec(ctx, c)
		if err != nil {
			return nil, err
		}
		// Left to the agent.
		if !ok {
			continue
		}
		if err := r.Store.Put(r.Trees.Tree, c.Path, joined); err != nil {
			return nil, err
		}
		clashes = slices.DeleteFunc(clashes, func(path string) bool { return path == c.Path })
	}
	return clashes, nil
}

// agentResolves runs the agent on the conflicts and checks the result.
func (r *Run) agentResolves(ctx context.Context, at launch.Site) error {
	if err := r.Briefing.Prompt(ctx, at); err != nil {
		return err
	}
	// Before the agent starts, to find afterwards which conflicts it has not touched.
	before, err := r.Briefing.ReadConflicts(at)
	if err != nil {
		return err
	}
	agent, err := r.Launcher.ResolveConflicts(ctx)
	if err != nil {
		return err
	}
	if err := r.Guard.CheckSideEffects(); err != nil {
		return err
	}
	if !agent.OK {
		return &journal.Failure{Kind: spec.ReasonAgent, Message: agent.Reason}
	}
	open, err := r.Briefing.FindUnresolved(ctx, at, before)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		return r.Lander.Clash(open, judge.NoMerge)
	}
	return nil
}
