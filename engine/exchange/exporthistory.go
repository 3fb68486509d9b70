package exchange

import (
	"context"
	"slices"
	"strings"
	"time"

	"chant/engine/history"
	"chant/engine/spec/taskfields"
)

// changes returns what happened to specs since they are in this repository. Those that were only imported have nothing.
func (x *outgoing) changes(ctx context.Context, spans map[string]history.Span) (map[string][]taskfields.PastChange, error) {
	var ids []string
	for _, s := range x.specs {
		if span := spans[s.ID]; !span.Modified.IsZero() {
			ids = append(ids, s.ID)
		}
	}
	all, err := history.Of(ctx, x.p.Store, x.p.Repo, ids...)
	if err != nil {
		return nil, err
	}
	out := map[string][]taskfields.PastChange{}
	for id, entries := range all {
		for i, e := range entries {
			if i == 0 || slices.Contains(e.Events, history.Import) {
				continue // its creation, which lotar does not record
			}
			if changed := x.lotarChanges(e.Changes); len(changed) > 0 {
				out[id] = append(out[id], taskfields.PastChange{At: stampOf(e.At), Actor: e.Actor, Changes: changed})
			}
		}
	}
	return out, nil
}

// lotarChanges returns the changes of fields that lotar has, under its names.
func (x *outgoing) lotarChanges(changes []taskfields.FieldChange) []taskfields.FieldChange {
	known := []string{
		"title", "status", "priority", "type", "reporter", "assignee", "due_date", "effort", "subtitle", "description", "tags", "relationships",
		"custom_fields", "sprints",
	}
	return slices.DeleteFunc(x.settings.Changes(changes), func(c taskfields.FieldChange) bool {
		return !slices.Contains(known, c.Field) && !strings.HasPrefix(c.Field, "comment")
	})
}

func stampOf(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}
