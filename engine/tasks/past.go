package tasks

import (
	"context"
	"time"

	"chant/engine"
	"chant/engine/history"
	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/engine/task"
)

// pastOf returns what the history of git says about a spec.
func pastOf(ctx context.Context, p *engine.Project, st *task.Settings, s *spec.File) (x task.Extra, err error) {
	err = history.Ask(ctx, p.Store, p.Repo, func(log *history.Log) error {
		found, err := log.Of(ctx, s.ID)
		if err != nil {
			return err
		}
		span := log.Spans(s.ID)[s.ID]
		x = task.Extra{Created: span.Created, Modified: span.Modified}
		for _, entry := range found[s.ID] {
			if len(entry.Changes) > 0 {
				x.History = append(x.History, task.HistoryEntry{At: entry.At.UTC().Format(time.RFC3339), Actor: entry.Actor, Changes: asTask(st, entry.Changes)})
			}
		}
		return nil
	})
	return x, err
}

// timesOf returns when specs were created and last changed.
func timesOf(ctx context.Context, p *engine.Project, specs []*spec.Spec) (map[string]task.Extra, error) {
	ids := make([]string, len(specs))
	for i, s := range specs {
		ids[i] = s.ID
	}
	spans, err := history.Spans(ctx, p.Store, p.Repo, ids...)
	out := make(map[string]task.Extra, len(spans))
	for id, span := range spans {
		out[id] = task.Extra{Created: span.Created, Modified: span.Modified}
	}
	return out, err
}

// asTask returns changes of front matter with the names and words of tasks.
func asTask(st *task.Settings, changes []taskfields.FieldChange) []taskfields.FieldChange {
	word := func(status string) string {
		if status == "" {
			return ""
		}
		return st.WordOf(spec.Status(status), "")
	}
	out := make([]taskfields.FieldChange, len(changes))
	for i, c := range changes {
		switch out[i] = c; c.Field {
		case "status":
			out[i].Old, out[i].New = word(c.Old), word(c.New)
		case "labels":
			out[i].Field = "tags"
		}
	}
	return out
}
