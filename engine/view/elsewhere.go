package view

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// seeElsewhere returns a set and its graph with what the machines of a fleet do with the specs. The set that was read
// stays as it is.
func seeElsewhere(ctx context.Context, p *engine.Project, set *store.Set, g *spec.Graph) (*store.Set, *spec.Graph, advice.Elsewhere) {
	there := advice.ReadElsewhere(ctx, p, set.Specs...)
	if len(there) == 0 {
		return set, g, nil
	}
	// A copy, because others may have the set, too.
	seen := *set
	seen.Specs = slices.Clone(set.Specs)
	for i, s := range seen.Specs {
		seen.Specs[i] = there.As(s)
	}
	return &seen, seen.Graph(), there
}

// markElsewhere adds to a row what another machine does with the spec.
func markElsewhere(r Row, there advice.Elsewhere) Row {
	if c, is := there[r.ID]; is {
		r.Run, r.Node, r.NeedsInput = there.RunThere(r.ID), c.Worker, len(c.OpenQuestions())
	}
	return r
}

// openElsewhere describes a spec whose run on another machine has ended without being completed.
func openElsewhere(s *spec.Spec, there advice.Elsewhere) OpenSpec {
	why, step := there.Conclude(s.ID)
	return OpenSpec{ID: s.ID, Title: s.Title, Status: s.Status, Node: there[s.ID].Worker, Why: why, Next: step.Because("%s", why)}
}

// stepElsewhere returns the next step for a spec: that of what it waits for if another machine works on that, else usual.
func stepElsewhere(g *spec.Graph, id string, usual next.Advice, there advice.Elsewhere) next.Advice {
	if len(there) == 0 || !g.Blocked(id) {
		return usual
	}
	for _, b := range g.Blockers(id) {
		if _, is := there[b.ID]; is {
			why, step := there.Conclude(b.ID)
			return step.Because("%s", why)
		}
	}
	return usual
}

// runElsewhere describes the run of a spec on another machine, false if it has ended.
func runElsewhere(s *spec.Spec, there advice.Elsewhere) (RunView, bool) {
	c := there[s.ID]
	v := RunView{ID: s.ID, Title: s.Title, Status: s.Status, Node: c.Worker, Attempt: c.Attempt, Glance: advice.Glance{State: there.RunThere(s.ID)}}
	why, step := there.Conclude(s.ID)
	v.Next = step.Because("%s", why)
	return v, v.State != ""
}
