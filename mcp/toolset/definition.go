package toolset

import (
	"context"
	"encoding/json"
	"strings"

	"chant/engine"
)

// Hint says that the values of a category go with a parameter of a tool.
type Hint struct {
	Field    string // the parameter; a dot leads into an object, as in patch.status
	Category string
	Label    string // of the sentence that lists the values; "" for no sentence
	Multiple bool   // the parameter takes several of them
}

// Definition is a tool of a dialect as its clients see it.
type Definition struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	InputSchema json.RawMessage  `json:"inputSchema"`
	Annotations map[string]bool  `json:"annotations,omitempty"` // where they differ from what clients assume
	Hints       *DefinitionHints `json:"hints,omitempty"`
}

// DefinitionHints are the values that go with the parameters of a tool.
type DefinitionHints struct {
	Fields map[string]FieldHint `json:"fields"`
}

// FieldHint lists the values that go with one parameter.
type FieldHint struct {
	Values          []string `json:"values"`
	AcceptsMultiple bool     `json:"acceptsMultiple,omitempty"`
}

// Define returns the definition of a tool with those of the values that its hints name. Errors: those of InputSchema.
func (t Tool) Define(values map[string][]string) (Definition, error) {
	input, err := t.InputSchema()
	d := Definition{Name: t.Name, Description: t.Text, InputSchema: input}
	switch t.Effect {
	case Reads:
		d.Annotations = map[string]bool{"readOnlyHint": true}
	case Adds:
		d.Annotations = map[string]bool{"destructiveHint": false}
	case Drops, Executes:
	}
	listed := map[string]bool{}
	for _, h := range t.Hints {
		known := values[h.Category]
		if len(known) == 0 {
			continue
		}
		if d.Hints == nil {
			d.Hints = &DefinitionHints{Fields: map[string]FieldHint{}}
		}
		d.Hints.Fields[h.Field] = FieldHint{Values: known, AcceptsMultiple: h.Multiple}
		// Several parameters may have the same values, which need one sentence.
		if !listed[h.Label] && h.Label != "" {
			d.Description += " Available " + h.Label + ": " + strings.Join(known, ", ") + "."
			listed[h.Label] = true
		}
	}
	return d, err
}

// Define returns the definitions of those tools that are of a dialect. Errors: those of Values and InputSchema.
func (d *Dialect) Define(ctx context.Context, p *engine.Project, tools []Tool) ([]Definition, error) {
	var values map[string][]string
	if d != nil && d.Values != nil {
		var err error
		if values, err = d.Values(ctx, p); err != nil {
			return nil, err
		}
	}
	var out []Definition
	for _, t := range tools {
		if t.Dialect == nil {
			continue
		}
		described, err := t.Define(values)
		if err != nil {
			return nil, err
		}
		out = append(out, described)
	}
	return out, nil
}

// DiscoverInput selects definitions.
type DiscoverInput struct {
	Tool string `json:"tool,omitempty" jsonschema:"Only the tool with this name"`
}

// DiscoverResult lists definitions.
type DiscoverResult struct {
	Status string       `json:"status"`
	Count  int          `json:"toolCount"`
	Tools  []Definition `json:"tools"`
}

type definitionsKey struct{}

// WithDefinitions returns a context in which Discover finds the definitions of the tools of a dialect.
func WithDefinitions(ctx context.Context, list func() ([]Definition, error)) context.Context {
	return context.WithValue(ctx, definitionsKey{}, list)
}

// Discover is the operation of a tool that lists the tools of its set, which the server knows and passes in the
// context. An unknown name selects none. Errors: those of the list.
func Discover(ctx context.Context, _ *engine.Project, in DiscoverInput) (DiscoverResult, error) {
	out := DiscoverResult{Status: "ok", Tools: []Definition{}}
	list, ok := ctx.Value(definitionsKey{}).(func() ([]Definition, error))
	if !ok {
		return out, nil
	}
	all, err := list()
	if err != nil {
		return out, err
	}
	wanted := strings.TrimSpace(in.Tool)
	for _, d := range all {
		if wanted == "" || strings.EqualFold(Canonical(d.Name), Canonical(wanted)) {
			out.Tools = append(out.Tools, d)
		}
	}
	out.Count = len(out.Tools)
	return out, nil
}
