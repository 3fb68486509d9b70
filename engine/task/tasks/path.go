package tasks

import (
	"slices"

	"chant/engine/spec"
)

// path returns the shortest legal sequence of events from one status to another; it is empty if they are the same. Errors: *spec.StateError.
func path(from, to spec.Status) ([]spec.Event, error) {
	type step struct {
		status spec.Status
		events []spec.Event
	}
	seen := map[spec.Status]bool{from: true}
	// Breadth first, so that the first path found is the shortest.
	for todo := []step{{status: from}}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		if at.status == to {
			return at.events, nil
		}
		for _, t := range spec.Transitions() {
			// Replay would start a further attempt and change what counts as landed.
			if t.Event == spec.Replay || !slices.Contains(t.From, at.status) || seen[t.To] {
				continue
			}
			seen[t.To] = true
			todo = append(todo, step{t.To, append(slices.Clone(at.events), t.Event)})
		}
	}
	return nil, &spec.StateError{From: from, Event: spec.Event("make " + string(to)), Allowed: spec.Allowed(from)}
}
