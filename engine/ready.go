package engine

import (
	"context"
)

// ReadyInput bounds the list.
type ReadyInput struct {
	Limit int `json:"limit,omitempty" jsonschema:"Maximum number of specs to return, 0 for all"`
}

// Ready lists the specs that can be worked now, in id order.
func (e *Engine) Ready(ctx context.Context, in ReadyInput) (ListResult, error) {
	return e.List(ctx, ListInput{Ready: true, Limit: in.Limit})
}
