package work

import (
	"testing"

	"chant/engine/journal"
	"chant/engine/spec"
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
		if got := tc.at.step(); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
