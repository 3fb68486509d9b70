package store

import (
	"context"
	"slices"
	"strings"

	"chant/engine/spec"
)

// This file finds specs by what their rows in the index refer to: the number of a task, and a spec that others
// depend on. It believes no row whose file has changed.

// FindTask returns the id of the active spec that has a task number or an alias, in any case. Errors: *spec.NotFoundError and
// *spec.AmbiguousError, since branches can assign one number twice.
func FindTask(ctx context.Context, q *Query, key string) (string, error) {
	found := referrers(q, TaskRef+strings.ToUpper(key), func(s *spec.Spec) bool { return hasKey(s, key) })
	if len(found) == 0 {
		// The index may not know a file that was just written, so a miss is confirmed by a query about all specs.
		set, err := q.LoadAround(ctx) // all specs, unless nothing has changed since the index knew all of them
		if err != nil {
			return "", err
		}
		for _, one := range set.Specs {
			if hasKey(one, key) {
				found = append(found, one.ID)
			}
		}
	}
	if len(found) > 1 {
		return "", &spec.AmbiguousError{ID: key, Candidates: found}
	}
	if len(found) == 0 {
		return "", &spec.NotFoundError{ID: key}
	}
	return found[0], nil
}

// IndexedTask returns the id of the active spec that has a task number, if the index knows exactly one.
func IndexedTask(q *Query, key string) (id string, ok bool) {
	found := referrers(q, TaskRef+strings.ToUpper(key), func(s *spec.Spec) bool { return hasKey(s, key) })
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

// TaskSpec is Task in a query of its own.
func TaskSpec(ctx context.Context, s *Store, key string) (id string, err error) {
	s.Query(ctx, func(q *Query) { id, err = FindTask(ctx, q, key) })
	return id, err
}

func hasKey(s *spec.Spec, key string) bool {
	return slices.ContainsFunc(namesOf(s), func(name string) bool { return strings.EqualFold(name, key) })
}

// namesOf lists the names of a spec besides its id: its number as a task, and its ids in other tools.
func namesOf(s *spec.Spec) []string {
	if s.Fields.Task == "" {
		return s.Fields.Aliases
	}
	return append([]string{string(s.Fields.Task)}, s.Fields.Aliases...)
}

// referrers returns the specs whose rows have a ref, as far as their files still say so.
func referrers(q *Query, ref string, matches func(*spec.Spec) bool) (ids []string) {
	names, _ := q.View.Referrers(ref)
	for _, name := range names {
		// A row may be older than its file: the file decides.
		if s, err := q.Lookup(name); err == nil && matches(s) {
			ids = append(ids, name)
		}
	}
	spec.SortIDs(ids)
	return ids
}

// Dependents returns the active specs that depend on one, as far as the index knows them, and those of the candidates
// that do. Only a query about all specs (Load) finds a dependency for certain that another program has just written.
func Dependents(q *Query, id string, candidates []string) []string {
	needs := func(one *spec.Spec) bool { return slices.Contains(one.Fields.DependsOn, id) }
	ids := referrers(q, NeedsRef+id, needs)
	for _, name := range candidates {
		// Candidates come from the caller, who has just written them: the index cannot know these yet.
		if s, err := q.Lookup(name); err == nil && !slices.Contains(ids, name) && needs(s) {
			ids = append(ids, name)
		}
	}
	spec.SortIDs(ids)
	return ids
}

// ArchivedTask is Task for the archive.
func ArchivedTask(s *Store, key string) (string, error) {
	specs, _, err := s.LoadArchived()
	at := slices.IndexFunc(specs, func(one *spec.File) bool { return hasKey(&one.Spec, key) })
	if at < 0 && err == nil {
		err = &spec.NotFoundError{ID: key}
	}
	if err != nil {
		return "", err
	}
	return specs[at].ID, nil
}
