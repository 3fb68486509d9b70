package work

import (
	"context"

	"chant/engine"
	"chant/engine/spec"
)

// CancelInput names the spec to cancel.
type CancelInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// Cancel drops the run of a spec as Reset does and marks it cancelled; specs that
// depend on it no longer wait for it. Errors as for Reset.
func Cancel(ctx context.Context, p *engine.Project, in CancelInput) (engine.StateResult, error) {
	return dropRun(ctx, p, in.ID, spec.Cancel)
}
