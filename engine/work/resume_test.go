package work

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func TestResumable(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		at   resumable
		want journal.Step
	}{
		"killed while its agent worked":            {resumable{status: spec.InProgress, tree: true}, ""},
		"killed after its agent":                   {resumable{status: spec.InProgress, tree: true, ended: true}, journal.Collect},
		"killed after its agent, without a tree":   {resumable{status: spec.InProgress, ended: true}, ""},
		"paused, its agent had passed":             {resumable{status: spec.Paused, tree: true, ended: true, passed: true}, journal.Collect},
		"paused, its agent had failed":             {resumable{status: spec.Paused, tree: true, ended: true}, ""},
		"failed":                                   {resumable{status: spec.Failed, tree: true, ended: true, passed: true}, ""},
		"completed":                                {resumable{status: spec.Completed, tree: true, ended: true, done: true}, journal.Land},
		"completed, without a tree":                {resumable{status: spec.Completed, done: true}, journal.Land},
		"completed, not to land":                   {resumable{status: spec.Completed, noMerge: true, done: true}, ""},
		"killed while it was brought up to date":   {resumable{status: spec.Completed, tree: true, done: true, cutShort: true}, ""},
		"brought up to date":                       {resumable{status: spec.Completed, tree: true, done: true, caughtUp: true}, journal.Collect},
		"brought up to date, without a tree":       {resumable{status: spec.Completed, done: true, caughtUp: true}, journal.Land},
		"brought up to date, flagged since":        {resumable{status: spec.NeedsAttention, tree: true, done: true, caughtUp: true}, journal.Collect},
		"brought up to date, work not complete":    {resumable{status: spec.InProgress, tree: true, caughtUp: true, ended: true}, journal.Collect},
		"brought up to date, then cut short again": {resumable{status: spec.NeedsAttention, tree: true, done: true, caughtUp: true, cutShort: true}, ""},
	} {
		assert.Equal(t, tc.want, tc.at.step(), "%s", name)
	}
}

// TestResumedJob: an attempt resumes as it was opened, with no_merge and keep_worktree as they were given last or now.
func TestResumedJob(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		taken, want journal.Job
		in          Options
	}{
		"as before":       {journal.Job{}, journal.Job{}, Options{}},
		"not to land":     {journal.Job{NoMerge: true}, journal.Job{NoMerge: true}, Options{}},
		"not to land now": {journal.Job{}, journal.Job{NoMerge: true}, Options{NoMerge: true}},
		"keeps its tree":  {journal.Job{KeepTree: true}, journal.Job{KeepTree: true}, Options{}},
		"keeps it now":    {journal.Job{}, journal.Job{KeepTree: true}, Options{KeepWorktree: true}},
	} {
		a := &journal.Attempt{Number: 3, Job: journal.Job{ID: "001", Provider: "claude", NoMerge: true, KeepTree: true, Attempt: 1}, Taken: tc.taken}
		got := resumedJob(a, WorkInput{Options: tc.in})
		assert.Equal(t, "001", got.ID, "%s", name)
		assert.Equal(t, "claude", got.Provider, "%s", name)
		assert.Equal(t, 3, got.Attempt, "%s", name)
		assert.Equal(t, tc.want.NoMerge, got.NoMerge, "%s", name)
		assert.Equal(t, tc.want.KeepTree, got.KeepTree, "%s", name)
	}
}
