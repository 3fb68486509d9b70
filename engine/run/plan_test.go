package run_test

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/attempt"

	"github.com/alecthomas/assert/v2"
)

// TestFacts_plans: the steps of every kind of plan, and whether it opens an attempt.
func TestFacts_plans(t *testing.T) {
	t.Parallel()
	f := run.Facts{ID: "001", Attempt: 2}
	all := attempt.StepsBetween(journal.Branch, journal.Clean)
	judged := attempt.StepsBetween(journal.Collect, journal.Clean)
	short := journal.Job{NoMerge: true}
	for name, tc := range map[string]struct {
		plan   run.Plan
		steps  []journal.Step
		opens  bool
		number int
	}{
		"a new attempt":                  {f.Start(journal.Job{}, attempt.Settings{}), all, true, 3},
		"a new attempt, not to land":     {f.Start(short, attempt.Settings{}), attempt.StepsBetween(journal.Branch, journal.Complete), true, 3},
		"the rest after the agent":       {f.Rest(journal.Job{}, journal.Collect), judged, false, 2},
		"the rest, not to land":          {f.Rest(short, journal.Collect), attempt.StepsBetween(journal.Collect, journal.Complete), false, 2},
		"the rest of a numbered attempt": {f.Rest(journal.Job{Attempt: 1}, journal.Collect), judged, false, 1},
		"a landing":                      {f.Rest(journal.Job{}, journal.Land), []journal.Step{journal.Land, journal.Clean}, false, 2},
		"a landing that was not to be":   {f.Rest(short, journal.Land), []journal.Step{journal.Land, journal.Clean}, false, 2},
		"a rebase":                       {f.CatchUp(journal.Job{}, journal.Rebase), append([]journal.Step{journal.Rebase}, judged...), false, 2},
		"conflicts for an agent":         {f.CatchUp(short, journal.Resolve), append([]journal.Step{journal.Resolve}, judged...), false, 2},
		"a question":                     {f.Question(short), nil, false, 2},
	} {
		assert.Equal(t, tc.steps, tc.plan.Steps, "%s", name)
		assert.Equal(t, tc.opens, tc.plan.Opens, "%s: opens", name)
		assert.Equal(t, tc.number, tc.plan.Job.Attempt, "%s: opens", name)
	}
}

// TestFacts_job: a job has what the facts fix, whatever was asked for, and keeps everything else.
func TestFacts_job(t *testing.T) {
	t.Parallel()
	f := run.Facts{
		ID: "001", Title: "Do it", Branch: "chant/001", Target: "main", Tip: "c0ffee", Silent: true, RunID: "r2", Attempt: 2,
		Settings: attempt.Settings{Project: "p"},
	}
	asked := journal.Job{ID: "002", Branch: "x", Target: "y", Base: "b", RunID: "r1", Provider: "claude", Model: "m", Session: "s", KeepTree: true}
	want := journal.Job{
		ID: "001", Title: "Do it", Attempt: 2, Branch: "chant/001", Target: "main", Base: "b", RunID: "r2", Silent: true,
		Provider: "claude", Model: "m", Session: "s", KeepTree: true,
	}
	got := f.Rest(asked, journal.Collect)
	assert.Equal(t, want, got.Job)
	assert.Equal(t, "p", got.Settings.Project)
	want.Attempt, want.Base = 3, "c0ffee"
	got = f.Start(asked, attempt.Settings{Prompt: "Do it."})
	assert.Equal(t, want, got.Job)
	assert.Equal(t, "Do it.", got.Settings.Prompt)
}
