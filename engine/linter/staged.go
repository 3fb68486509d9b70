package linter

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store"
)

// lintStaged checks the specs that the next commit would add or change, as it would have
// them, among all others as they are. Where there is none nothing is read.
func lintStaged(ctx context.Context, p *engine.Project, in LintInput, r LintResult) (LintResult, error) {
	files, err := p.Repo.Staged(ctx, p.Repo.Dir(), engine.Variable(p, "GIT_INDEX_FILE"), store.SpecsDir)
	if err != nil || len(files) == 0 {
		return r, err
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return r, err
	}
	var only []string
	for _, f := range files {
		id, ok := store.SpecOf(f.Path)
		if !ok {
			continue
		}
		only = append(only, id)
		set.Specs = slices.DeleteFunc(set.Specs, func(s *spec.Spec) bool { return s.ID == id })
		set.Invalid = slices.DeleteFunc(set.Invalid, func(bad store.Invalid) bool { return bad.ID == id })
		if s, err := spec.Parse(id, f.Path, f.Content); err != nil {
			set.Invalid = append(set.Invalid, store.Invalid{ID: id, Path: f.Path, Err: err})
		} else {
			set.Specs = append(set.Specs, s)
		}
	}
	if only != nil {
		check(p, &r, set, only)
	}
	return r.bounded(in.Limit), nil
}
