package sprint

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chant/engine/spec/task"

	"github.com/alecthomas/assert/v2"
)

func sample() (*Sprint, []Member) {
	s := &Sprint{
		ID: 1, Plan: Plan{StartsAt: "2026-11-01", EndsAt: "2026-11-05", Capacity: Capacity{Points: 10}},
		Actual: Actual{StartedAt: "2026-11-01T08:00:00Z"},
	}
	points := func(n float64) task.Effort { return task.Effort{Points: n, Kind: task.InPoints} }
	return s, []Member{
		{ID: "X-10", Title: "ten", Status: "Blocked", Blocked: true, Effort: points(3), Assignee: "ada"},
		{ID: "X-2", Title: "two", Status: "Blocked", Blocked: true},
		{ID: "X-1", Status: "Done", Done: true, DoneAt: at("2026-11-02T23:59:00Z"), Effort: points(5)},
		{ID: "X-3", Status: "Done", Done: true, Modified: at("2026-11-04"), Effort: task.Effort{Hours: 4, Kind: task.InHours}},
		{ID: "X-4", Status: "Todo", DoneAt: at("2026-11-03"), Effort: task.Effort{}}, // reopened
	}
}

func TestSummarize(t *testing.T) {
	t.Parallel()
	s, members := sample()
	got := Summarize(s, members, at("2026-11-03T08:00:00Z"))
	assert.Equal(t, TaskMetric{Committed: 5, Done: 2, Remaining: 3, CompletionRatio: 0.4}, got.Metrics.Tasks)
	p := got.Metrics.Points
	assert.Equal(t, 8, p.Committed)
	assert.Equal(t, 5, p.Done)
	assert.Equal(t, 3, p.Remaining)
	assert.Equal(t, 10, p.Capacity)
	assert.Equal(t, 0.8, *p.CapacityCommitmentRatio)
	assert.Equal(t, 0.5, *p.CapacityConsumedRatio)
	h := got.Metrics.Hours
	assert.Equal(t, 4, h.Committed)
	assert.Equal(t, 0, h.Capacity)
	assert.Zero(t, h.CapacityCommitmentRatio)
	assert.Equal(t, 2, got.Metrics.Blocked)
	assert.Equal(t, "X-2", got.BlockedTasks[0].ID)
	assert.Equal(t, "ada", got.BlockedTasks[1].Assignee)
	tl := got.Timeline
	assert.Equal(t, 4, *tl.PlannedDurationDays)
	assert.Equal(t, 2, *tl.ElapsedDays)
	assert.Equal(t, 1.67, *tl.RemainingDays)
	assert.Zero(t, tl.OverdueDays)
	assert.Zero(t, tl.ActualDurationDays)
	src, err := json.Marshal(got)
	assert.NoError(t, err, "%s", src)
	assert.Contains(t, string(src), `"sprint":{"id":1,"status":"active"`)
	none := Summarize(&Sprint{ID: 2}, nil, at("2026-11-03"))
	src, _ = json.Marshal(none)
	want := `{"sprint":{"id":2,"status":"pending","sprint":{"plan":{},"actual":{}}},"lifecycle":{"status":"pending","state":"pending"},"metrics":{"tasks":{"committed":0,"done":0,"remaining":0,"completion_ratio":0}},"timeline":{}}`
	assert.Equal(t, want, string(src), "an empty sprint")
}

func TestSummarize_closedLate(t *testing.T) {
	t.Parallel()
	s, _ := sample()
	tl := Summarize(s, nil, at("2026-11-07")).Timeline
	assert.Equal(t, 2, *tl.OverdueDays)
	assert.Zero(t, tl.RemainingDays)
	s.Actual.ClosedAt = "2026-11-06T08:00:00Z"
	tl = Summarize(s, nil, at("2026-12-07")).Timeline
	assert.Equal(t, 5, *tl.ActualDurationDays)
	assert.Equal(t, 5, *tl.ElapsedDays)
	assert.Zero(t, tl.OverdueDays)
}

func TestBurnDown(t *testing.T) {
	t.Parallel()
	s, members := sample()
	got, err := BurnDown(s, members, at("2026-11-03"))
	assert.NoError(t, err)
	assert.Equal(t, Totals{Tasks: 5, Points: 8, Hours: 4}, got.Totals)
	assert.Equal(t, 5, len(got.Series))
	var tasks []int
	var points, ideal []float64
	for _, p := range got.Series {
		tasks, points, ideal = append(tasks, p.RemainingTasks), append(points, *p.RemainingPoints), append(ideal, p.IdealTasks)
	}
	assert.Equal(t, []int{5, 4, 3, 2, 2}, tasks)
	assert.Equal(t, []float64{8, 3, 3, 3, 3}, points)
	assert.Equal(t, []float64{5, 3.75, 2.5, 1.25, 0}, ideal)
	assert.Equal(t, "2026-11-01T00:00:00Z", got.Series[0].Date)
	assert.Equal(t, 4, *got.Series[0].IdealHours)
	assert.Equal(t, 0, *got.Series[4].RemainingHours)
}

func TestBurnDown_bounds(t *testing.T) {
	t.Parallel()
	var failed *BurndownError
	_, err := BurnDown(&Sprint{ID: 4}, nil, at("2026-11-03"))
	assert.True(t, errors.As(err, &failed), "without a start: %v", err)
	assert.Equal(t, 0, failed.Days, "without a start")
	long := &Sprint{ID: 4, Plan: Plan{StartsAt: "0002-01-01", EndsAt: "9999-01-01"}}
	_, err = BurnDown(long, nil, at("2026-11-03"))
	assert.True(t, errors.As(err, &failed), "too long: %v", err)
	assert.True(t, failed.Days > maxDays, "too long: %v", err)
	got, err := BurnDown(&Sprint{ID: 4}, []Member{{ID: "X-1", Created: at("2026-11-03T22:00:00Z")}}, at("2026-11-03"))
	assert.NoError(t, err, "from the first task")
	assert.Equal(t, 2, len(got.Series), "from the first task")
	assert.Equal(t, 1, got.Series[0].IdealTasks, "from the first task")
	oneDay := &Sprint{ID: 4, Plan: Plan{StartsAt: "2026-11-03T01:00:00Z", EndsAt: "2026-11-03T05:00:00Z"}}
	got, err = BurnDown(oneDay, []Member{{ID: "X-1"}}, at("2026-11-03"))
	assert.NoError(t, err, "of one day")
	assert.Equal(t, 1, len(got.Series), "of one day")
	assert.Equal(t, 1, got.Series[0].IdealTasks, "of one day")
	assert.Zero(t, got.Series[0].RemainingPoints, "of one day")
}

func TestMeasureVelocity(t *testing.T) {
	t.Parallel()
	closed := func(id int, start, end string, capacity int) *Sprint {
		return &Sprint{ID: id, Plan: Plan{Capacity: Capacity{Points: capacity}}, Actual: Actual{StartedAt: start, ClosedAt: end}}
	}
	points := func(n float64, done bool) Member { return Member{Done: done, Effort: task.Effort{Points: n}} }
	in := []VelocityInput{
		{closed(1, "2026-10-01", "2026-10-15", 10), []Member{points(4, true), points(4, false)}},
		{closed(2, "2026-10-15", "2026-10-29", 0), []Member{points(6, true)}},
		{closed(3, "2026-11-01", "", 0), []Member{points(9, true)}},
		{&Sprint{ID: 4}, nil},
	}
	now := at("2026-11-01")
	got := MeasureVelocity(in, VelocityOptions{}, now)
	assert.Equal(t, Points, got.Metric)
	assert.Equal(t, 2, got.Count)
	assert.False(t, got.Truncated, "%+v", got)
	assert.True(t, got.SkippedIncomplete, "%+v", got)
	assert.Equal(t, 5, *got.AverageVelocity)
	assert.Equal(t, 0.75, *got.AverageCompletionRatio)
	newest, oldest := got.Entries[0], got.Entries[1]
	assert.Equal(t, 2, newest.Summary.ID)
	assert.Equal(t, "2026-10-15 -> 2026-10-29 (14d)", newest.Window)
	assert.Equal(t, "ended 3d ago", newest.Relative)
	assert.Equal(t, 14, *newest.DurationDays)
	assert.Equal(t, 8, oldest.Committed)
	assert.Equal(t, 4, oldest.Completed)
	assert.Equal(t, 0.8, *oldest.CapacityCommitmentRatio)
	assert.Equal(t, 0.4, *oldest.CapacityConsumedRatio)
	src, _ := json.Marshal(got)
	assert.NotContains(t, string(src), "include_active")
	all := MeasureVelocity(in, VelocityOptions{Limit: 1, IncludeActive: true, Metric: Tasks}, now)
	assert.Equal(t, 1, all.Count)
	assert.True(t, all.Truncated, "%+v", all)
	assert.Equal(t, 3, all.Entries[0].Summary.ID)
	assert.Equal(t, 0, all.Entries[0].Capacity)
	assert.Equal(t, 1, *all.AverageVelocity)
	none := MeasureVelocity(nil, VelocityOptions{}, now)
	assert.Zero(t, none.AverageVelocity)
	assert.True(t, none.Entries == nil, "%+v", none)
}

func TestRank(t *testing.T) {
	t.Parallel()
	tasks := []BacklogTask{
		{ID: "X-10", Priority: "Medium"},
		{ID: "X-2", Priority: "Medium"},
		{ID: "X-3", Priority: "Low", DueDate: "2026-11-01"},
		{ID: "X-4", Priority: "medium", Created: at("2026-10-02")},
		{ID: "X-5", Priority: "Medium", DueDate: "2026-12-01"},
		{ID: "X-6", Priority: "Medium", DueDate: "2026-11-30T10:00:00Z"},
		{ID: "X-7", Priority: "High"},
		{ID: "X-8", Priority: "Low", Manual: 1},
		{ID: "X-9", Priority: "critical"},
		{ID: "X-11", Priority: "???"},
	}
	Rank(tasks, []string{"Low", "Medium", "High"})
	var ids []string
	for i, task := range tasks {
		ids = append(ids, task.ID)
		assert.Equal(t, i+1, task.Rank, "%s has rank", task.ID)
	}
	assert.Equal(t, "X-8 X-9 X-7 X-6 X-5 X-4 X-2 X-10 X-3 X-11", strings.Join(ids, " "))
}
