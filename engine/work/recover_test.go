package work

import (
	"testing"

	"chant/engine"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestRecover settles runs whose process died: undone when no agent had started, else paused with everything the agent
// left committed. A run that has ended or landed is not found.
func TestRecover(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		at      stage
		what    string // "" when nothing is found
		settled bool
		want    spec.Status
	}{
		{began(), "undone: no agent had started", true, spec.Pending},
		{agentDied(), "paused, with what the agent had left committed", true, spec.Paused},
		{failed(), "", false, spec.Failed},
		{landed(), "", false, spec.Completed},
	} {
		t.Run(tc.at.name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			tc.at.take(t, r)
			h, err := engine.Hold(t.Context(), r.P, runtest.ID, "recover")
			assert.NoError(t, err)
			found, settled, err := RecoverHeld(t.Context(), r.P, h, false)
			releaseErr := h.Release()
			assert.NoError(t, err)
			assert.NoError(t, releaseErr)
			assert.Equal(t, tc.settled, settled)
			assert.Equal(t, tc.what != "", found != nil)
			assert.False(t, found != nil && (found.What != tc.what || found.ID != runtest.ID), "%+v, want %q", found, tc.what)
			assert.Equal(t, tc.want, r.Status())
			if tc.at.name == "agent died" && r.Git("show", r.Job.Branch+":half.txt") != "half of it" {
				t.Error("what the agent left is not on the branch")
			}
		})
	}
}
