package work

import (
	"testing"

	"chant/engine"
	"chant/engine/run/runtest"
	"chant/engine/spec"
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
			if err != nil {
				t.Fatal(err)
			}
			found, settled, err := RecoverHeld(t.Context(), r.P, h, false)
			if releaseErr := h.Release(); err != nil || releaseErr != nil || settled != tc.settled || (found != nil) != (tc.what != "") {
				t.Fatalf("%+v, %t, %v, %v", found, settled, err, releaseErr)
			}
			if found != nil && (found.What != tc.what || found.ID != runtest.ID) {
				t.Errorf("%+v, want %q", found, tc.what)
			}
			if got := r.Status(); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
			if tc.at.name == "agent died" && r.Git("show", r.Job.Branch+":half.txt") != "half of it" {
				t.Error("what the agent left is not on the branch")
			}
		})
	}
}
