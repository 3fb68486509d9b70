package queue

import (
	"testing"

	"chant/engine/run/runtest"
)

// TestWorkList lists a run whose process died as stale, and one that a process holds as running.
func TestWorkList(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	got, err := WorkList(t.Context(), r.P, WorkListInput{})
	if err != nil || len(got.Processes) != 1 || got.Summary != (WorkSummary{Stale: 1}) || got.Processes[0].SpecID != runtest.ID || got.Processes[0].PID != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	hold(t, r.P, runtest.ID)
	got, err = WorkList(t.Context(), r.P, WorkListInput{})
	if err != nil || len(got.Processes) != 1 || got.Summary != (WorkSummary{Running: 1}) || got.Processes[0].PID == 0 || got.Processes[0].Since == "" {
		t.Errorf("%+v, %v", got, err)
	}
}
