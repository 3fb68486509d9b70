package tasks

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/history"
)

// pastOf returns what the history of git says about a spec.
func pastOf(ctx context.Context, p *engine.Project, q *store.Query, st *task.Settings, s *spec.File) (task.Extra, error) {
	log, err := history.Open(ctx, q, p.Repo)
	if err != nil {
		return task.Extra{}, err
	}
	found, err := log.Find(ctx, s.ID)
	if err != nil {
		return task.Extra{}, err
	}
	span := log.Spans(s.ID)[s.ID]
	x := task.Extra{Created: span.Created, Modified: span.Modified}
	// No commit has the spec yet.
	if x.Created.IsZero() {
		x = timesOnDisk(p, s.ID)
	}
	for _, entry := range found[s.ID] {
		if len(entry.Changes) > 0 {
			x.History = append(x.History, task.HistoryEntry{At: entry.At.UTC().Format(time.RFC3339), Actor: entry.Actor, Changes: st.Changes(entry.Changes)})
		}
	}
	return x, nil
}

// timesOf returns when specs were created and last changed.
func timesOf(ctx context.Context, p *engine.Project, specs []*spec.Spec) (map[string]task.Extra, error) {
	if len(specs) == 0 {
		return nil, nil
	}
	ids := make([]string, len(specs))
	for i, s := range specs {
		ids[i] = s.ID
	}
	spans, err := history.Spans(ctx, p.Store, p.Repo, ids...)
	out := make(map[string]task.Extra, len(spans))
	for id, span := range spans {
		out[id] = task.Extra{Created: span.Created, Modified: span.Modified}
	}
	for _, id := range ids {
		if out[id].Created.IsZero() {
			out[id] = timesOnDisk(p, id)
		}
	}
	return out, err
}

// modifiedAt returns when a task was last changed, also before it was imported; zero if that is not known.
func modifiedAt(s *spec.Spec, x task.Extra) time.Time {
	at := x.Modified
	for _, text := range []string{string(s.Fields.LastImported), string(s.Fields.Created)} {
		if at.IsZero() {
			// Zero if it is no time.
			at, _ = time.Parse(time.RFC3339, text)
		}
	}
	return at
}

// timesOnDisk returns the time of a spec's file, for one that no commit has.
func timesOnDisk(p *engine.Project, id string) task.Extra {
	info, err := os.Stat(filepath.Join(engine.Home(p), filepath.FromSlash(store.SpecPath(id))))
	if err != nil {
		return task.Extra{}
	}
	return task.Extra{Created: info.ModTime(), Modified: info.ModTime()}
}
