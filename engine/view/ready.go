package view

import (
	"context"

	"chant/engine"
)

// ReadyInput bounds the list.
type ReadyInput struct {
	Limit int `json:"limit,omitempty" jsonschema:"Maximum number of specs to return, 0 for all"`
}

// Ready lists the specs that can be worked now, in id order.
func Ready(ctx context.Context, p *engine.Project, in ReadyInput) (ListResult, error) {
	return List(ctx, p, ListInput{Ready: true, Limit: in.Limit})
}
