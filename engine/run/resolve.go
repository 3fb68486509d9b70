package run

import (
	"context"
	"slices"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
)

// resolve merges the target into the run's branch, has an agent resolve what conflicts,
// and returns the target's tip. Where it does not, branch and tree are put back as they
// were.
func (r *Run) resolve(ctx context.Context) (string, error) {
	if _, err := r.tidy(ctx); err != nil {
		return "", err
	}
	if err := r.stillBased(ctx); err != nil { // else the merge would bring back what was dropped
		return "", err
	}
	target, err := r.landsOn(ctx)
	if err != nil {
		return "", err
	}
	r.catching = true
	if r.Clashes, err = r.Repo.BeginMerge(ctx, r.Tree, target); err != nil {
		return "", err
	}
	if err := r.joinSpecs(ctx, target); err != nil {
		return "", err
	}
	if len(r.Clashes) > 0 {
		if err := r.agentResolves(ctx); err != nil {
			return "", err
		}
	}
	if _, err := r.Repo.ConcludeMerge(ctx, r.Tree, r.message("merge", "Merge "+r.Job.Target+" into the run.")); err != nil {
		return "", err
	}
	merged, err := r.Repo.IsAncestor(ctx, target, "refs/heads/"+r.Job.Branch)
	if err == nil && !merged {
		err = r.clash(r.Clashes, noMerge)
	}
	r.caughtTo = target
	return target, err
}

// joinSpecs resolves conflicts in spec files field by field, as a landing does.
func (r *Run) joinSpecs(ctx context.Context, target string) error {
	if !slices.ContainsFunc(r.Clashes, func(path string) bool { return strings.HasPrefix(path, store.SpecsDir+"/") }) {
		return nil
	}
	m, err := r.Repo.MergeTree(ctx, target, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	for _, c := range m.Conflicts {
		joined, ok, err := r.joinSpec(ctx, c)
		if err != nil {
			return err
		}
		if !ok { // for the agent
			continue
		}
		if err := r.Store.Put(r.Tree, c.Path, joined); err != nil {
			return err
		}
		r.Clashes = slices.DeleteFunc(r.Clashes, func(path string) bool { return path == c.Path })
	}
	return nil
}

// agentResolves runs the agent over the conflicts and looks at what it left.
func (r *Run) agentResolves(ctx context.Context) error {
	if err := r.prompt(ctx); err != nil {
		return err
	}
	before, err := r.sights()
	if err != nil {
		return err
	}
	if _, err := r.agent(ctx); err != nil {
		return err
	}
	if err := r.straight(); err != nil {
		return err
	}
	if !r.Agent.OK {
		return &journal.Failure{Kind: spec.ReasonAgent, Message: r.Agent.Reason}
	}
	open, err := r.unresolved(ctx, before)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		return r.clash(open, noMerge)
	}
	return nil
}
