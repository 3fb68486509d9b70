package sprints

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/spec/sprint"
)

// ListInput selects a page of the sprints.
type ListInput struct {
	Page
	IncludeIntegrity *bool `json:"include_integrity,omitempty" jsonschema:"Report tasks in sprints that do not exist (default: true)"`
}

// ListResult is a page of the sprints, by id.
type ListResult struct {
	Status string `json:"status"`
	Paging
	Sprints        []sprint.Item     `json:"sprints"`
	MissingSprints []int             `json:"missing_sprints,omitempty"`
	Integrity      *sprint.Integrity `json:"integrity,omitempty"`
}

// List lists the sprints. One whose file cannot be read has a warning. Errors: Usage for a wrong page.
func List(ctx context.Context, p *engine.Project, in ListInput) (ListResult, error) {
	paging, err := in.check(50, 200)
	if err != nil {
		return ListResult{}, err
	}
	f, err := read(p)
	if err != nil {
		return ListResult{}, operationFault(err, internal)
	}
	out := ListResult{Status: ok, Sprints: cut(f.items(p), &paging)}
	// Without the check of integrity no spec has to be read.
	if out.Paging = paging; in.IncludeIntegrity != nil && !*in.IncludeIntegrity {
		return out, nil
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return ListResult{}, operationFault(err, internal)
	}
	out.Integrity, _ = sprint.Check((&roster{specs: set.Specs}).sprints(), f.exists, false)
	if out.Integrity != nil {
		out.MissingSprints = out.Integrity.MissingSprints
	}
	return out, nil
}

// items returns all sprints as the list shows them, by id.
func (f files) items(p *engine.Project) []sprint.Item {
	var items []sprint.Item
	for _, s := range f.sprints {
		items = append(items, s.Item(p.Now()))
	}
	for id, err := range f.broken {
		items = append(items, sprint.Item{
			ID: id, DisplayName: "Sprint " + itoa(id), State: sprint.Pending, Warnings: []sprint.Warning{{Code: sprint.UnreadableFile, Message: err.Error()}},
		})
	}
	slices.SortFunc(items, func(a, b sprint.Item) int { return a.ID - b.ID })
	return items
}

// GetInput names a sprint.
type GetInput struct{ Pick }

// GetResult is one sprint.
type GetResult struct {
	Status string      `json:"status"`
	Sprint sprint.Item `json:"sprint"`
}

// Get returns one sprint. Errors: Usage, NotFound, Invalid.
func Get(_ context.Context, p *engine.Project, in GetInput) (GetResult, error) {
	f, err := read(p)
	if err != nil {
		return GetResult{}, operationFault(err, internal)
	}
	s, err := f.pick(in.Pick)
	if err != nil {
		return GetResult{}, err
	}
	return GetResult{ok, s.Item(p.Now())}, nil
}
