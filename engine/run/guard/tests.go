package guard

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
)

// This file is about failing tests, which land with the spec that makes them pass.

// landsAlone refuses failing tests: the target would be red until they pass.
func (g *Guard) landsAlone(ctx context.Context) error {
	start, err := g.Trusted(ctx)
	if err != nil || start.Fields.RedFor == "" {
		return err
	}
	return RedAlone(g.Job.ID, start.Fields.RedFor)
}

// RedAlone is the failure of failing tests that were to land alone.
func RedAlone(id, green string) *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonRed, Next: next.Work.On(green),
		Message: fmt.Sprintf("%q has tests that must fail until %q is done (red_for), and lands with it", id, green),
	}
}

// mayUseTests checks that the failing tests with which the run began are still those of a completed spec that people let land.
func (g *Guard) mayUseTests(ctx context.Context, target string) error {
	id, commit, err := g.Tests(ctx)
	if err != nil || id == "" {
		return err
	}
	h, err := journal.ReadSealed(g.Store, id)
	if err != nil {
		return err
	}
	job := journal.Job{ID: id, Branch: g.Store.Branch(id), Target: g.Job.Target, SkipApproval: g.Job.SkipApproval}
	tip, err := g.Repo.Resolve(ctx, "refs/heads/"+job.Branch)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	if tip != commit {
		return &journal.Failure{
			Kind: spec.ReasonChanged, Next: next.Reset.On(g.Job.ID),
			Message: fmt.Sprintf("%q began with the tests of %q as of commit %s, and its branch is no longer there", g.Job.ID, id, attempt.Short(commit)),
		}
	}
	a := g.ForJob(job, h)
	trees := &tree.Trees{Attempt: a}
	tests := &Guard{Attempt: a, Trees: trees, Places: &tree.Places{Attempt: a, Trees: trees}}
	start, err := tests.Trusted(ctx)
	if err != nil {
		return err
	}
	if start.Fields.RedFor != g.Job.ID {
		return attempt.TamperFailure([]string{fmt.Sprintf("the branch began with the work of %q, which lands by itself", id)})
	}
	_, err = tests.MayBeUsed(ctx, target, tip, h.CompleteCommit())
	return err
}

// ownPaths lists the spec files that the run may change: its own, and that of the tests with which it began.
func (g *Guard) ownPaths(ctx context.Context) ([]string, error) {
	own := []string{store.SpecPath(g.Job.ID)}
	id, _, err := g.Tests(ctx)
	if err == nil && id != "" {
		own = append(own, store.SpecPath(id))
	}
	return own, err
}
