package view

import (
	"cmp"
	"context"
	"slices"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
)

// maxOpen is how many open specs are listed.
const maxOpen = 50

// OpenSpec is a spec that makes no progress by itself, and why.
type OpenSpec struct {
	ID     string      `json:"id"`
	Title  string      `json:"title"`
	Status spec.Status `json:"status"`
	Node   string      `json:"node,omitempty"` // the machine of the fleet that has worked on it, "" for this clone
	Why    string      `json:"why"`
	Next   next.Step   `json:"next"`
}

// addOpenSpecs adds the specs that make no progress by themselves: those that cannot be read,
// then those that need attention, that failed, that were stopped and that wait for others. It
// leaves out runs that are listed already.
func addOpenSpecs(ctx context.Context, p *engine.Project, r *StatusResult, set *store.Set, g *spec.Graph, open []openSpec, there advice.Elsewhere) error {
	for _, bad := range set.Invalid[:min(len(set.Invalid), maxOpen)] {
		r.Open = append(r.Open, OpenSpec{ID: bad.ID, Status: invalid, Why: bad.Err.Error(), Next: next.Edit.On(bad.ID)})
	}
	open = slices.DeleteFunc(open, func(o openSpec) bool {
		return slices.ContainsFunc(r.Runs, func(v RunView) bool { return v.ID == o.ID })
	})
	r.OpenMore = max(0, len(open)-maxOpen)
	slices.SortStableFunc(open, func(a, b openSpec) int { return cmp.Compare(a.urgency, b.urgency) })
	for _, s := range open[:min(len(open), maxOpen)] {
		if _, is := there[s.ID]; is {
			r.Open = append(r.Open, openElsewhere(s.Spec, there))
			continue
		}
		l, err := advice.Gather(ctx, p, g, s.Spec)
		if err != nil {
			return err
		}
		conclusion := l.Conclude()
		r.Open = append(r.Open, OpenSpec{ID: s.ID, Title: s.Title, Status: s.Status, Why: conclusion.Why, Next: stepElsewhere(g, s.ID, conclusion.Next, there)})
	}
	return nil
}

// openSpec is a spec that makes no progress by itself. The smaller its number, the earlier it is listed.
type openSpec struct {
	*spec.Spec
	urgency int
}

// urgency returns by what open specs are sorted, 0 for a spec that is not open.
func urgency(g *spec.Graph, s *spec.Spec, blocked bool) int {
	switch {
	case s.Status == spec.NeedsAttention:
		return 1
	case s.Status == spec.Failed:
		return 2
	case s.Status == spec.Paused, s.Status == spec.Pending && s.Branch != "":
		return 3
	case s.Status == spec.Pending && (blocked || g.OpenDriver(s.ID)):
		return 4
	}
	return 0
}
