package sprint

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"chant/engine/spec/task"
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
	if got.Metrics.Tasks != (TaskMetric{Committed: 5, Done: 2, Remaining: 3, CompletionRatio: 0.4}) {
		t.Errorf("tasks %+v", got.Metrics.Tasks)
	}
	p := got.Metrics.Points
	if p.Committed != 8 || p.Done != 5 || p.Remaining != 3 || p.Capacity != 10 || *p.CapacityCommitmentRatio != 0.8 || *p.CapacityConsumedRatio != 0.5 {
		t.Errorf("points %+v", p)
	}
	if h := got.Metrics.Hours; h.Committed != 4 || h.Capacity != 0 || h.CapacityCommitmentRatio != nil {
		t.Errorf("hours %+v", h)
	}
	if got.Metrics.Blocked != 2 || got.BlockedTasks[0].ID != "X-2" || got.BlockedTasks[1].Assignee != "ada" {
		t.Errorf("blocked %+v", got.BlockedTasks)
	}
	tl := got.Timeline
	if *tl.PlannedDurationDays != 4 || *tl.ElapsedDays != 2 || *tl.RemainingDays != 1.67 || tl.OverdueDays != nil || tl.ActualDurationDays != nil {
		t.Errorf("timeline %+v", tl)
	}
	src, err := json.Marshal(got)
	if err != nil || !strings.Contains(string(src), `"sprint":{"id":1,"status":"active"`) {
		t.Errorf("%v: %s", err, src)
	}
	none := Summarize(&Sprint{ID: 2}, nil, at("2026-11-03"))
	src, _ = json.Marshal(none)
	want := `{"sprint":{"id":2,"status":"pending","sprint":{"plan":{},"actual":{}}},"lifecycle":{"status":"pending","state":"pending"},"metrics":{"tasks":{"committed":0,"done":0,"remaining":0,"completion_ratio":0}},"timeline":{}}`
	if string(src) != want {
		t.Errorf("an empty sprint: %s", src)
	}
}

func TestSummarize_closedLate(t *testing.T) {
	t.Parallel()
	s, _ := sample()
	if tl := Summarize(s, nil, at("2026-11-07")).Timeline; *tl.OverdueDays != 2 || tl.RemainingDays != nil {
		t.Errorf("overdue: %+v", tl)
	}
	s.Actual.ClosedAt = "2026-11-06T08:00:00Z"
	if tl := Summarize(s, nil, at("2026-12-07")).Timeline; *tl.ActualDurationDays != 5 || *tl.ElapsedDays != 5 || tl.OverdueDays != nil {
		t.Errorf("closed: %+v", tl)
	}
}

func TestBurnDown(t *testing.T) {
	t.Parallel()
	s, members := sample()
	got, err := BurnDown(s, members, at("2026-11-03"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Totals != (Totals{Tasks: 5, Points: 8, Hours: 4}) || len(got.Series) != 5 {
		t.Fatalf("%+v", got)
	}
	var tasks []int
	var points, ideal []float64
	for _, p := range got.Series {
		tasks, points, ideal = append(tasks, p.RemainingTasks), append(points, *p.RemainingPoints), append(ideal, p.IdealTasks)
	}
	if !reflect.DeepEqual(tasks, []int{5, 4, 3, 2, 2}) || !reflect.DeepEqual(points, []float64{8, 3, 3, 3, 3}) {
		t.Errorf("tasks %v, points %v", tasks, points)
	}
	if !reflect.DeepEqual(ideal, []float64{5, 3.75, 2.5, 1.25, 0}) {
		t.Errorf("ideal %v", ideal)
	}
	if got.Series[0].Date != "2026-11-01T00:00:00Z" || *got.Series[0].IdealHours != 4 || *got.Series[4].RemainingHours != 0 {
		t.Errorf("%+v", got.Series)
	}
}

func TestBurnDown_bounds(t *testing.T) {
	t.Parallel()
	var failed *BurndownError
	if _, err := BurnDown(&Sprint{ID: 4}, nil, at("2026-11-03")); !errors.As(err, &failed) || failed.Days != 0 {
		t.Errorf("without a start: %v", err)
	}
	long := &Sprint{ID: 4, Plan: Plan{StartsAt: "0002-01-01", EndsAt: "9999-01-01"}}
	if _, err := BurnDown(long, nil, at("2026-11-03")); !errors.As(err, &failed) || failed.Days <= maxDays {
		t.Errorf("too long: %v", err)
	}
	got, err := BurnDown(&Sprint{ID: 4}, []Member{{ID: "X-1", Created: at("2026-11-03T22:00:00Z")}}, at("2026-11-03"))
	if err != nil || len(got.Series) != 2 || got.Series[0].IdealTasks != 1 {
		t.Errorf("from the first task: %+v, %v", got, err)
	}
	oneDay := &Sprint{ID: 4, Plan: Plan{StartsAt: "2026-11-03T01:00:00Z", EndsAt: "2026-11-03T05:00:00Z"}}
	got, err = BurnDown(oneDay, []Member{{ID: "X-1"}}, at("2026-11-03"))
	if err != nil || len(got.Series) != 1 || got.Series[0].IdealTasks != 1 || got.Series[0].RemainingPoints != nil {
		t.Errorf("of one day: %+v, %v", got, err)
	}
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
	if got.Metric != Points || got.Count != 2 || got.Truncated || !got.SkippedIncomplete || *got.AverageVelocity != 5 || *got.AverageCompletionRatio != 0.75 {
		t.Errorf("%+v", got)
	}
	newest, oldest := got.Entries[0], got.Entries[1]
	if newest.Summary.ID != 2 || newest.Window != "2026-10-15 -> 2026-10-29 (14d)" || newest.Relative != "ended 3d ago" || *newest.DurationDays != 14 {
		t.Errorf("%+v", newest)
	}
	if oldest.Committed != 8 || oldest.Completed != 4 || *oldest.CapacityCommitmentRatio != 0.8 || *oldest.CapacityConsumedRatio != 0.4 {
		t.Errorf("%+v", oldest)
	}
	src, _ := json.Marshal(got)
	if strings.Contains(string(src), "include_active") {
		t.Errorf("%s", src)
	}
	all := MeasureVelocity(in, VelocityOptions{Limit: 1, IncludeActive: true, Metric: Tasks}, now)
	if all.Count != 1 || !all.Truncated || all.Entries[0].Summary.ID != 3 || all.Entries[0].Capacity != 0 || *all.AverageVelocity != 1 {
		t.Errorf("%+v", all)
	}
	if none := MeasureVelocity(nil, VelocityOptions{}, now); none.AverageVelocity != nil || none.Entries != nil {
		t.Errorf("%+v", none)
	}
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
		if task.Rank != i+1 {
			t.Errorf("%s has rank %d", task.ID, task.Rank)
		}
	}
	if got := strings.Join(ids, " "); got != "X-8 X-9 X-7 X-6 X-5 X-4 X-2 X-10 X-3 X-11" {
		t.Errorf("%s", got)
	}
}
