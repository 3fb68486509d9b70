package history

import (
	"context"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/taskfields"
)

// StatusChange is a status that a spec got, and when.
type StatusChange struct {
	At     time.Time
	Status spec.Status
}

// Statuses returns the statuses that specs had one after the other, oldest first, as far as commits say. What an event
// of the state machine leads to is known without reading the spec.
func (l *Log) Statuses(ctx context.Context, ids ...string) (map[string][]StatusChange, error) {
	commits, err := l.touchesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	outcome := outcomes()
	unknown := map[string][]specCommit{}
	for id, touches := range commits {
		for _, t := range touches {
			// Only commits that no event explains are compared, which reads two versions from git for each.
			if _, ok := statusAfter(t, outcome); !ok {
				unknown[id] = append(unknown[id], t)
			}
		}
	}
	changes, err := l.changes(ctx, unknown)
	if err != nil {
		return nil, err
	}
	found := make(map[string][]StatusChange, len(commits))
	for id, touches := range commits {
		var list []StatusChange
		for _, t := range touches {
			status, ok := statusAfter(t, outcome)
			if !ok {
				status = statusIn(changes[id][t.Commit])
			}
			// Several commits in a row may leave the same status.
			if status != "" && (len(list) == 0 || list[len(list)-1].Status != status) {
				list = append(list, StatusChange{t.time(), status})
			}
		}
		found[id] = list
	}
	return found, nil
}

// outcomes maps the events of the state machine to the statuses that they lead to.
func outcomes() map[string]spec.Status {
	found := map[string]spec.Status{}
	for _, t := range spec.Transitions() {
		found[string(t.Event)] = t.To
	}
	return found
}

// statusAfter returns the status that the last event of a commit leads to; ok is false if only the spec says it.
func statusAfter(t specCommit, outcome map[string]spec.Status) (status spec.Status, ok bool) {
	// A commit may record several events; the last one decides.
	for _, event := range t.Events {
		if to, is := outcome[event]; is {
			status, ok = to, true
		}
	}
	return status, ok || t.Old == "" || t.Now == ""
}

// statusIn returns the new status among changes, "" if it did not change.
func statusIn(changes []taskfields.FieldChange) spec.Status {
	for _, c := range changes {
		if c.Field == "status" {
			return spec.Status(c.New)
		}
	}
	return ""
}
