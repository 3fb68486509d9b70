package history

import (
	"context"
	"maps"

	"chant/engine/task"
	"chant/markdown"
)

// Numbers are the highest numbers that were ever used.
type Numbers struct {
	Tasks  map[string]int // of tasks whose specs were removed or archived, by prefix; those of other specs are not here
	Sprint int            // of sprints
}

// Numbers returns the highest numbers that commits show. It reads each removed spec once.
func (l *Log) Numbers(ctx context.Context) (Numbers, error) {
	if len(l.state.Removed) > 0 {
		tasks := maps.Clone(l.state.Tasks)
		if tasks == nil {
			tasks = map[string]int{}
		}
		for _, blob := range l.state.Removed {
			src, err := l.repo.ReadBlob(ctx, blob)
			if err != nil {
				return Numbers{}, err
			}
			if prefix, n, ok := task.ParseKey(keyOf(src)); ok {
				tasks[prefix] = max(tasks[prefix], n)
			}
		}
		l.state.Tasks, l.state.Removed = tasks, nil
		if err := l.storeState(); err != nil {
			return Numbers{}, err
		}
	}
	return Numbers{Tasks: maps.Clone(l.state.Tasks), Sprint: l.state.Sprint}, nil
}

// keyOf returns the number of a task in the text of a spec, "" if it has none.
func keyOf(src []byte) string {
	doc, err := markdown.Parse("spec", src)
	if err != nil {
		return ""
	}
	var key string
	if _, err := doc.Get("task", &key); err != nil {
		return ""
	}
	return key
}
