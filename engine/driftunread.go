package engine

import (
	"context"

	"chant/archive"
	"chant/engine/store"
)

// unreadDrift is an answer for each spec that cannot be read, where all are meant: it may
// be a completed one.
func (e *Engine) unreadDrift(ctx context.Context, in DriftInput) ([]DriftedSpec, error) {
	if len(in.IDs) > 0 {
		return nil, nil
	}
	set, err := e.store.Load(ctx)
	if err != nil {
		return nil, err
	}
	bad := set.Invalid
	for _, id := range set.Archived {
		if _, err := e.store.GetArchived(id); err != nil && in.Archived {
			bad = append(bad, store.Invalid{ID: id, Path: store.Dir + "/" + archive.Path(id), Err: err})
		}
	}
	var out []DriftedSpec
	for _, one := range bad {
		out = append(out, DriftedSpec{
			ID: one.ID, Path: one.Path, State: Unknown, Why: "it cannot be read: " + one.Err.Error(), Next: editHint(one.Path),
		})
	}
	return out, nil
}
