package work

import (
	"bytes"
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/store"
)

// TakeEdit brings an edit of the spec in home over to the branch of its run. A dry run only warns that there is an edit.
func (w *Working) TakeEdit(ctx context.Context) error {
	p, s, h := w.Project, w.Spec, w.Held
	if w.Input.DryRun {
		_, edit, err := run.FindHomeEdit(ctx, p, &s.Spec, h.History)
		if err == nil && edit != nil {
			engine.Warn(p, s.ID, fmt.Sprintf("%s was edited in your checkout; work takes that over to %s first, this plan does not include it", store.SpecPath(s.ID), s.Branch))
		}
		return err
	}
	before := s.Doc.Bytes()
	now, err := run.TakeHomeEdit(ctx, p, s, h)
	// Reading the whole graph again is needed only if the text has changed.
	if err != nil || bytes.Equal(before, now.Doc.Bytes()) {
		return err
	}
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return err
	}
	w.Graph = g
	w.Spec, err = engine.ReadableFile(ctx, p, set, g, s.ID)
	return err
}

// TakeEditBeforeEditor brings such an edit over before a person opens the run's copy in an editor, and reports whether the edit
// conflicts with that copy.
func TakeEditBeforeEditor(ctx context.Context, p *engine.Project, id string) (clash bool, err error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return false, nil //nolint:nilerr // a person edits the spec because it cannot be read
	}
	history, err := journal.ReadHistory(p.Store, id)
	if err != nil {
		return false, err
	}
	// Asked without the lock first, since a run may hold that, and usually there is no edit.
	if edited, _ := run.EditedAtHome(ctx, p, &s.Spec, history); !edited {
		return false, nil
	}
	return advice.WithHold(ctx, p, id, "edit", func(h *engine.Held) (bool, error) { return run.ClashAtHome(ctx, p, h) })
}
