package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/edits"
	"chant/engine/run/guard"
	"chant/engine/run/judge"
	"chant/engine/run/launch"
	"chant/engine/run/tree"
	"chant/engine/spec/next"
	"chant/gitops"
	"chant/markdown"
)

// Run executes one attempt, or the rest of one. The attempt is what was decided before; what the steps find is in the
// part that finds it: the worktree in Trees, the agent's report in Launcher, that of the criteria in Judge, the landing in
// Lander.
type Run struct {
	*attempt.Attempt
	Trees    *tree.Trees
	Places   *tree.Places
	Guard    *guard.Guard
	Judge    *judge.Judge
	Briefing *launch.Briefing
	Launcher *launch.Launcher
	Edits    *edits.Edits
	Lander   *judge.Lander

	Steps []journal.Step // what Execute carries out
	Opens bool           // Begin opens a new attempt

	// Retry returns how long to wait before starting the agent again after a failure with this text and so many retries;
	// nil = it is not started again.
	Retry func(retries int, said string) (time.Duration, bool)
	// Measure returns how strong the criteria are for the work on the branch, nil if that is not known; nil = it is not measured
	// before the landing.
	Measure func(context.Context) (*criteria.Strength, error)
	// AfterLanding is called when the work has landed; it may be nil.
	AfterLanding func(context.Context)
	// ExtraEdit makes further changes of the spec in the complete commit; nil = none.
	ExtraEdit func(*markdown.Document) (*markdown.Document, error)

	Commit string // the complete commit, "" before
	Waits  string // the approval that it waits for before landing
}

// newRun creates a run around an attempt, with the parts that its steps use.
func newRun(a *attempt.Attempt) *Run {
	trees := &tree.Trees{Attempt: a}
	places := &tree.Places{Attempt: a, Trees: trees}
	g := &guard.Guard{Attempt: a, Trees: trees, Places: places}
	j := &judge.Judge{Attempt: a, Trees: trees, Places: places, Guard: g}
	b := &launch.Briefing{Attempt: a}
	e := &edits.Edits{Attempt: a, Trees: trees}
	return &Run{
		Attempt: a, Trees: trees, Places: places, Guard: g, Judge: j, Briefing: b, Edits: e,
		Launcher: &launch.Launcher{Attempt: a, Trees: trees, Places: places, Guard: g, Briefing: b},
		Lander:   &judge.Lander{Attempt: a, Trees: trees, Places: places, Guard: g, Judge: j},
	}
}

// Begin records that the plan begins: it opens an attempt in the journal, or continues the last one, of which
// everything stays known. The caller holds the lock.
func (r *Run) Begin(ctx context.Context) error {
	// Before anything is recorded: a mistake in a file of the project fails no run. What a killed run has left is put in order
	// all the same.
	if len(r.Steps) > 0 && r.Settings.Unread != nil {
		return r.Settings.Unread
	}
	// A person's edit during the attempt is found later by comparing with this copy, so it is recorded before any step.
	home, err := r.Edits.CompareFrom(ctx)
	if err != nil {
		return err
	}
	rec := journal.Record{Step: journal.Open, State: journal.Note, Home: home}
	if r.Opens || r.Journal.History().Last() == nil || r.Journal.History().Last().Gone {
		rec.State = journal.Begin
	}
	return r.Journal.Write(rec, r.Job)
}

// Execute carries out the steps of the run's plan, and closes the attempt unless the process is killed. The error is a
// *Failure, the context's, or that of whatever broke; the status on the branch is then already written.
func (r *Run) Execute(ctx context.Context) (err error) {
	steps := r.Steps
	begins := steps[0].Word()
	if r.Job.Provider != "" { // else no agent starts
		begins += fmt.Sprintf(", provider %q", r.Job.Provider)
	}
	if err := r.Log.Open(begins); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Log.Close()) }()
	// The lock on the ports lasts as long as this process: two runs that work at the same time must not share a server.
	giveBack, err := r.Trees.LeasePorts()
	if err != nil {
		return errors.Join(r.settle(ctx, steps[0], err), r.close(ctx))
	}
	defer func() { err = errors.Join(err, giveBack()) }()
	defer r.Judge.EndBase()
	for _, step := range steps {
		// A missing approval is not a failure: the branch stays complete, and the attempt is closed as usual.
		if r.Waits = r.Guard.MissingApproval(ctx, step); r.Waits != "" {
			break
		}
		if err = r.do(ctx, step); err != nil {
			cause := err
			// What has landed cannot fail any more, so rests of the run are only a warning; cleanup finds them again.
			if err = r.settle(ctx, step, err); step == journal.Clean && r.Lander.Landed && ctx.Err() == nil {
				r.Announce(journal.Clean, "warning", "%s has landed, but not all of its run could be removed: %s; %s does that later", r.Job.ID, cause, next.Cleanup.On())
				err = nil
			}
			break
		}
	}
	closing := r.close(ctx)
	if err != nil {
		return err
	}
	return closing
}

// do carries out one step between its two records.
func (r *Run) do(ctx context.Context, step journal.Step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Written before acting: after a kill, the record says which step may be half done.
	if err := r.Journal.Record(step, journal.Begin, nil); err != nil {
		return err
	}
	r.Announce(step, "begin", "%s", r.intent(step))
	found, err := r.act(ctx, step)
	if err != nil {
		return err
	}
	return r.Journal.RecordDone(step, found.data())
}

// intent describes a step that is about to start.
func (r *Run) intent(step journal.Step) string {
	switch step {
	case journal.Branch:
		return fmt.Sprintf("%s from %s", r.Job.Branch, r.Job.Target)
	case journal.Agent:
		return fmt.Sprintf("%s, attempt %d", r.Job.Provider, r.Job.Attempt)
	case journal.Verify:
		return "criteria of the start commit"
	case journal.Land, journal.Rebase:
		return "on " + r.Job.Target
	case journal.Resolve:
		return fmt.Sprintf("%s merged into %s, by %s", r.Job.Target, r.Job.Branch, r.Job.Provider)
	}
	return ""
}

// finding is what a step has found, as the journal records it: one of the fields, or nothing.
type finding struct {
	name   *string // a commit or the path of the worktree
	agent  *journal.AgentReport
	report *criteria.Report
}

// named is the finding of a step that leads to a commit or a worktree; "" is recorded, too.
func named(name string, err error) (finding, error) { return finding{name: &name}, err }

// data returns what is written into the record of the step, nil for nothing.
func (f finding) data() any {
	switch {
	case f.name != nil:
		return *f.name
	case f.agent != nil:
		return f.agent
	case f.report != nil:
		return *f.report
	}
	return nil
}

// act carries out one step.
func (r *Run) act(ctx context.Context, step journal.Step) (finding, error) {
	switch step {
	case journal.Branch:
		start, err := r.branch(ctx)
		// An attempt on a branch that exists has made no start commit.
		if start == "" {
			return finding{}, err
		}
		return named(start, err)
	case journal.Worktree:
		return named(r.Trees.Worktree(ctx))
	case journal.Setup:
		return finding{}, r.Trees.Setup(ctx, r.Trees.Tree)
	case journal.Prompt:
		return finding{}, r.Briefing.Prompt(ctx, launch.Site{Tree: r.Trees.Tree})
	case journal.Agent:
		if err := r.Judge.BeginBase(ctx); err != nil {
			return finding{}, err
		}
		report, err := r.Launcher.RunAgent(ctx)
		return finding{agent: report}, err
	case journal.Rebase:
		return named(r.rebase(ctx))
	case journal.Resolve:
		return named(r.resolve(ctx))
	case journal.Collect:
		return named(r.collectStep(ctx))
	case journal.Verify:
		report, err := r.verify(ctx)
		return finding{report: &report}, err
	case journal.Complete:
		return named(r.complete(ctx))
	case journal.Land:
		return named(r.land(ctx))
	case journal.Clean:
		return finding{}, r.Trees.CleanUp(ctx, r.Lander.Landed)
	}
	return finding{}, fmt.Errorf("no step %q", step)
}

// verify judges the work, and measures the criteria where that is done before the landing.
func (r *Run) verify(ctx context.Context) (criteria.Report, error) {
	report, err := r.Judge.Verify(ctx)
	if err != nil || r.Measure == nil {
		return report, err
	}
	return r.Judge.AddStrength(ctx, r.Measure)
}

// LastComplete returns the newest complete commit that is known in this repository, "" if there is none.
func (r *Run) LastComplete() string {
	return cmp.Or(r.Commit, r.Journal.History().CompleteCommit())
}

// land lands the complete work, and returns the merge commit.
func (r *Run) land(ctx context.Context) (string, error) {
	merge, err := r.Lander.Land(ctx, r.LastComplete())
	if err == nil && r.AfterLanding != nil {
		// The target has moved already, so nothing that follows can fail the step.
		r.AfterLanding(ctx)
	}
	return merge, err
}

// close ends the attempt. It records the tip of the branch: later commits, before the next attempt starts, are a
// person's.
func (r *Run) close(ctx context.Context) error {
	// Also after a stop: without the tip, the next attempt would take a person's commits for the agent's.
	tip, err := r.Repo.Resolve(context.WithoutCancel(ctx), "refs/heads/"+r.Job.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return r.Journal.Record(journal.Close, journal.Done, nil)
	}
	if err != nil {
		return errors.Join(err, r.Journal.Record(journal.Close, journal.Done, nil))
	}
	var home *journal.HomeCopy
	// A landing has written home's copy itself, which would look like an edit of a person.
	if !r.Lander.Landed {
		home, err = r.Edits.EditedMeanwhile(context.WithoutCancel(ctx))
	}
	return errors.Join(err, r.Journal.Write(journal.Record{Step: journal.Close, State: journal.Done, Home: home}, tip))
}
