package tasks

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/task"
)

// sortTasks orders tasks by a field, and those with the same value by their numbers. What has no value comes last.
func sortTasks(ctx context.Context, p *engine.Project, board Board, specs []*spec.Spec, by string, reverse bool) error {
	st := board.Settings
	place := func(values []string, value string) int {
		if at := slices.Index(values, value); at >= 0 {
			return at
		}
		return len(values)
	}
	lastIfEmpty := func(a, b string) int {
		if (a == "") != (b == "") {
			return cmp.Compare(b, a)
		}
		return strings.Compare(a, b)
	}
	var less func(a, b *spec.Spec) int
	switch by {
	case "", "id":
		less = func(_, _ *spec.Spec) int { return 0 }
	case "priority": // the last of the settings is the most urgent
		less = func(a, b *spec.Spec) int {
			return place(st.Priorities, st.PriorityOf(string(b.Fields.Priority))) - place(st.Priorities, st.PriorityOf(string(a.Fields.Priority)))
		}
	case "due_date":
		less = func(a, b *spec.Spec) int { return lastIfEmpty(string(a.Fields.DueDate), string(b.Fields.DueDate)) }
	case "status":
		less = func(a, b *spec.Spec) int {
			return place(st.Statuses, st.WordOf(a.Status, string(a.Fields.TaskStatus))) - place(st.Statuses, st.WordOf(b.Status, string(b.Fields.TaskStatus)))
		}
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
			return times[a.ID].Modified.Compare(times[b.ID].Modified)
		}
	default:
		return engine.Fail(engine.Usage, next.Help(), "unknown order %q (one of id, priority, due_date, created, modified, status, title)", spec.Echo(by))
	}
	keys := make(map[*spec.Spec]string, len(specs))
	for _, s := range specs {
		keys[s] = task.KeyOf(s)
	}
	slices.SortStableFunc(specs, func(a, b *spec.Spec) int {
		return cmp.Or(less(a, b), task.CompareKeys(keys[a], keys[b]))
	})
	if reverse {
		slices.Reverse(specs)
	}
	return nil
}
