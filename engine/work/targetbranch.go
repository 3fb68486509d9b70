package work

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// applyOnto makes the branch of --onto the target of a spec: it is written into home's copy, so that
// every later command uses it. A spec whose run has begun with another target is refused.
func applyOnto(ctx context.Context, p *engine.Project, in WorkInput, g *spec.Graph, s *spec.File, h *engine.Held) (*spec.Graph, *spec.File, error) {
	if in.Onto == "" {
		return g, s, nil
	}
	if err := CheckOnto(ctx, p, in.Onto); err != nil {
		return g, s, err
	}
	now, err := run.TargetOf(ctx, p, &s.Spec, h.History)
	known, _ := errors.AsType[*engine.Error](err)
	switch {
	case err != nil && (known == nil || known.Code != engine.NotFound && known.Code != engine.State):
		// The other errors are a missing target, which --onto replaces.
		return g, s, err
	case now == in.Onto:
		return g, s, nil
	case s.Branch == "" && (s.Status == spec.Completed || s.Status == spec.Cancelled):
		// It will not be worked; the check of its status reports that.
		return g, s, nil
	case s.Branch != "":
		return g, s, engine.Fail(engine.State, next.Reset.On(s.ID), "the run of spec %q lands on %q; a run that has begun keeps its target", s.ID, now)
	}
	if !in.DryRun {
		if err := SetOnto(ctx, p, s.ID, in.Onto); err != nil {
			return g, s, err
		}
	}
	set, _, err := engine.Graph(ctx, p)
	if err != nil {
		return g, s, err
	}
	// A dry run has written nothing, so the graph gets the target that it would read.
	for _, one := range set.Specs {
		if one.ID == s.ID {
			one.Fields.Onto, one.Target = in.Onto, in.Onto
		}
	}
	if err := p.Store.FindReached(ctx, set); err != nil {
		return g, s, err
	}
	g = set.Graph()
	s, err = engine.WithText(ctx, p, g.Spec(s.ID))
	return g, s, err
}

// SetOnto writes the target branch of a spec into home's copy and commits it.
func SetOnto(ctx context.Context, p *engine.Project, id, branch string) error {
	_, err := p.Store.Transition(ctx, store.Change{ID: id, Word: engine.OntoKey, Edits: []markdown.Edit{markdown.Set(engine.OntoKey, branch)}})
	return err
}

// CheckOnto checks that the branch of --onto has a valid name and exists.
func CheckOnto(ctx context.Context, p *engine.Project, name string) error {
	if err := p.Repo.ValidBranch(name); err != nil {
		return engine.Fail(engine.Usage, next.Work.Help(), "invalid branch %q for --onto", spec.Echo(name))
	}
	_, err := p.Repo.Resolve(ctx, "refs/heads/"+name)
	if errors.Is(err, gitops.ErrNotFound) {
		return engine.NoBranch(name, "named by --onto")
	}
	return err
}
