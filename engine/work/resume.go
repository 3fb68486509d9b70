package work

import (
	"context"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
)

// resume continues with an attempt whose process was killed or stopped: once its agent has
// ended at collect, also where branch and journal say that the spec is completed, for an
// agent that has killed chant could have written both; at the landing only when that has
// happened. A branch that was brought up to date goes on behind that. nil means that a new
// attempt has to begin, or for work that is complete that a person has to ask for more:
// when it was not to land, or was cut short on its way there.
func resume(ctx context.Context, p *engine.Project, in WorkInput, s *spec.Spec, h *engine.Held) (*run.Run, journal.Step, error) {
	open := h.History.Open()
	if last := h.History.Last(); open == nil && s.Status == spec.Paused && last != nil && !last.Gone {
		open = last
	}
	if open == nil || s.Branch == "" {
		return nil, "", nil
	}
	job, err := run.Job(ctx, p, s, h.History, takenUp(open, in))
	if err != nil {
		return nil, "", err
	}
	r := run.NewRun(p, job, h.History, run.SettingsOf(p))
	r.Report, r.Commit = open.Report, open.Commit
	if r.Tree, err = engine.TreeOf(ctx, p, s.ID); err != nil {
		return nil, "", err
	}
	at := resumable{
		status: s.Status, tree: r.Tree != "", done: advice.WorkDone(s, h.History), noMerge: job.NoMerge,
		cutShort: h.History.CutShort() != "", caughtUp: open.CaughtUp(), ended: open.Agent != nil, passed: open.Agent != nil && open.Agent.OK,
	}
	if !at.resolved() { // else the agent that ended then is not the one of the work
		r.Agent = open.Agent
	}
	switch step := at.step(); step {
	case "":
		return nil, "", nil
	case journal.Land:
		landed, err := r.Lander.HasLanded(ctx)
		if landed || err != nil {
			return r, journal.Land, err
		}
		if err := r.Lander.PutBack(ctx); err != nil {
			return nil, "", err
		}
		return r, journal.Collect, nil // what the branch and the journal say is judged again
	default:
		return r, step, nil
	}
}

// resumable is what is known of an attempt that was killed or stopped.
type resumable struct {
	status   spec.Status
	tree     bool // its worktree is there
	done     bool // its work is complete
	noMerge  bool // it ends once the spec is completed on its branch
	cutShort bool // its process died while the branch was brought up to date
	caughtUp bool // the branch was brought up to date
	ended    bool // its agent has ended
	passed   bool // and reported success
}

// resolved reports whether an agent that resolved conflicts was the last to work.
func (a resumable) resolved() bool { return a.caughtUp && a.done && a.tree && !a.cutShort }

// step is where the attempt continues: at collect, at the landing if that has happened, or "" for a new attempt.
func (a resumable) step() journal.Step {
	switch {
	case a.cutShort && a.done:
		return ""
	case a.resolved():
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

// takenUp is the job of an attempt that is continued: how it was opened, and how far
// it was to go when someone took it up last.
func takenUp(a *journal.Attempt, in WorkInput) journal.Job {
	job := a.Job
	job.Attempt = a.Number
	job.NoMerge, job.KeepTree = a.Taken.NoMerge || in.NoMerge, a.Taken.KeepTree || in.KeepWorktree
	return job
}
