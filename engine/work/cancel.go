package work

import (
	"context"

	"chant/engine"
	"chant/engine/spec"
)

// CancelInput says which spec will not be done.
type CancelInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// Cancel drops the run of a spec as Reset does and marks it cancelled; whoever
// depends on it waits no longer. Errors as for Reset.
func Cancel(ctx context.Context, p *engine.Project, in CancelInput) (engine.StateResult, error) {
	return dropAnd(ctx, p, in.ID, spec.Cancel)
}
