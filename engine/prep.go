package engine

import (
	"context"

	"chant/engine/spec"
)

// PrepInput names a spec and says whether old answers are left out.
type PrepInput struct {
	ID    string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Clean bool   `json:"clean,omitempty" jsonschema:"Leave out sections that earlier agents wrote"`
}

// PrepResult is a spec's text as an agent should read it.
type PrepResult struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Prep returns the body of a spec for an agent to read. Nothing is written.
func (e *Engine) Prep(ctx context.Context, in PrepInput) (PrepResult, error) {
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return PrepResult{}, wrap(err, in.ID)
	}
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return PrepResult{}, wrap(err, id)
	}
	return PrepResult{id, string(prepared(s, in.Clean))}, nil
}

func prepared(s *spec.Spec, clean bool) []byte {
	if !clean {
		return s.Doc.Body()
	}
	return s.Written().Body()
}
