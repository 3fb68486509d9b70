package engine

import (
	"context"
	"maps"
	"slices"

	"chant/engine/schedule"
	"chant/engine/spec"
	"chant/gitops"
)

// scope is which specs an operation on many is about.
type scope struct {
	rank    map[string]int // the specs that were named, members of drivers among them, in order
	last    int            // rank of all others
	all     bool           // and everything that is ready
	labels  []string
	skipped []SkippedSpec
}

// scope resolves what was named. One name that nobody has fails before anything
// runs; a spec that cannot be worked is skipped.
func (e *Engine) scope(ctx context.Context, in WorkAllInput) (*scope, error) {
	sc := &scope{rank: map[string]int{}, all: in.All || len(in.IDs) == 0, labels: in.Labels}
	var ids []string
	for _, text := range in.IDs {
		id, err := e.find(ctx, text)
		if err != nil {
			return nil, wrap(err, text)
		}
		ids = append(ids, id)
	}
	set, g, err := e.graph(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if g.Container(id) && len(g.Members(id)) == 0 {
			return nil, fail(State, "chant edit "+id, "spec %q only holds members and has none", id)
		}
		for _, m := range workable(g, id) {
			if _, known := sc.rank[m]; !known {
				sc.rank[m] = len(sc.rank)
			}
		}
	}
	sc.last = len(sc.rank)
	for _, id := range sc.named() {
		why := ""
		if s, err := readable(set, g, id); err != nil {
			why = err.Error()
		} else {
			why = e.unworkable(g, s, sc)
		}
		if why != "" {
			sc.skip(id, why)
			e.warn(id, "skipped: "+why)
		}
	}
	return sc, nil
}

// workable lists what a name stands for: itself, or those members of a driver that
// are worked themselves and are not done.
func workable(g *spec.Graph, id string) []string {
	if !g.Container(id) {
		return []string{id}
	}
	var out []string
	for _, m := range g.Members(id) {
		if !g.Container(m) && !g.Done(m) {
			out = append(out, m)
		}
	}
	return out
}

// unworkable says why a spec that was named will not be worked, "" when it may be.
// One that waits for others may yet become ready.
func (e *Engine) unworkable(g *spec.Graph, s *spec.Spec, sc *scope) string {
	holder, held := gitops.HeldBy(e.store.LockPath(s.ID))
	switch {
	case !sc.labelled(s):
		return "it has none of the labels"
	case held:
		return "it is at work " + by(holder)
	case s.Status == spec.Completed && !s.Landed:
		return "it is completed; chant merge " + s.ID + " lands it"
	case s.Status == spec.Completed || s.Status == spec.Cancelled:
		return "it is " + string(s.Status)
	case s.Status == spec.InProgress && s.Branch == "":
		return "somebody works it by hand"
	}
	for _, b := range g.Blockers(s.ID) {
		if b.ID == s.ID {
			return "it " + b.Why
		}
	}
	return ""
}

func (sc *scope) skip(id, why string) {
	delete(sc.rank, id)
	sc.skipped = append(sc.skipped, SkippedSpec{id, why})
}

// named lists the specs that were named, in order.
func (sc *scope) named() []string {
	return slices.SortedFunc(maps.Keys(sc.rank), func(a, b string) int { return sc.rank[a] - sc.rank[b] })
}

func (sc *scope) labelled(s *spec.Spec) bool {
	return len(sc.labels) == 0 || slices.ContainsFunc(sc.labels, func(l string) bool { return slices.Contains(s.Fields.Labels, l) })
}

// holds reports whether a spec is meant.
func (sc *scope) holds(s *spec.Spec) bool {
	if _, named := sc.rank[s.ID]; named {
		return true
	}
	skipped := slices.ContainsFunc(sc.skipped, func(sk SkippedSpec) bool { return sk.ID == s.ID })
	return sc.all && !skipped && sc.labelled(s)
}

// tasks lists what of the scope could start as the graph stands.
func (sc *scope) tasks(g *spec.Graph) []schedule.Task {
	var out []schedule.Task
	var depths map[string]int
	for _, s := range g.Specs() {
		if !sc.holds(s) || !sc.startable(g, s) {
			continue
		}
		if depths == nil {
			depths = g.Depths()
		}
		out = append(out, sc.task(s, depths[s.ID]))
	}
	return out
}

// startable reports whether a run may begin, or go on. What stands still for a
// person's sake goes on only when it was named.
func (sc *scope) startable(g *spec.Graph, s *spec.Spec) bool {
	if g.Ready(s.ID) {
		return true
	}
	_, named := sc.rank[s.ID]
	rests := s.AwaitsRetry() || named && s.Branch != "" && s.Status != spec.Completed && s.Status != spec.Cancelled
	return rests && !g.Container(s.ID) && len(g.Blockers(s.ID)) == 0
}

func (sc *scope) task(s *spec.Spec, depth int) schedule.Task {
	level, _ := s.Fields.Priority.Level() // what it means where it says nothing; lint tells
	t := schedule.Task{ID: s.ID, Rank: sc.last, Priority: level, Depth: depth, Files: s.Fields.TargetFiles, Provider: s.Fields.Provider}
	if at, named := sc.rank[s.ID]; named {
		t.Rank = at
	}
	if s.AwaitsRetry() {
		t.Due = s.Fields.Retry.Due()
	}
	return t
}
