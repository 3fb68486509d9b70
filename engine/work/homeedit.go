package work

import (
	"bytes"
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
)

// WithHomeEdit is takeHomeEdit before a spec is worked; a dry run only says that there is an edit.
func WithHomeEdit(ctx context.Context, p *engine.Project, in WorkInput, g *spec.Graph, s *spec.Spec, h *engine.Held) (*spec.Graph, *spec.Spec, error) {
	if in.DryRun {
		_, edit, err := run.FindHomeEdit(ctx, p, s, h.History)
		if err == nil && edit != nil {
			engine.Warn(p, s.ID, fmt.Sprintf("%s was edited in your checkout; work takes that over to %s first, this plan does not have it", store.SpecPath(s.ID), s.Branch))
		}
		return g, s, err
	}
	before := s.Doc.Bytes()
	now, err := run.TakeHomeEdit(ctx, p, s, h)
	if err != nil || bytes.Equal(before, now.Doc.Bytes()) {
		return g, s, err
	}
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return g, s, err
	}
	s, err = engine.Readable(set, g, s.ID)
	return g, s, err
}

// TakeBeforeEdit takes such an edit over before a person sees the run's copy in an editor, and reports
// whether the two conflict.
func TakeBeforeEdit(ctx context.Context, p *engine.Project, id string) (clash bool, err error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return false, nil //nolint:nilerr // it is edited because it cannot be read
	}
	history, err := journal.ReadHistory(p.Store, id)
	if err != nil {
		return false, err
	}
	if edited, _ := run.EditedAtHome(ctx, p, s, history); !edited {
		return false, nil
	}
	return advice.WithHold(ctx, p, id, "edit", func(h *engine.Held) (bool, error) { return run.ClashAtHome(ctx, p, h) })
}
