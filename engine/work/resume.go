package work

import (
	"context"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
)

// resume goes on with an attempt whose process was killed or stopped: once its agent has
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
	switch caughtUp := open.CaughtUp() && advice.WorkDone(s, h.History); {
	case h.History.CutShort() != "" && advice.WorkDone(s, h.History):
		return nil, "", nil
	case caughtUp && r.Tree != "": // the agent that ended then is not the one of the work
		return r, journal.Collect, nil
	}
	r.Agent = open.Agent
	switch ended := open.Agent != nil && (s.Status == spec.InProgress || s.Status == spec.Paused && open.Agent.OK); {
	case s.Status == spec.Completed && job.NoMerge:
		return nil, "", nil
	case s.Status == spec.Completed:
		landed, err := r.Lander.HasLanded(ctx)
		if landed || err != nil {
			return r, journal.Land, err
		}
		if err := r.Lander.PutBack(ctx); err != nil {
			return nil, "", err
		}
		return r, journal.Collect, nil // what the branch and the journal say is judged again
	case ended && r.Tree != "":
		return r, journal.Collect, nil
	}
	return nil, "", nil
}

// takenUp is the job of an attempt that is gone on with: how it was opened, and how far
// it was to go when somebody took it up last.
func takenUp(a *journal.Attempt, in WorkInput) journal.Job {
	job := a.Job
	job.Attempt = a.Number
	job.NoMerge, job.KeepTree = a.Taken.NoMerge || in.NoMerge, a.Taken.KeepTree || in.KeepWorktree
	return job
}
