package exchange

import (
	"maps"
	"slices"
	"strings"
)

// readMembers finds out to which sprints each task belongs: those that list it, and those that an older file of it
// names.
func (pl *plan) readMembers(known map[int]string) {
	for _, f := range pl.from.sprints {
		if created, has := known[f.Number]; has && created != f.Sprint.Created {
			pl.warn("sprint %d of chant is another one than that of lotar; its tasks do not become members", f.Number)
			continue
		}
		for _, key := range f.Sprint.Tasks {
			name := strings.ToUpper(strings.TrimSpace(key))
			if _, exists := pl.ids[name]; !exists {
				pl.warn("sprint %d has a task %s that does not exist", f.Number, key)
				continue
			}
			pl.member[name] = append(pl.member[name], f.Number)
		}
	}
	for _, f := range pl.from.tasks {
		name := strings.ToUpper(f.Key())
		pl.member[name] = append(pl.member[name], f.Task.Sprints...)
	}
	for name, numbers := range pl.member {
		slices.Sort(numbers)
		pl.member[name] = slices.Compact(numbers)
	}
}

// readDependencies collects what each new spec depends on: its own depends_on, and blocks of the others.
func (pl *plan) readDependencies() {
	for _, f := range pl.from.tasks {
		id := pl.ids[strings.ToUpper(f.Key())]
		// What was imported before may have been edited since, and is left alone.
		if !pl.isNew[id] {
			continue
		}
		for _, key := range f.Task.Relationships.DependsOn {
			pl.addDependency(id, pl.idOf(f.Key(), "depends_on", key))
		}
		for _, key := range f.Task.Relationships.Blocks {
			other := pl.idOf(f.Key(), "blocks", key)
			if other != "" && !pl.isNew[other] {
				pl.warn("%s blocks %s, which was imported before and is not changed", f.Key(), key)
				continue
			}
			pl.addDependency(other, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(pl.deps)) {
		if pl.reaches(id, id, map[string]bool{}) {
			pl.warn("%s depends on itself through other tasks, so it cannot start", pl.keys[id])
		}
	}
}

func (pl *plan) addDependency(id, on string) {
	// A spec that depends on itself, or on an id that names nothing, could never start.
	if id != "" && on != "" && id != on && !slices.Contains(pl.deps[id], on) {
		pl.deps[id] = append(pl.deps[id], on)
	}
}

// reaches reports whether a dependency of from leads to id.
func (pl *plan) reaches(from, id string, seen map[string]bool) bool {
	for _, on := range pl.deps[from] {
		if on == id {
			return true
		}
		// Files of other programs may depend on each other in a circle.
		if !seen[on] {
			seen[on] = true
			if pl.reaches(on, id, seen) {
				return true
			}
		}
	}
	return false
}

// idOf returns the id of the spec that a task names, "" with a warning if there is none.
func (pl *plan) idOf(of, what, key string) string {
	id := pl.ids[strings.ToUpper(strings.TrimSpace(key))]
	if id == "" {
		pl.warn("%s: %s names %q, which does not exist", of, what, key)
	}
	return id
}
