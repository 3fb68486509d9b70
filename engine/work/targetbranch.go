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
func (w *Working) applyOnto(ctx context.Context) error {
	onto, p, s := w.Input.Onto, w.Project, w.Spec
	if onto == "" {
		return nil
	}
	if err := CheckOnto(ctx, p, onto); err != nil {
		return err
	}
	now, err := run.TargetOf(ctx, p, &s.Spec, w.Held.History)
	known, _ := errors.AsType[*engine.Error](err)
	switch {
	case err != nil && (known == nil || known.Code != engine.NotFound && known.Code != engine.State):
		// The other errors are a missing target, which --onto replaces.
		return err
	case now == onto:
		return nil
	case s.Branch == "" && (s.Status == spec.Completed || s.Status == spec.Cancelled):
		// It will not be worked; the check of its status reports that.
		return nil
	case s.Branch != "":
		return engine.Fail(engine.State, next.Reset.On(s.ID), "the run of spec %q lands on %q; a run that has begun keeps its target", s.ID, now)
	}
	if !w.Input.DryRun {
		if err := SetOnto(ctx, p, s.ID, onto); err != nil {
			return err
		}
	}
	return w.rereadWithTarget(ctx, onto)
}

// rereadWithTarget reads graph and spec again, with a new target.
func (w *Working) rereadWithTarget(ctx context.Context, onto string) error {
	set, _, err := engine.Graph(ctx, w.Project)
	if err != nil {
		return err
	}
	// A dry run has written nothing, so the graph gets the target that it would read.
	for _, one := range set.Specs {
		if one.ID == w.Spec.ID {
			one.Fields.Onto, one.Target = onto, onto
		}
	}
	if err := w.Project.Store.FindReached(ctx, set); err != nil {
		return err
	}
	w.Graph = set.Graph()
	w.Spec, err = engine.WithText(ctx, w.Project, w.Graph.Spec(w.Spec.ID))
	return err
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
