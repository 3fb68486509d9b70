package verify

import (
	"context"
	"errors"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/prompt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/gitops"
)

// scope is what is verified.
type scope struct {
	subjects []subject
	lost     []string // the completed specs that a range removes, in words
	skipped  []string // the completed specs that are older than the settings say
}

// scopeOf returns the selected specs, each with the commit in which it is verified.
func scopeOf(ctx context.Context, p *engine.Project, in VerifyAllInput) (all scope, err error) {
	scopes := 0
	for _, given := range []bool{len(in.IDs) > 0, in.All, len(in.Labels) > 0, in.Changed != ""} {
		if given {
			scopes++
		}
	}
	switch {
	case scopes == 0:
		return all, engine.Fail(engine.Usage, next.Verify.On().Flag("all"), "which specs: name them, or give --all, --label or --changed")
	case scopes > 1 && !(scopes == 2 && in.All && len(in.Labels) > 0):
		return all, engine.Fail(engine.Usage, next.Verify.Help(), "IDs, --all, --label and --changed exclude each other")
	case in.At != "" && len(in.IDs) == 0:
		return all, engine.Fail(engine.Usage, next.Verify.Help(), "--at goes with the ids of specs")
	case in.At != "":
		all.subjects, err = subjectsAt(ctx, p, in)
	case in.Changed != "":
		all.subjects, all.lost, err = changedSubjects(ctx, p, in.Changed)
	case len(in.IDs) > 0:
		all.subjects, err = namedSubjects(ctx, p, in.IDs)
	default:
		all.subjects, all.skipped, err = completedSubjects(ctx, p, in.Labels)
	}
	return all, err
}

func namedSubjects(ctx context.Context, p *engine.Project, ids []string) ([]subject, error) {
	checks, err := prompt.Checks(p)
	if err != nil {
		return nil, err
	}
	var out []subject
	for _, text := range ids {
		s, err := engine.FindAny(ctx, p, text)
		if err != nil {
			return nil, engine.Wrap(err, text)
		}
		if hasSubject(out, s.ID) {
			continue
		}
		commit, err := commitToVerify(ctx, p, s)
		if err != nil {
			return nil, err
		}
		out = append(out, subject{s: s, commit: commit, checks: checks})
	}
	return out, nil
}

// hasSubject reports whether a spec is already selected.
func hasSubject(all []subject, id string) bool {
	return slices.ContainsFunc(all, func(sub subject) bool { return sub.s.ID == id })
}

// completedSubjects returns the completed specs, and the ids of those that are older than the settings say.
func completedSubjects(ctx context.Context, p *engine.Project, labels []string) (out []subject, skipped []string, err error) {
	_, files, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	checks, err := prompt.Checks(p)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range files {
		if s.Archived || s.Status != spec.Completed || !s.HasLabel(labels) {
			continue
		}
		if at, known := completionTime(&s.Spec); known && at.Before(p.Config.Verify.Since.Time()) {
			skipped = append(skipped, s.ID)
			continue
		}
		commit, err := commitToVerify(ctx, p, s)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, subject{s: s, commit: commit, checks: checks})
	}
	return out, skipped, nil
}

// completionTime returns when a spec was completed; without such a time it returns the day of its id.
func completionTime(s *spec.Spec) (at time.Time, known bool) {
	if at, err := time.Parse(time.RFC3339, s.Fields.CompletedAt); err == nil {
		return at, true
	}
	id, err := spec.ParseID(s.ID)
	if err != nil {
		return at, false
	}
	at, err = time.Parse(spec.DateLayout, id.Date)
	return at, err == nil
}

// subjectsAt returns specs as they are in one commit, with the checks of the project in that commit.
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
		if hasSubject(out, id) {
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
