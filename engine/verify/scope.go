package verify

import (
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// subjects are the specs that are meant, each with the commit in which it is checked, and
// what a range takes away.
func subjects(ctx context.Context, p *engine.Project, in VerifyAllInput) (all []subject, lost []string, err error) {
	scopes := 0
	for _, given := range []bool{len(in.IDs) > 0, in.All, len(in.Labels) > 0, in.Changed != ""} {
		if given {
			scopes++
		}
	}
	switch {
	case scopes == 0:
		return nil, nil, engine.Fail(engine.Usage, next.Verify.On().Flag("all"), "which specs: name them, or give --all, --label or --changed")
	case scopes > 1 && !(scopes == 2 && in.All && len(in.Labels) > 0):
		return nil, nil, engine.Fail(engine.Usage, next.Verify.Help(), "IDs, --all, --label and --changed exclude each other")
	case in.At != "" && len(in.IDs) == 0:
		return nil, nil, engine.Fail(engine.Usage, next.Verify.Help(), "--at goes with the ids of specs")
	case in.At != "":
		all, err = subjectsAt(ctx, p, in)
	case in.Changed != "":
		return changedSubjects(ctx, p, in.Changed)
	case len(in.IDs) > 0:
		all, err = namedSubjects(ctx, p, in.IDs)
	default:
		all, err = completedSubjects(ctx, p, in.Labels)
	}
	return all, nil, err
}

func namedSubjects(ctx context.Context, p *engine.Project, ids []string) ([]subject, error) {
	var out []subject
	for _, text := range ids {
		s, err := engine.FindAny(ctx, p, text)
		if err != nil {
			return nil, engine.Wrap(err, text)
		}
		if has(out, s.ID) {
			continue
		}
		commit, err := commitOf(ctx, p, s)
		if err != nil {
			return nil, err
		}
		out = append(out, subject{s: s, commit: commit, checks: p.Config.Verify})
	}
	return out, nil
}

// has reports whether a spec is meant already.
func has(all []subject, id string) bool {
	return slices.ContainsFunc(all, func(sub subject) bool { return sub.s.ID == id })
}

func completedSubjects(ctx context.Context, p *engine.Project, labels []string) ([]subject, error) {
	set, _, err := engine.Graph(ctx, p)
	if err != nil {
		return nil, err
	}
	var out []subject
	for _, s := range set.Specs {
		if s.Archived || s.Status != spec.Completed || !s.HasLabel(labels) {
			continue
		}
		commit, err := commitOf(ctx, p, s)
		if err != nil {
			return nil, err
		}
		out = append(out, subject{s: s, commit: commit, checks: p.Config.Verify})
	}
	return out, nil
}

// subjectsAt are specs as one commit has them, and the project's checks too.
func subjectsAt(ctx context.Context, p *engine.Project, in VerifyAllInput) ([]subject, error) {
	commit, err := p.Repo.Resolve(ctx, in.At)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, engine.Fail(engine.NotFound, next.Shell("git log --oneline"), "there is no commit %q", in.At)
	}
	if err != nil {
		return nil, err
	}
	checks, err := checksAt(ctx, p, commit)
	if err != nil {
		return nil, err
	}
	var out []subject
	for _, text := range in.IDs {
		id := text
		if s, err := engine.FindAny(ctx, p, text); err == nil {
			id = s.ID
		}
		if has(out, id) {
			continue
		}
		s, err := p.Store.FindAt(ctx, commit, id)
		if errors.Is(err, gitops.ErrNotFound) {
			return nil, engine.Fail(engine.NotFound, next.List.On(), "commit %.7s has no spec %q", commit, spec.Echo(id))
		}
		if err != nil {
			return nil, engine.Wrap(err, id)
		}
		out = append(out, subject{s: s, commit: commit, checks: checks})
	}
	return out, nil
}

// changedSubjects are the completed specs that a range changes, as its end has them.
func changedSubjects(ctx context.Context, p *engine.Project, text string) (out []subject, lost []string, err error) {
	c, err := changesOf(ctx, p, text)
	if err != nil {
		return nil, nil, err
	}
	diff, err := p.Repo.Diff(ctx, c.from, c.to)
	if err != nil {
		return nil, nil, err
	}
	checks, err := checksAt(ctx, p, c.to)
	if err != nil {
		return nil, nil, err
	}
	for _, ch := range diff {
		id, isSpec := store.SpecOf(ch.Path)
		if ch.Status == 'D' || !isSpec {
			continue
		}
		s, err := p.Store.At(ctx, c.to, id)
		if err != nil {
			return nil, nil, engine.Wrap(err, id)
		}
		if s.Status == spec.Completed {
			out = append(out, subject{s: s, commit: c.to, checks: checks, changes: c})
		}
	}
	archived, err := archivedIn(ctx, p, c, diff, checks)
	if err != nil {
		return nil, nil, err
	}
	lost, err = lostWork(ctx, p, c, diff)
	return append(out, archived...), lost, err
}
