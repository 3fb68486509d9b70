package view

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
)

// DepsInput names a spec.
type DepsInput struct {
	ID    string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Limit int    `json:"limit,omitempty" jsonschema:"Maximum length of each list (default: 100)"`
}

// DepsResult is the graph around one spec. Its lists are limited; the totals are
// their full lengths.
type DepsResult struct {
	ID              string         `json:"id"`
	Ready           bool           `json:"ready"`
	DependsOn       []Neighbour    `json:"depends_on"`
	DependsOnTotal  int            `json:"depends_on_total"`
	Dependents      []Neighbour    `json:"dependents"` // those that wait for it
	DependentsTotal int            `json:"dependents_total"`
	Drivers         []string       `json:"drivers,omitempty"`
	Members         []Neighbour    `json:"members,omitempty"`
	MembersTotal    int            `json:"members_total,omitempty"`
	Waits           []spec.Blocker `json:"waits,omitempty"` // what it waits for now
	WaitsTotal      int            `json:"waits_total,omitempty"`
	Cycle           []string       `json:"cycle,omitempty"`
}

// Neighbour is a dependency, a dependent or a member of a spec.
type Neighbour struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"`
	Status string `json:"status"` // missing or archived if there is no active file
	Done   bool   `json:"done"`
}

// Deps lists what a spec depends on, which specs depend on it, and what it waits for.
func Deps(ctx context.Context, p *engine.Project, in DepsInput) (DepsResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return DepsResult{}, engine.Wrap(err, in.ID)
	}
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return DepsResult{}, engine.Wrap(err, id)
	}
	s, err := engine.Readable(set, g, id)
	if err != nil {
		return DepsResult{}, engine.Wrap(err, id)
	}
	r := DepsResult{ID: id, DependsOn: []Neighbour{}, Dependents: []Neighbour{}, Drivers: g.Drivers(id)}
	for _, dep := range s.Fields.DependsOn {
		r.DependsOn = append(r.DependsOn, neighbour(g, dep))
	}
	r.Ready, _ = advice.ReadyOrBlocked(p, g, s)
	for _, other := range g.Specs() {
		if slices.Contains(other.Fields.DependsOn, id) {
			r.Dependents = append(r.Dependents, neighbour(g, other.ID))
		}
	}
	for _, m := range g.Members(id) {
		r.Members = append(r.Members, neighbour(g, m))
	}
	// What is done waits for nothing.
	if s.Status != spec.Completed && s.Status != spec.Cancelled {
		r.Waits = g.Blockers(id)
		if !r.Ready && g.Ready(id) {
			r.Waits = []spec.Blocker{{ID: id, Why: "needs " + advice.NeedsCriteria}}
		}
	}
	for _, c := range g.Cycles() {
		if slices.Contains(c, id) {
			r.Cycle = c
		}
	}
	return r.cutLists(in.Limit), nil
}

// cutLists sets the totals and cuts the lists to the limit.
func (r DepsResult) cutLists(limit int) DepsResult {
	r.DependsOnTotal, r.DependentsTotal, r.MembersTotal, r.WaitsTotal = len(r.DependsOn), len(r.Dependents), len(r.Members), len(r.Waits)
	r.DependsOn, r.Dependents, r.Members, r.Waits = engine.FirstOf(r.DependsOn, limit), engine.FirstOf(r.Dependents, limit), engine.FirstOf(r.Members, limit), engine.FirstOf(r.Waits, limit)
	r.Drivers, r.Cycle = engine.FirstOf(r.Drivers, limit), engine.FirstOf(r.Cycle, limit)
	return r
}

func neighbour(g *spec.Graph, id string) Neighbour {
	n := Neighbour{ID: id, Status: "missing", Done: g.Done(id)}
	if s := g.Spec(id); s != nil {
		n.Title, n.Status = s.Title, string(s.Status)
	} else if g.Archived(id) {
		n.Status = "archived"
	}
	return n
}
