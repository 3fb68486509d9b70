package sprint

import (
	"math"
	"slices"
	"time"

	"chant/engine/spec/task"
)

// Member is a task of a sprint, as far as reports need it.
type Member struct {
	ID       string // key of the task
	Title    string
	Status   string
	Assignee string
	Done     bool // now
	Blocked  bool
	DoneAt   time.Time // when it was done for the first time; zero if it never was, or if that is not recorded
	Created  time.Time
	Modified time.Time
	Effort   task.Effort
}

// Summary is the report of one sprint.
type Summary struct {
	Sprint       Detail        `json:"sprint"`
	Lifecycle    Lifecycle     `json:"lifecycle"`
	Metrics      Metrics       `json:"metrics"`
	Timeline     Timeline      `json:"timeline"`
	BlockedTasks []BlockedTask `json:"blocked_tasks,omitempty"`
}

// Metrics counts the tasks of a sprint and what they add up to.
type Metrics struct {
	Tasks   TaskMetric    `json:"tasks"`
	Points  *EffortMetric `json:"points,omitempty"`
	Hours   *EffortMetric `json:"hours,omitempty"`
	Blocked int           `json:"blocked,omitempty"`
}

// TaskMetric counts tasks.
type TaskMetric struct {
	Committed       int     `json:"committed"`
	Done            int     `json:"done"`
	Remaining       int     `json:"remaining"`
	CompletionRatio float64 `json:"completion_ratio"`
}

// EffortMetric adds up efforts of one kind; the ratios of the capacity are there if there is a capacity.
type EffortMetric struct {
	Committed               float64  `json:"committed"`
	Done                    float64  `json:"done"`
	Remaining               float64  `json:"remaining"`
	CompletionRatio         float64  `json:"completion_ratio"`
	Capacity                int      `json:"capacity,omitempty"`
	CapacityCommitmentRatio *float64 `json:"capacity_commitment_ratio,omitempty"`
	CapacityConsumedRatio   *float64 `json:"capacity_consumed_ratio,omitempty"`
}

// Timeline is where a sprint is between its times; durations are in days of 24 hours.
type Timeline struct {
	PlannedStart        string   `json:"planned_start,omitempty"`
	ActualStart         string   `json:"actual_start,omitempty"`
	PlannedEnd          string   `json:"planned_end,omitempty"`
	ComputedEnd         string   `json:"computed_end,omitempty"`
	ActualEnd           string   `json:"actual_end,omitempty"`
	PlannedDurationDays *float64 `json:"planned_duration_days,omitempty"`
	ActualDurationDays  *float64 `json:"actual_duration_days,omitempty"`
	ElapsedDays         *float64 `json:"elapsed_days,omitempty"`
	RemainingDays       *float64 `json:"remaining_days,omitempty"`
	OverdueDays         *float64 `json:"overdue_days,omitempty"`
}

// BlockedTask is a task that cannot proceed.
type BlockedTask struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Status   string `json:"status"`
	Assignee string `json:"assignee,omitempty"`
}

// Summarize returns the report of a sprint with these tasks at a time.
func Summarize(s *Sprint, members []Member, now time.Time) Summary {
	d, _ := s.Dates()
	out := Summary{Sprint: s.Detail(now), Lifecycle: d.lifecycle(now), Timeline: d.timeline(now)}
	var points, hours EffortMetric
	for _, m := range members {
		out.Metrics.Tasks.Committed++
		points.Committed += m.Effort.Points
		hours.Committed += m.Effort.Hours
		switch {
		case m.Done:
			out.Metrics.Tasks.Done++
			points.Done += m.Effort.Points
			hours.Done += m.Effort.Hours
		case m.Blocked:
			out.Metrics.Blocked++
			out.BlockedTasks = append(out.BlockedTasks, BlockedTask{m.ID, m.Title, m.Status, m.Assignee})
		}
	}
	t := &out.Metrics.Tasks
	t.Remaining, t.CompletionRatio = t.Committed-t.Done, ratio(float64(t.Done), float64(t.Committed))
	out.Metrics.Points, out.Metrics.Hours = points.complete(s.Plan.Capacity.Points), hours.complete(s.Plan.Capacity.Hours)
	slices.SortStableFunc(out.BlockedTasks, func(a, b BlockedTask) int { return task.CompareKeys(a.ID, b.ID) })
	return out
}

// complete fills in what follows from the sums; nil if there is neither an effort of this kind nor a capacity.
func (m EffortMetric) complete(capacity int) *EffortMetric {
	if m.Committed == 0 && capacity == 0 {
		return nil
	}
	m.Remaining, m.CompletionRatio = max(0, m.Committed-m.Done), ratio(m.Done, m.Committed)
	m.Capacity = capacity
	m.CapacityCommitmentRatio, m.CapacityConsumedRatio = ofCapacity(m.Committed, capacity), ofCapacity(m.Done, capacity)
	return &m
}

// ratio returns part of whole, 0 where there is no whole.
func ratio(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func ofCapacity(part float64, capacity int) *float64 {
	if capacity == 0 {
		return nil
	}
	out := part / float64(capacity)
	return &out
}

func (d Dates) timeline(now time.Time) Timeline {
	t := Timeline{
		PlannedStart: stamp(d.PlannedStart), ActualStart: stamp(d.ActualStart), PlannedEnd: stamp(d.PlannedEnd),
		ComputedEnd: stamp(d.ComputedEnd), ActualEnd: stamp(d.ActualEnd),
	}
	switch {
	case !d.PlannedStart.IsZero() && !d.PlannedEnd.IsZero():
		t.PlannedDurationDays = days(d.PlannedEnd.Sub(d.PlannedStart))
	case d.Length > 0:
		t.PlannedDurationDays = days(d.Length)
	}
	closed := !d.ActualEnd.IsZero()
	until := now
	if closed {
		until = d.ActualEnd
	}
	if !d.ActualStart.IsZero() {
		t.ElapsedDays = days(until.Sub(d.ActualStart))
		if closed {
			t.ActualDurationDays = t.ElapsedDays
		}
	}
	if !closed && !d.ComputedEnd.IsZero() {
		if left := d.ComputedEnd.Sub(now); left >= 0 {
			t.RemainingDays = days(left)
		} else {
			t.OverdueDays = days(-left)
		}
	}
	return t
}

// days returns a duration in days, with two decimals; a negative one is 0.
func days(d time.Duration) *float64 {
	n := math.Round(max(0, d.Hours())/24*100) / 100
	return &n
}
