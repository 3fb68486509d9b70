package work

import (
	"context"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
)

// resume finds the attempt to resume, one whose process was killed or stopped, and the step at
// which it resumes. If the agent has ended, that is collect, even where branch and journal say
// that the spec is completed, because an agent that killed chant could have written both. It is
// the landing only if that has happened. After an update of the branch from the target it is
// collect, too. If this machine has a key and the journal is sealed with it, the attempt resumes after
// the last step that ended. A nil run means that a new attempt has to begin or, for complete work that was
// not to land or whose update was interrupted, that a person has to ask for the next step.
func resume(ctx context.Context, p *engine.Project, in WorkInput, s *spec.File, h *engine.Held) (*run.Run, journal.Step, error) {
	open := h.History.Open()
	if last := h.History.Last(); open == nil && s.Status == spec.Paused && last != nil && !last.Gone {
		open = last
	}
	if open == nil || s.Branch == "" {
		return nil, "", nil
	}
	facts, err := run.ReadFacts(ctx, p, &s.Spec, h.History)
	if err != nil {
		return nil, "", err
	}
	job := resumedJob(open, in)
	tree, err := engine.TreeOf(ctx, p, s.ID)
	if err != nil {
		return nil, "", err
	}
	at := resumable{
		status: s.Status, tree: tree != "", done: advice.IsWorkComplete(&s.Spec, h.History), noMerge: job.NoMerge,
		cutShort: h.History.CutShort() != "", caughtUp: open.CaughtUp(), ended: open.Agent != nil, passed: open.Agent != nil && open.Agent.OK,
	}
	from := at.step()
	if from == "" {
		return nil, "", nil
	}
	sealed, err := sealedStep(ctx, p, h, s, tree)
	if err != nil {
		return nil, "", err
	}
	if sealed != "" && from != journal.Land {
		from = sealed
	}
	r := run.NewRun(p, facts.Rest(job, from), h.History)
	r.Tree, r.Report, r.Commit = tree, open.Report, open.Commit
	if !at.wasUpdated() { // else the report is of the agent that resolved conflicts
		r.Agent = open.Agent
	}
	if from != journal.Land {
		return r, from, nil
	}
	landed, err := r.Lander.HasLanded(ctx)
	if landed || err != nil {
		return r, from, err
	}
	if err := r.Lander.PutBack(ctx); err != nil {
		return nil, "", err
	}
	if sealed == "" {
		sealed = journal.Collect // the work is judged again, whatever branch and journal say
	}
	r.Steps = facts.Rest(job, sealed).Steps
	return r, sealed, nil
}

// resumable is what is known about an attempt that was killed or stopped.
type resumable struct {
	status   spec.Status
	tree     bool // its worktree exists
	done     bool // its work is complete
	noMerge  bool // it ends once the spec is completed on its branch
	cutShort bool // its process died while it updated the branch from the target
	caughtUp bool // the branch was updated from the target
	ended    bool // its agent has ended
	passed   bool // and reported success
}

// wasUpdated reports whether the branch of complete work was updated from the target last, by a rebase or by an agent
// that resolved conflicts.
func (a resumable) wasUpdated() bool { return a.caughtUp && a.done && a.tree && !a.cutShort }

// step returns where the attempt resumes: at collect, at the landing if that has happened, or "" for a new attempt.
func (a resumable) step() journal.Step {
	switch {
	case a.cutShort && a.done:
		return ""
	case a.wasUpdated():
		return journal.Collect
	case a.status == spec.Completed && a.noMerge:
		return ""
	case a.status == spec.Completed:
		return journal.Land
	case a.ended && a.tree && (a.status == spec.InProgress || a.status == spec.Paused && a.passed):
		return journal.Collect
	}
	return ""
}

// resumedJob returns the job of an attempt that resumes: as it was opened, with no_merge and
// keep_worktree as they were given last.
func resumedJob(a *journal.Attempt, in WorkInput) journal.Job {
	job := a.Job
	job.Attempt = a.Number
	job.NoMerge, job.KeepTree = a.Taken.NoMerge || in.NoMerge, a.Taken.KeepTree || in.KeepWorktree
	return job
}
