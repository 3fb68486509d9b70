package store

import (
	"context"
	"slices"
	"strings"

	"chant/engine/spec"
)

// What rows refer to besides the members that they name: the number of a task, and a spec that they depend on.
const (
	taskRef  = "task:"
	needsRef = "needs:"
)

// refsOf lists the names by which the row of a spec is found.
func refsOf(s *spec.Spec) []string {
	refs := slices.Clone([]string(s.Fields.Members))
	if s.Fields.Task != "" {
		refs = append(refs, taskRef+strings.ToUpper(string(s.Fields.Task)))
	}
	for _, id := range s.Fields.DependsOn {
		refs = append(refs, needsRef+id)
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

// FindTask returns the id of the active spec that has a task number, in any case. Errors: *spec.NotFoundError and
// *spec.AmbiguousError, since branches can assign one number twice.
func FindTask(ctx context.Context, s *Store, key string) (id string, err error) {
	s.query(ctx, func(r *rowSource) { id, err = r.findTask(ctx, key) })
	return id, err
}

func (r *rowSource) findTask(ctx context.Context, key string) (string, error) {
	found, _ := r.referring(ctx, taskRef+strings.ToUpper(key), func(s *spec.Spec) bool { return hasKey(s, key) })
	if len(found) == 0 {
		set, all, err := r.loadSome(ctx, func() (*Set, error) { return &Set{}, nil })
		if err != nil {
			return "", err
		}
		for _, one := range set.Specs { // none unless all were read
			if all && hasKey(one, key) {
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

func hasKey(s *spec.Spec, key string) bool { return strings.EqualFold(string(s.Fields.Task), key) }

// referring returns the specs whose rows have a ref, as far as their files still say so; ok is false if the index cannot
// say which rows those are.
func (r *rowSource) referring(ctx context.Context, ref string, says func(*spec.Spec) bool) (ids []string, ok bool) {
	names, ok := r.view.Referrers(SpecsDir, ref)
	for _, name := range names {
		got := r.readNamed(name)
		if got.err == nil && says(got.found) && ctx.Err() == nil {
			ids = append(ids, name)
		}
	}
	spec.SortIDs(ids)
	return ids, ok
}

// Dependents returns the active specs that depend on one, as far as the index knows them, and those of the candidates
// that do. Only a query about all specs (Load) finds a dependency for certain that another program has just written.
func Dependents(ctx context.Context, s *Store, id string, candidates []string) (ids []string) {
	needs := func(one *spec.Spec) bool { return slices.Contains(one.Fields.DependsOn, id) }
	s.query(ctx, func(r *rowSource) {
		ids, _ = r.referring(ctx, needsRef+id, needs)
		for _, name := range candidates {
			if got := r.readNamed(name); !slices.Contains(ids, name) && got.err == nil && needs(got.found) {
				ids = append(ids, name)
			}
		}
	})
	spec.SortIDs(ids)
	return ids
}

// FindArchivedTask is FindTask for the archive.
func FindArchivedTask(s *Store, key string) (string, error) {
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
