package view

import (
	"context"

	"chant/engine"
	"chant/engine/spec"
)

// PrepInput names a spec and says whether to leave out what earlier agents wrote.
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
func Prep(ctx context.Context, p *engine.Project, in PrepInput) (PrepResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return PrepResult{}, engine.Wrap(err, in.ID)
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return PrepResult{}, engine.Wrap(err, id)
	}
	return PrepResult{id, string(preparedBody(s, in.Clean))}, nil
}

func preparedBody(s *spec.File, clean bool) []byte {
	if !clean {
		return s.Doc.Body()
	}
	return s.WithoutRunSections().Body()
}
