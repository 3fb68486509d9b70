package engine

import (
	"context"

	"chant/engine/spec"
)

// CancelInput says which spec will not be done.
type CancelInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// Cancel drops the run of a spec as Reset does and marks it cancelled; whoever
// depends on it waits no longer. Errors as for Reset.
func (e *Engine) Cancel(ctx context.Context, in CancelInput) (StateResult, error) {
	return e.dropAnd(ctx, in.ID, spec.Cancel)
}
