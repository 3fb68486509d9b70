package run

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/gitops"
)

// Plan is what an attempt, or the rest of one, will do. It is a value, decided before the first step from Facts;
// deciding reads and writes nothing. What the steps find does not change it: a failure ends it, and decideEnding decides
// what follows.
type Plan struct {
	Job      journal.Job
	Settings attempt.Settings
	Steps    []journal.Step // in the order of execution; none for a run that only answers questions
	Opens    bool           // a new attempt; else the last one continues
	Asked    bool           // a person asks whether the work is done; nothing fails when it is not
	Accepted bool           // and accepts changes that a run must not make
}

// Facts are what a plan is decided from. ReadFacts reads each of them once.
type Facts struct {
	ID, Title string
	Settings  attempt.Settings // the project's, before a command's flags
	Target    string           // the branch on which the work lands
	Tip       string           // of Target; "" while it has no commit
	Branch    string           // of the run
	Silent    bool             // git ignores .chant
	RedFor    string           // the spec with which its failing tests land; "" if it lands alone
	Attempt   int              // the number of the last attempt, 0 for none
	RunID     string           // a new random mark for the processes of the run
}

// ReadFacts reads what plans for s are decided from. Errors: NotFound for a missing target, Conflict if git cannot
// create the run's branch because of another one.
func ReadFacts(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) (Facts, error) {
	f := Facts{ID: s.ID, Title: s.Title, Settings: SettingsOf(p), Branch: p.Store.Branch(s.ID)}
	started, err := StartedSpec(ctx, p, s, h)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return f, err
	}
	if err == nil && started.WritesRed() {
		f.RedFor = started.Fields.RedFor
	}
	if f.Target, err = TargetOf(ctx, p, s, h); err != nil {
		return f, err
	}
	f.Tip, err = p.Repo.Resolve(ctx, "refs/heads/"+f.Target)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return f, err
	}
	tracked, err := p.Store.Tracked(ctx)
	if err != nil {
		return f, err
	}
	f.Silent = !tracked
	if err := checkBranchFree(ctx, p, f.Branch); err != nil {
		return f, err
	}
	if f.Attempt, err = lastAttempt(ctx, p, f.Branch, h); err != nil {
		return f, err
	}
	f.RunID, err = RunID(p)
	return f, err
}

// Start plans a new attempt: from creating its branch to landing, or to the complete commit for a job that must not
// land.
func (f Facts) Start(asked journal.Job, set attempt.Settings) Plan {
	p := f.Rest(asked, journal.Branch)
	p.Opens, p.Settings = true, set
	p.Job.Attempt, p.Job.Base = f.Attempt+1, f.Tip
	return p
}

// TestsOf returns the tip of a branch with failing tests for the spec green, after it has checked that the run of that may begin with
// it and land it.
func TestsOf(ctx context.Context, p *engine.Project, tests *spec.Spec, green string) (string, error) {
	h, err := journal.ReadSealed(p.Store, tests.ID)
	if err != nil {
		return "", err
	}
	facts, err := ReadFacts(ctx, p, tests, h)
	if err != nil {
		return "", err
	}
	// Its agent may have written the key into its copy.
	if facts.RedFor != green {
		return "", engine.Fail(engine.Conflict, next.Merge.On(tests.ID), "spec %q had no red_for for %q when its work began: it lands by itself", tests.ID, green)
	}
	r := NewRun(p, facts.Question(journal.Job{}), h)
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return "", err
	}
	_, err = r.Guard.MayBeUsed(ctx, facts.Tip, tip, r.LastComplete())
	return tip, err
}

// Rest plans the steps of the last attempt from one to its end.
func (f Facts) Rest(asked journal.Job, from journal.Step) Plan {
	last := journal.Clean
	// A landing that was begun is carried to its end: the target may have moved already.
	if (asked.NoMerge || f.RedFor != "") && attempt.Precedes(from, journal.Land) {
		last = journal.Complete
	}
	p := f.Question(asked)
	p.Steps = attempt.StepsBetween(from, last)
	return p
}

// CatchUp plans to update the branch of complete work by Rebase or Resolve, and to judge and land it again.
func (f Facts) CatchUp(asked journal.Job, how journal.Step) Plan {
	last := journal.Clean
	if f.RedFor != "" {
		last = journal.Complete
	}
	p := f.Question(asked)
	p.Steps = append([]journal.Step{how}, attempt.StepsBetween(journal.Collect, last)...)
	return p
}

// Finish plans to complete work at a person's request, who may accept changes that a run must not make.
func (f Facts) Finish(asked journal.Job, accept bool) Plan {
	p := f.Question(asked)
	p.Steps, p.Asked, p.Accepted = []journal.Step{journal.Complete}, true, accept
	return p
}

// Question plans no step: for a run that is asked about or dropped.
func (f Facts) Question(asked journal.Job) Plan {
	asked.ID, asked.Title, asked.Branch, asked.Target, asked.Silent, asked.RunID = f.ID, f.Title, f.Branch, f.Target, f.Silent, f.RunID
	if asked.Attempt == 0 {
		asked.Attempt = f.Attempt
	}
	return Plan{Job: asked, Settings: f.Settings}
}
