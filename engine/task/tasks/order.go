package tasks

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/task/taskboard"
)

// sortTasks orders tasks by a field, and those with the same value by their numbers. What has no value comes last.
func sortTasks(ctx context.Context, p *engine.Project, board taskboard.Board, specs []*spec.Spec, by string, reverse bool) error {
	st := board.Settings
	lastIfEmpty := func(a, b string) int {
		// What has no value comes last.
		if (a == "") != (b == "") {
			return cmp.Compare(b, a)
		}
		return strings.Compare(a, b)
	}
	var less func(a, b *spec.Spec) int
	switch by {
	case "", "id":
		less = func(_, _ *spec.Spec) int { return 0 }
	// The last of the settings is the most urgent.
	case "priority":
		place := placesOf(specs, st.Priorities, func(s *spec.Spec) string { return st.PriorityOf(string(s.Fields.Priority)) })
		less = func(a, b *spec.Spec) int { return place[b] - place[a] }
	case "due_date":
		less = func(a, b *spec.Spec) int { return lastIfEmpty(string(a.Fields.DueDate), string(b.Fields.DueDate)) }
	case "status":
		place := placesOf(specs, st.Statuses, func(s *spec.Spec) string { return st.WordOf(s.Status, string(s.Fields.TaskStatus)) })
		less = func(a, b *spec.Spec) int { return place[a] - place[b] }
	case "title":
		less = func(a, b *spec.Spec) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) }
	case "created", "modified":
		times, err := timesOf(ctx, p, specs)
		if err != nil {
			return err
		}
		less = func(a, b *spec.Spec) int {
			if by == "created" {
				return times[a.ID].Created.Compare(times[b.ID].Created)
			}
			return modifiedAt(a, times[a.ID]).Compare(modifiedAt(b, times[b.ID]))
		}
	default:
		return engine.Fail(engine.Usage, next.Help(), "%s", spec.Unknown("order", by, []string{"id", "priority", "due_date", "created", "modified", "status", "title"}))
	}
	// First, because the sort behind it is stable: tasks with the same value stay in the order of their numbers.
	sortByNumber(specs)
	if by != "" && by != "id" {
		slices.SortStableFunc(specs, less)
	}
	if reverse {
		slices.Reverse(specs)
	}
	return nil
}

// placesOf returns the place of each spec's value in a list; values that are not in the list come last.
func placesOf(specs []*spec.Spec, values []string, valueOf func(*spec.Spec) string) map[*spec.Spec]int {
	places := make(map[*spec.Spec]int, len(specs))
	for _, s := range specs {
		at := slices.Index(values, valueOf(s))
		if at < 0 {
			at = len(values)
		}
		places[s] = at
	}
	return places
}

// sortByNumber orders tasks by their numbers, and specs without one by their ids.
func sortByNumber(specs []*spec.Spec) {
	type numbered struct {
		s      *spec.Spec
		prefix string
		n      int
	}
	all := make([]numbered, len(specs))
	for i, s := range specs {
		prefix, n, ok := task.ParseKey(string(s.Fields.Task))
		// A spec without a number is sorted by its id.
		if !ok {
			prefix, n = task.KeyOf(s), 0
		}
		all[i] = numbered{s, prefix, n}
	}
	// Keys are parsed once, not in each comparison.
	slices.SortFunc(all, func(a, b numbered) int {
		if a.prefix == b.prefix {
			return cmp.Or(cmp.Compare(a.n, b.n), strings.Compare(a.s.ID, b.s.ID))
		}
		return task.CompareKeys(a.prefix, b.prefix)
	})
	for i := range all {
		specs[i] = all[i].s
	}
}
