package launch

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestAttemptNote: the prompt of a further attempt describes the result of the last one. That it was stopped is not
// described as its failure.
func TestAttemptNote(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		last *journal.Attempt
		want string
	}{
		"first":       {nil, ""},
		"dropped":     {&journal.Attempt{Gone: true, Reason: "exit code 1"}, ""},
		"landed":      {&journal.Attempt{Closed: true}, ""},
		"failed":      {&journal.Attempt{Closed: true, Reason: "exit code 1"}, "- The last attempt failed: exit code 1. What it committed"},
		"stopped":     {&journal.Attempt{Closed: true, Reason: attempt.StoppedReason, Code: spec.ReasonStopped}, "- The last attempt was stopped by a person. What it left"},
		"interrupted": {&journal.Attempt{}, "- The last attempt was interrupted. What it left"},
	} {
		r := &Briefing{Attempt: attempt.New(attempt.Attempt{}, &journal.History{}, nil)}
		if test.last != nil {
			r.Journal.History().Attempts = []*journal.Attempt{test.last}
		}
		got := r.attemptNote()
		assert.HasPrefix(t, got, test.want, "%s", name)
		assert.Equal(t, test.want == "", got == "", "%s", name)
	}
}
