package work

import (
	"context"
	"path/filepath"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// workResult describes a run after it ended, from its state and from the repository.
func workResult(ctx context.Context, p *engine.Project, r *run.Run, err error) WorkResult {
	calm := context.WithoutCancel(ctx)
	res := WorkResult{
		ID: r.Job.ID, Title: r.Job.Title, Landed: r.Landed, Attempt: r.Job.Attempt, Provider: r.Job.Provider, Model: r.Job.Model,
		Branch: r.Job.Branch, Target: r.Job.Target, Commit: r.Commit, Landing: r.Lander.Landing, Rescued: r.Trees.Rescued,
		Criteria: r.Report.Criteria, Agent: r.Agent, Waits: r.Waits,
	}
	if r.Report.SpecID != "" {
		res.Verification = criteria.Sum(r.Report.Criteria)
	}
	if r.Agent != nil && r.Agent.Model != "" {
		res.Model = r.Agent.Model
	}
	if err != nil {
		res.Reason, res.Code = p.Secrets.Text(engine.Wrap(err, r.Job.ID).Error()), journal.CodeOf(err)
	}
	if s, err := p.Store.Get(calm, r.Job.ID); err == nil {
		res.Status = s.Status
	}
	if r.Landed {
		res.Status = spec.Completed // home may have another branch checked out
	}
	if r.Landed && r.Lander.Landing != "" {
		res.Changed = sizeOfLanding(calm, p.Repo, r.Lander.Landing)
		if found, err := landedSignature(calm, p, r.Lander.Landing); err != nil {
			engine.Warn(p, r.Job.ID, "it is not known who has signed the evidence: "+err.Error())
		} else {
			res.Signature = found
		}
	}
	if tree, err := engine.TreeOf(calm, p, r.Job.ID); err == nil && tree != "" {
		res.Worktree = filepath.ToSlash(tree)
	}
	return res
}

// sizeOfLanding returns the size of what a landing changed in its target, nil if that is unknown.
func sizeOfLanding(ctx context.Context, repo *gitops.Repo, merge string) *gitops.ChangeSize {
	c, err := repo.ReadCommit(ctx, merge)
	if err != nil || len(c.Parents) == 0 {
		return nil
	}
	size, err := repo.SizeOfChange(ctx, c.Parents[0], merge, store.Dir)
	if err != nil {
		return nil
	}
	return &size
}

// concludeRun completes the drivers of a spec that landed without a merge by this process, and returns the result of
// the run and its error, with the next step out of a conflict.
func concludeRun(ctx context.Context, p *engine.Project, r *run.Run, err error) (WorkResult, error) {
	if err == nil && r.Landed && r.Lander.Landing == "" { // merged by hand, or by a process that died before it completed the drivers
		err = settleDriversOf(ctx, p, r.Job.ID, "Its last member "+r.Job.ID+" is done.")
	}
	result := workResult(ctx, p, r, err)
	return result, advice.WithStepOutOfConflict(ctx, p, r.Job.ID, err)
}
