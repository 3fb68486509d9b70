package advice

import (
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestEarlyEnd: a failed set-up counts until a person has done something since, and nothing else does.
func TestEarlyEnd(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	// After the settings were written.
	begun := time.Now().Add(time.Hour)
	began := map[journal.Step]journal.State{journal.Agent: journal.Begin}
	for name, tc := range map[string]struct {
		status spec.Status
		last   journal.Attempt
		want   string
	}{
		"the set-up failed":   {spec.Pending, journal.Attempt{Closed: true, Opened: begun, Code: spec.ReasonSetup, Reason: "no"}, "no"},
		"git failed":          {spec.Pending, journal.Attempt{Closed: true, Opened: begun, Code: spec.ReasonError, Reason: "no"}, ""},
		"stopped by a person": {spec.Pending, journal.Attempt{Closed: true, Opened: begun, Code: spec.ReasonStopped, Reason: "stopped"}, ""},
		"reset since":         {spec.Pending, journal.Attempt{Closed: true, Opened: begun, Code: spec.ReasonSetup, Reason: "no", Gone: true}, ""},
		"settings since":      {spec.Pending, journal.Attempt{Closed: true, Opened: begun.Add(-2 * time.Hour), Code: spec.ReasonSetup, Reason: "no"}, ""},
		"an agent began":      {spec.Pending, journal.Attempt{Closed: true, Opened: begun, Code: spec.ReasonError, Reason: "no", Steps: began}, ""},
		"not pending":         {spec.Failed, journal.Attempt{Closed: true, Opened: begun, Code: spec.ReasonSetup, Reason: "no"}, ""},
	} {
		got := EarlyEnd(p, &spec.Spec{ID: "001", Status: tc.status}, &journal.History{Attempts: []*journal.Attempt{&tc.last}})
		assert.Equal(t, tc.want, got, "%s", name)
	}
}
