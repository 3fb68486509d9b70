package sprint

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Metric is what a velocity or a plot counts.
type Metric string

// Metrics.
const (
	Tasks  Metric = "tasks"
	Points Metric = "points"
	Hours  Metric = "hours"
)

// VelocityInput is a sprint with its tasks.
type VelocityInput struct {
	Sprint  *Sprint
	Members []Member
}

// VelocityOptions selects sprints for a velocity.
type VelocityOptions struct {
	Limit         int // sprints; below 1: 6
	IncludeActive bool
	Metric        Metric // "": points
}

// DefaultWindow is how many sprints a velocity shows if its caller does not say.
const DefaultWindow = 6

// Velocity is how much recent sprints completed.
type Velocity struct {
	Metric                 Metric          `json:"metric"`
	Count                  int             `json:"count"`
	Truncated              bool            `json:"truncated"`
	IncludeActive          bool            `json:"include_active,omitempty"`
	SkippedIncomplete      bool            `json:"skipped_incomplete,omitempty"`
	AverageVelocity        *float64        `json:"average_velocity,omitempty"`
	AverageCompletionRatio *float64        `json:"average_completion_ratio,omitempty"`
	Entries                []VelocityEntry `json:"entries,omitempty"`
}

// VelocityEntry is one sprint of a velocity.
type VelocityEntry struct {
	Summary                 Brief     `json:"summary"`
	Lifecycle               Lifecycle `json:"lifecycle"`
	Start                   string    `json:"start,omitempty"`
	End                     string    `json:"end,omitempty"`
	ActualStart             string    `json:"actual_start,omitempty"`
	ActualEnd               string    `json:"actual_end,omitempty"`
	DurationDays            *float64  `json:"duration_days,omitempty"`
	Window                  string    `json:"window,omitempty"` // "2026-11-02 -> 2026-11-16 (14d)"
	Committed               float64   `json:"committed"`
	Completed               float64   `json:"completed"`
	CompletionRatio         *float64  `json:"completion_ratio,omitempty"`
	Capacity                int       `json:"capacity,omitempty"`
	CapacityCommitmentRatio *float64  `json:"capacity_commitment_ratio,omitempty"`
	CapacityConsumedRatio   *float64  `json:"capacity_consumed_ratio,omitempty"`
	Relative                string    `json:"relative,omitempty"` // "ended 3d ago"
	StatusWarnings          []Warning `json:"status_warnings,omitempty"`

	at time.Time // what entries are sorted by
}

// MeasureVelocity returns what the last sprints completed, the newest first. Tasks count with the status that they have
// now. Pending sprints never count; active and overdue ones only if the options say so.
func MeasureVelocity(sprints []VelocityInput, opts VelocityOptions, now time.Time) Velocity {
	if opts.Metric == "" {
		opts.Metric = Points
	}
	if opts.Limit < 1 {
		opts.Limit = DefaultWindow
	}
	out := Velocity{Metric: opts.Metric, IncludeActive: opts.IncludeActive}
	for _, in := range sprints {
		state := in.Sprint.State(now)
		if state == Pending || state != Complete && !opts.IncludeActive {
			out.SkippedIncomplete = true
			continue
		}
		out.Entries = append(out.Entries, in.entry(opts.Metric, now))
	}
	slices.SortStableFunc(out.Entries, func(a, b VelocityEntry) int {
		if c := b.at.Compare(a.at); c != 0 {
			return c
		}
		return b.Summary.ID - a.Summary.ID
	})
	if len(out.Entries) > opts.Limit {
		out.Entries, out.Truncated = out.Entries[:opts.Limit], true
	}
	out.Count = len(out.Entries)
	out.average()
	return out
}

func (v *Velocity) average() {
	var completed, ratios float64
	var withRatio int
	for _, e := range v.Entries {
		completed += e.Completed
		if e.CompletionRatio != nil {
			ratios += *e.CompletionRatio
			withRatio++
		}
	}
	if v.Count > 0 {
		mean := completed / float64(v.Count)
		v.AverageVelocity = &mean
	}
	if withRatio > 0 {
		mean := ratios / float64(withRatio)
		v.AverageCompletionRatio = &mean
	}
}

func (in VelocityInput) entry(metric Metric, now time.Time) VelocityEntry {
	s := in.Sprint
	d, _ := s.Dates()
	brief, warnings := s.brief(now)
	e := VelocityEntry{
		Summary: brief, Lifecycle: d.lifecycle(now), ActualStart: stamp(d.ActualStart), ActualEnd: stamp(d.ActualEnd),
		Relative: d.relative(now), StatusWarnings: warnings,
	}
	start, end := firstOf(d.ActualStart, d.PlannedStart), firstOf(d.ActualEnd, d.ComputedEnd)
	e.Start, e.End = stamp(start), stamp(end)
	if !start.IsZero() && !end.IsZero() {
		e.DurationDays = days(end.Sub(start))
		e.Window = fmt.Sprintf("%s -> %s (%sd)", start.Format(time.DateOnly), end.Format(time.DateOnly),
			strconv.FormatFloat(*e.DurationDays, 'f', 0, 64))
	}
	e.at = firstOf(d.ActualEnd, end, d.ActualStart, now)
	for _, m := range in.Members {
		amount := metric.amount(m)
		e.Committed += amount
		if m.Done {
			e.Completed += amount
		}
	}
	if e.Committed > 0 {
		r := e.Completed / e.Committed
		e.CompletionRatio = &r
	}
	switch metric {
	case Points:
		e.Capacity = s.Plan.Capacity.Points
	case Hours:
		e.Capacity = s.Plan.Capacity.Hours
	}
	e.CapacityCommitmentRatio, e.CapacityConsumedRatio = ofCapacity(e.Committed, e.Capacity), ofCapacity(e.Completed, e.Capacity)
	return e
}

func (metric Metric) amount(m Member) float64 {
	switch metric {
	case Points:
		return m.Effort.Points
	case Hours:
		return m.Effort.Hours
	}
	return 1
}

func firstOf(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// relative says when the sprint ended or ends, or when it started.
func (d Dates) relative(now time.Time) string {
	switch {
	case !d.ActualEnd.IsZero():
		return relativeTime("ended", "ends", d.ActualEnd, now)
	case !d.ComputedEnd.IsZero():
		return relativeTime("due", "ends", d.ComputedEnd, now)
	case !d.ActualStart.IsZero():
		return relativeTime("started", "starts", d.ActualStart, now)
	}
	return ""
}

func relativeTime(past, future string, at, now time.Time) string {
	gap := now.Sub(at)
	if gap < 0 {
		return future + " in " + roughDuration(-gap)
	}
	return past + " " + roughDuration(gap) + " ago"
}

func roughDuration(d time.Duration) string {
	switch {
	case d >= day:
		return strconv.Itoa(int(d/day)) + "d"
	case d >= time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/time.Minute)) + "m"
}
