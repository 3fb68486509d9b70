package sprint

import (
	"fmt"
	"time"
)

// Burndown is how the work of a sprint became less, day by day.
type Burndown struct {
	Sprint    Detail    `json:"sprint"`
	Lifecycle Lifecycle `json:"lifecycle"`
	Totals    Totals    `json:"totals"`
	Series    []Point   `json:"series,omitempty"`
}

// Totals is all of the work of a sprint.
type Totals struct {
	Tasks  int     `json:"tasks"`
	Points float64 `json:"points,omitempty"`
	Hours  float64 `json:"hours,omitempty"`
}

// Point is the work that remained at the end of one day in UTC, and what would remain at an even pace.
type Point struct {
	Date            string   `json:"date"` // midnight, RFC 3339
	RemainingTasks  int      `json:"remaining_tasks"`
	IdealTasks      float64  `json:"ideal_tasks"`
	RemainingPoints *float64 `json:"remaining_points,omitempty"`
	IdealPoints     *float64 `json:"ideal_points,omitempty"`
	RemainingHours  *float64 `json:"remaining_hours,omitempty"`
	IdealHours      *float64 `json:"ideal_hours,omitempty"`
}

// maxDays bounds the days of a burndown.
const maxDays = 3660

// BurndownError is a sprint of which there can be no burndown.
type BurndownError struct {
	ID   int
	Days int // 0 if the sprint has no start
}

// Error says what is wrong.
func (e *BurndownError) Error() string {
	if e.Days > 0 {
		return fmt.Sprintf("Sprint #%d lasts %d days (a burndown has at most %d)", e.ID, e.Days, maxDays)
	}
	return fmt.Sprintf("Sprint #%d has no start: it was not started, has no starts_at and no tasks", e.ID)
}

// BurnDown returns the burndown of a sprint with these tasks: one point for each day from its start to its end, or to the
// last change of a task. The tasks are those that are in the sprint now, and a task counts as done from the first time
// that it was. Errors: *BurndownError.
func BurnDown(s *Sprint, members []Member, now time.Time) (Burndown, error) {
	d, _ := s.Dates()
	out := Burndown{Sprint: s.Detail(now), Lifecycle: d.lifecycle(now), Totals: totalsOf(members)}
	start, end := span(d, members)
	if start.IsZero() {
		return out, &BurndownError{ID: s.ID}
	}
	// Days are days in UTC, as in lotar.
	first, last := start.UTC().Truncate(day), end.UTC().Truncate(day)
	n := int(last.Sub(first)/day) + 1
	if n > maxDays {
		return out, &BurndownError{ID: s.ID, Days: n}
	}
	done := doneByDay(members, first, n)
	left := out.Totals
	out.Series = make([]Point, 0, n)
	for i := range n {
		left.Tasks -= done[i].Tasks
		left.Points -= done[i].Points
		left.Hours -= done[i].Hours
		pace := 1.0
		// A single day has no pace.
		if n > 1 {
			pace = 1 - float64(i)/float64(n-1)
		}
		p := Point{Date: stamp(first.Add(time.Duration(i) * day)), RemainingTasks: left.Tasks, IdealTasks: float64(out.Totals.Tasks) * pace}
		p.RemainingPoints, p.IdealPoints = remaining(out.Totals.Points, left.Points, pace)
		p.RemainingHours, p.IdealHours = remaining(out.Totals.Hours, left.Hours, pace)
		out.Series = append(out.Series, p)
	}
	return out, nil
}

func totalsOf(members []Member) Totals {
	t := Totals{Tasks: len(members)}
	for _, m := range members {
		t.Points += m.Effort.Points
		t.Hours += m.Effort.Hours
	}
	return t
}

// span returns the start and the end of a burndown; the start is zero if nothing says when the sprint began.
func span(d Dates, members []Member) (start, end time.Time) {
	if start = d.ActualStart; start.IsZero() {
		start = d.PlannedStart
	}
	// A sprint without any start begins with its oldest task.
	if start.IsZero() {
		for _, m := range members {
			if !m.Created.IsZero() && (start.IsZero() || m.Created.Before(start)) {
				start = m.Created
			}
		}
	}
	end = latest(d.ActualEnd, d.ComputedEnd, d.PlannedEnd)
	for _, m := range members {
		end = latest(end, m.doneAt(), m.Modified, m.Created)
	}
	// A chart needs at least two points.
	if !end.After(start) {
		end = start.Add(day)
	}
	return start, end
}

func latest(times ...time.Time) time.Time {
	var out time.Time
	for _, t := range times {
		if t.After(out) {
			out = t
		}
	}
	return out
}

// doneAt returns when the task was first done, as far as that is known; zero if it was not.
func (m Member) doneAt() time.Time {
	switch {
	case !m.DoneAt.IsZero():
		return m.DoneAt
	case !m.Done:
		return time.Time{}
	case !m.Modified.IsZero():
		return m.Modified
	}
	return m.Created
}

// doneByDay adds up what was done on each day; what was done before the first day counts there.
func doneByDay(members []Member, first time.Time, n int) []Totals {
	out := make([]Totals, n)
	for _, m := range members {
		at := m.doneAt()
		if at.IsZero() && !m.Done {
			continue
		}
		// What was done before or after counts at the ends.
		i := min(max(int(at.UTC().Truncate(day).Sub(first)/day), 0), n-1)
		out[i].Tasks++
		out[i].Points += m.Effort.Points
		out[i].Hours += m.Effort.Hours
	}
	return out
}

// remaining returns what is left of a total and what would be left at an even pace; nil if there is no total.
func remaining(total, left, pace float64) (rest, ideal *float64) {
	if total == 0 {
		return nil, nil
	}
	left = max(0, left)
	if left < total*1e-9 {
		// Sums of fractions leave a remainder.
		left = 0
	}
	even := total * pace
	return &left, &even
}
