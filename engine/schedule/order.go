package schedule

import (
	"cmp"
	"slices"
	"time"

	"chant/engine/spec"
)

// Task is a spec that may start now, or is due later.
type Task struct {
	ID       string
	Rank     int       // place among what a person named, the same for all else
	Priority int       // 0 is the most urgent
	Depth    int       // how many specs stand one behind the other before it
	Files    []string  // target files: paths, folders and globs
	Provider string    // the one it has to run with, "" for any agent
	Due      time.Time // not before, zero = now
	Mark     string    // what it was made from: one that was started may start again once this changes, or it was away; "" = never
}

// Order sorts tasks as they shall start.
func Order(tasks []Task) {
	slices.SortFunc(tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Priority, b.Priority),
			cmp.Compare(a.Depth, b.Depth), spec.Compare(a.ID, b.ID))
	})
}
