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

// TestWorkListResult_add: an interrupted run is stale, and a run that waits for a person counts as running, too.
func TestWorkListResult_add(t *testing.T) {
	t.Parallel()
	var r WorkListResult
	for _, status := range []string{"running", "waiting", "interrupted", "running"} {
		r.add(WorkProcess{Status: status})
	}
	if r.Summary != (WorkSummary{Running: 3, Waiting: 1, Stale: 1}) || len(r.Processes) != 4 {
		t.Errorf("%+v", r)
	}
	if one := r.Processes[2]; one.Status != "stale" || one.Warning != "process_dead" {
		t.Errorf("%+v", one)
	}
}
