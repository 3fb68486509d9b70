package overview

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/view/picture"
)

// DagInput selects specs. Without a filter, all are selected.
type DagInput struct {
	IDs         []string `json:"ids,omitempty" jsonschema:"Only these specs (full or partial IDs), what they need and what needs them"`
	Depth       int      `json:"depth,omitempty" jsonschema:"With ids: over at most so many needs, 0 for any number"`
	Statuses    []string `json:"statuses,omitempty" jsonschema:"Only specs in one of these statuses (also ready, blocked, invalid)"`
	Labels      []string `json:"labels,omitempty" jsonschema:"Only specs with one of these labels"`
	Type        string   `json:"type,omitempty" jsonschema:"Only specs of this type"`
	WithoutDone bool     `json:"without_done,omitempty" jsonschema:"Leave out specs for which nothing waits any longer"`
}

// DagResult is the selected part of the graph.
type DagResult struct {
	picture.Graph
	Total    int `json:"total"`    // specs of the whole graph, with those that are needed and missing or archived
	Returned int `json:"returned"` // selected specs
}

// Dag returns the graph of specs. Errors: Usage for an unknown status or type; NotFound.
func Dag(ctx context.Context, p *engine.Project, in DagInput) (DagResult, error) {
	if err := checkStates(in.Statuses); err != nil {
		return DagResult{}, err
	}
	if in.Type != "" && !slices.Contains(spec.TypeWords(), in.Type) {
		return DagResult{}, engine.Fail(engine.Usage, next.Dag.Help(), "%s", spec.Unknown("type", in.Type, spec.TypeWords()))
	}
	ids, err := engine.FindEach(ctx, p, in.IDs)
	if err != nil {
		return DagResult{}, engine.Wrap(err, "")
	}
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return DagResult{}, engine.Wrap(err, "")
	}
	broken := map[string]string{}
	for _, bad := range set.Invalid {
		broken[bad.ID] = bad.Err.Error()
	}
	all := picture.Of(g, broken)
	for i, one := range all.Specs {
		if s := g.Spec(one.ID); s != nil {
			all.Specs[i].Ready, all.Specs[i].Blocked = advice.ReadyOrBlocked(p, g, s)
		}
	}
	part := all.Select(picture.Filter{Around: ids, Depth: in.Depth, States: in.Statuses, Labels: in.Labels, Type: in.Type, WithoutDone: in.WithoutDone})
	return DagResult{Graph: part, Total: len(all.Specs), Returned: len(part.Specs)}, nil
}

// States lists the statuses by which a graph can be filtered.
func States() []string { return append(spec.StatusWords(), "ready", "blocked", picture.Invalid) }

func checkStates(words []string) error {
	for _, word := range words {
		if !slices.Contains(States(), word) {
			return engine.Fail(engine.Usage, next.Dag.Help(), "%s", spec.Unknown("status", word, States()))
		}
	}
	return nil
}
