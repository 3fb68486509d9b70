package sprint

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/task"
)

// BacklogTask is a task that is in no sprint.
type BacklogTask struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Status   string   `json:"status"`
	Priority string   `json:"priority"`
	Assignee string   `json:"assignee,omitempty"`
	DueDate  string   `json:"due_date,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Rank     int      `json:"rank"` // from 1

	Manual  int       `json:"-"` // a rank that a person gave; 0 for none
	Created time.Time `json:"-"`
}

// Rank sorts the backlog and numbers it: ranks of people first, then by priority, by due date, by age, and by key. The
// priorities are those of the settings, the lowest first.
func Rank(tasks []BacklogTask, priorities []string) {
	type key struct {
		task     BacklogTask
		priority int
		due      time.Time
	}
	keys := make([]key, 0, len(tasks))
	for _, t := range tasks {
		due, _ := ParseTime(t.DueDate)
		keys = append(keys, key{t, levelOf(t.Priority, priorities), due})
	}
	slices.SortStableFunc(keys, func(a, b key) int {
		return cmp.Or(
			compareSet(a.task.Manual == 0, b.task.Manual == 0, a.task.Manual-b.task.Manual),
			b.priority-a.priority,
			compareSet(a.due.IsZero(), b.due.IsZero(), a.due.Compare(b.due)),
			compareSet(a.task.Created.IsZero(), b.task.Created.IsZero(), a.task.Created.Compare(b.task.Created)),
			task.CompareKeys(a.task.ID, b.task.ID),
		)
	})
	for i, k := range keys {
		tasks[i] = k.task
		tasks[i].Rank = i + 1
	}
}

// compareSet compares two values of which either may be unset; unset ones come last.
func compareSet(aUnset, bUnset bool, order int) int {
	switch {
	case aUnset && bUnset:
		return 0
	case aUnset:
		return 1
	case bUnset:
		return -1
	}
	return order
}

// levelOf returns the place of a priority in a list, higher for more urgent ones. A priority that is not in the list but
// that specs may have, such as "critical" or 1, has the place of the listed one with the same meaning.
func levelOf(priority string, priorities []string) int {
	// The priorities are listed with the lowest first.
	if i := slices.IndexFunc(priorities, func(p string) bool { return strings.EqualFold(p, priority) }); i >= 0 {
		return i
	}
	level, ok := spec.Priority(priority).Level()
	if !ok {
		return -1
	}
	for i, p := range priorities {
		if l, ok := spec.Priority(p).Level(); ok && l == level {
			return i
		}
	}
	// The most urgent priority is above all listed ones, even if the list has no word for it.
	if level == 0 {
		return len(priorities)
	}
	return -1
}
