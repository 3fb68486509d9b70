package engine

import (
	"context"
	"errors"
	"slices"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// subjects are the specs that are meant, each with the commit in which it is checked, and
// what a range takes away.
func (e *Engine) subjects(ctx context.Context, in VerifyAllInput) (all []subject, lost []string, err error) {
	scopes := 0
	for _, given := range []bool{len(in.IDs) > 0, in.All, len(in.Labels) > 0, in.Changed != ""} {
		if given {
			scopes++
		}
	}
	switch {
	case scopes == 0:
		return nil, nil, fail(Usage, "chant verify --all", "which specs: name them, or give --all, --label or --changed")
	case scopes > 1 && !(scopes == 2 && in.All && len(in.Labels) > 0):
		return nil, nil, fail(Usage, "chant verify --help", "IDs, --all, --label and --changed exclude each other")
	case in.At != "" && len(in.IDs) == 0:
		return nil, nil, fail(Usage, "chant verify --help", "--at goes with the ids of specs")
	case in.At != "":
		all, err = e.subjectsAt(ctx, in)
	case in.Changed != "":
		return e.changedSubjects(ctx, in.Changed)
	case len(in.IDs) > 0:
		all, err = e.namedSubjects(ctx, in.IDs)
	default:
		all, err = e.completedSubjects(ctx, in.Labels)
	}
	return all, nil, err
}

func (e *Engine) namedSubjects(ctx context.Context, ids []string) ([]subject, error) {
	var out []subject
	for _, text := range ids {
		s, err := e.findAny(ctx, text)
		if err != nil {
			return nil, wrap(err, text)
		}
		if has(out, s.ID) {
			continue
		}
		commit, err := e.commitOf(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, subject{s: s, commit: commit, checks: e.config.Verify})
	}
	return out, nil
}

// has reports whether a spec is meant already.
func has(all []subject, id string) bool {
	return slices.ContainsFunc(all, func(sub subject) bool { return sub.s.ID == id })
}

func (e *Engine) completedSubjects(ctx context.Context, labels []string) ([]subject, error) {
	set, _, err := e.graph(ctx)
	if err != nil {
		return nil, err
	}
	var out []subject
	for _, s := range set.Specs {
		if s.Archived || s.Status != spec.Completed || len(labels) > 0 && !slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(s.Fields.Labels, l) }) {
			continue
		}
		commit, err := e.commitOf(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, subject{s: s, commit: commit, checks: e.config.Verify})
	}
	return out, nil
}

// subjectsAt are specs as one commit has them, and the project's checks too.
func (e *Engine) subjectsAt(ctx context.Context, in VerifyAllInput) ([]subject, error) {
	commit, err := e.repo.Resolve(ctx, in.At)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, fail(NotFound, "git log --oneline", "there is no commit %q", in.At)
	}
	if err != nil {
		return nil, err
	}
	checks, err := e.checksAt(ctx, commit)
	if err != nil {
		return nil, err
	}
	var out []subject
	for _, text := range in.IDs {
		id := text
		if s, err := e.findAny(ctx, text); err == nil {
			id = s.ID
		}
		if has(out, id) {
			continue
		}
		s, err := e.specAt(ctx, commit, id)
		if errors.Is(err, gitops.ErrNotFound) {
			s, err = e.archivedAt(ctx, commit, id)
		}
		if errors.Is(err, gitops.ErrNotFound) {
			return nil, fail(NotFound, "chant list", "commit %.7s has no spec %q", commit, spec.Echo(id))
		}
		if err != nil {
			return nil, wrap(err, id)
		}
		out = append(out, subject{s: s, commit: commit, checks: checks})
	}
	return out, nil
}

// specAt reads a spec as a commit has it; gitops.ErrNotFound where it is not among the
// active ones.
func (e *Engine) specAt(ctx context.Context, commit, id string) (*spec.Spec, error) {
	if err := spec.ValidName(id); err != nil {
		return nil, err
	}
	return e.store.At(ctx, commit, id)
}

// changedSubjects are the completed specs that a range changes, as its end has them.
func (e *Engine) changedSubjects(ctx context.Context, text string) (out []subject, lost []string, err error) {
	c, err := e.changesOf(ctx, text)
	if err != nil {
		return nil, nil, err
	}
	diff, err := e.repo.Diff(ctx, c.from, c.to)
	if err != nil {
		return nil, nil, err
	}
	checks, err := e.checksAt(ctx, c.to)
	if err != nil {
		return nil, nil, err
	}
	for _, ch := range diff {
		id, isSpec := store.SpecOf(ch.Path)
		if ch.Status == 'D' || !isSpec {
			continue
		}
		s, err := e.specAt(ctx, c.to, id)
		if err != nil {
			return nil, nil, wrap(err, id)
		}
		if s.Status == spec.Completed {
			out = append(out, subject{s: s, commit: c.to, checks: checks, changes: c})
		}
	}
	archived, err := e.archivedIn(ctx, c, diff, checks)
	if err != nil {
		return nil, nil, err
	}
	lost, err = e.lost(ctx, c, diff)
	return append(out, archived...), lost, err
}
