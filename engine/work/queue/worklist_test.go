package queue

import (
	"testing"

	"chant/engine/run/runtest"

	"github.com/alecthomas/assert/v2"
)

// TestWorkList lists a run whose process died as stale, and one that a process holds as running.
func TestWorkList(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	got, err := WorkList(t.Context(), r.P, WorkListInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(got.Processes))
	assert.Equal(t, WorkSummary{Stale: 1}, got.Summary)
	assert.Equal(t, runtest.ID, got.Processes[0].SpecID)
	assert.Equal(t, 0, got.Processes[0].PID)
	hold(t, r.P, runtest.ID)
	got, err = WorkList(t.Context(), r.P, WorkListInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(got.Processes))
	assert.Equal(t, WorkSummary{Running: 1}, got.Summary)
	assert.NotEqual(t, 0, got.Processes[0].PID)
	assert.NotEqual(t, "", got.Processes[0].Since)
}

// TestWorkListResult_add: an interrupted run is stale, and a run that waits for a person counts as running, too.
func TestWorkListResult_add(t *testing.T) {
	t.Parallel()
	var r WorkListResult
	for _, status := range []string{"running", "waiting", "interrupted", "running"} {
		r.add(WorkProcess{Status: status})
	}
	assert.Equal(t, WorkSummary{Running: 3, Waiting: 1, Stale: 1}, r.Summary)
	assert.Equal(t, 4, len(r.Processes))
	one := r.Processes[2]
	assert.Equal(t, "stale", one.Status)
	assert.Equal(t, "process_dead", one.Warning)
}
