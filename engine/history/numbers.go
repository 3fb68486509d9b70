package history

import (
	"context"
	"maps"

	"chant/markdown"
)

// Numbers are the highest numbers that were ever used.
type Numbers struct {
	Tasks  map[string]int // of tasks, by prefix: of those that commits name, and of specs that were removed or archived
	Sprint int            // of sprints
}

// Numbers returns the highest numbers that commits show. Numbers that a person wrote into specs that still exist are not
// among them. It reads each removed spec once.
func (l *Log) Numbers(ctx context.Context) (Numbers, error) {
	if len(l.state.Removed) > 0 {
		for _, blob := range l.state.Removed {
			src, err := l.repo.ReadBlob(ctx, blob)
			if err != nil {
				return Numbers{}, err
			}
			l.state.noteTask(keyOf(src))
		}
		l.state.Removed = nil
		l.storeState()
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
