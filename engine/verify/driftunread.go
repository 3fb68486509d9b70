package verify

import (
	"context"

	"chant/engine"
)

// unreadDrift is an answer for each spec that cannot be read, where all are meant: it may
// be a completed one.
func unreadDrift(ctx context.Context, p *engine.Project, in DriftInput) ([]DriftedSpec, error) {
	if len(in.IDs) > 0 {
		return nil, nil
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	bad := set.Invalid
	if in.Archived {
		_, unreadable, err := p.Store.LoadArchived()
		if err != nil {
			return nil, err
		}
		bad = append(bad, unreadable...)
	}
	var out []DriftedSpec
	for _, one := range bad {
		out = append(out, DriftedSpec{
			ID: one.ID, Path: one.Path, State: Unknown, Why: "it cannot be read: " + one.Err.Error(), Next: engine.EditStep(one.Path),
		})
	}
	return out, nil
}
