package view

import (
	"strconv"
	"testing"
	"time"

	"chant/engine/run/train"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestQueueItems describes a queue in which one lands, one is held, one has failed and one is checked.
func TestQueueItems(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	g := spec.NewGraph([]*spec.Spec{{ID: "a", Title: "First", Fields: spec.Fields{Priority: "high"}}}, nil)
	cars := []train.Car{
		{ID: "a", State: train.Landing, Tree: "t1", Since: now, Seconds: 10, Load: 1},
		{ID: "b", State: train.Held, Stopped: true, Since: now},
		{ID: "c", State: train.Failed, Why: "bad", Since: now},
		{ID: "d", State: train.Checking, Why: "left over", Since: now, Seconds: 20, Began: now.Add(-5 * time.Second)},
	}
	want := []QueueItem{
		{ID: "a", Title: "First", Priority: "high", Position: 1, State: "landing", WaitsFor: []Wait{}, Tree: "t1", Since: now, Load: 1, Expected: now.Add(10 * time.Second)},
		{ID: "b", Position: 2, State: "held", WaitsFor: []Wait{{Why: "held by a person"}}, Since: now},
		{ID: "c", Position: 3, State: "failed", WaitsFor: []Wait{{"a", "lands before it"}}, Since: now, Why: "bad"},
		{ID: "d", Position: 4, State: "checking", WaitsFor: []Wait{{"a", "lands before it"}, {"c", "lands before it"}}, Since: now, Expected: now.Add(15 * time.Second)},
	}
	assert.Equal(t, want, queueItems(g, cars, 0, now))
}

// TestQueueWaits_many counts those that a long list leaves out.
func TestQueueWaits_many(t *testing.T) {
	t.Parallel()
	var before []string
	for i := range listedWaits + 5 {
		before = append(before, strconv.Itoa(i))
	}
	got := queueWaits(before, train.Waiting)
	assert.Equal(t, listedWaits+1, len(got))
	assert.Equal(t, Wait{Why: "5 more land before it"}, got[listedWaits])
}
