package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/work"
	"chant/gitops/lockfile"
)

// scope is which specs an operation on many is about.
type scope struct {
	rank    map[string]int  // the specs that were named, members of drivers among them, in order
	last    int             // rank of all others
	resting map[string]bool // named, and stood still at some point of a run when it was
	all     bool            // and everything that is ready
	labels  []string
	skipped []SkippedSpec
	drivers []string              // that were named, or stand in one that was, inner ones first
	left    func(*spec.Spec) bool // what a crash left or a retry is due for, though no one named it; nil = nothing
}

// newScope resolves what was named. One name that no one has fails before anything
// runs; a spec that cannot be worked is skipped.
func newScope(ctx context.Context, p *engine.Project, in WorkAllInput) (*scope, error) {
	sc := &scope{rank: map[string]int{}, resting: map[string]bool{}, all: in.All || len(in.IDs) == 0, labels: in.Labels}
	ids, err := engine.FindEach(ctx, p, in.IDs)
	if err != nil {
		return nil, err
	}
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if g.Container(id) && len(g.Members(id)) == 0 {
			return nil, engine.Fail(engine.State, next.Edit.On(id), "spec %q only holds members and has none", id)
		}
		sc.addDrivers(g, id)
		for _, m := range work.SpecsToWork(g, id) {
			if _, known := sc.rank[m]; !known {
				sc.rank[m] = len(sc.rank)
			}
		}
	}
	sc.last = len(sc.rank)
	for _, id := range sc.named() {
		s, err := engine.Readable(set, g, id)
		if err == nil {
			err = unworkable(p, g, s, sc)
		}
		if err != nil {
			sc.skip(id, err.Error(), s != nil && sc.labelled(s) && g.Blocked(id))
			engine.Warn(p, id, "skipped: "+err.Error())
			continue
		}
		sc.resting[id] = s.Status != spec.Pending
		if sc.waitsOutside(g, id) {
			engine.Warn(p, id, "waits for "+blockersText(g, id))
		}
	}
	return sc, nil
}

// addDrivers takes in the drivers that a name means, which complete with their members.
func (sc *scope) addDrivers(g *spec.Graph, id string) {
	if !g.Container(id) {
		return
	}
	for _, d := range slices.Backward(append([]string{id}, g.Members(id)...)) {
		if g.Container(d) && !slices.Contains(sc.drivers, d) {
			sc.drivers = append(sc.drivers, d)
		}
	}
}

// unworkable says why a spec that was named will not be worked, nil when it may be.
// One that waits for others may yet become ready.
func unworkable(p *engine.Project, g *spec.Graph, s *spec.Spec, sc *scope) error {
	holder, held := p.Store.Holder(s.ID)
	switch {
	case !sc.labelled(s):
		return errors.New("it has none of the labels")
	case held:
		return atWork(holder)
	case s.Status == spec.Completed && !s.Landed && advice.RunState(p, s) == advice.Interrupted: // it continues with landing
	case s.Status == spec.Completed && !s.Landed:
		return errors.New("it is completed; merge lands it")
	case s.Status == spec.Completed || s.Status == spec.Cancelled:
		return fmt.Errorf("it is %s", s.Status)
	case s.Status == spec.InProgress && s.Branch == "":
		return errors.New("in progress without a run")
	}
	for _, b := range g.Blockers(s.ID) {
		if b.ID == s.ID {
			return errors.New("it " + b.Why)
		}
	}
	if driver, why := g.HeldByDriver(s.ID); driver != nil {
		return fmt.Errorf("it is a part of %s, which %s", driver.ID, why)
	}
	return nil
}

// atWork says that another process has a spec.
func atWork(h lockfile.Holder) error {
	return fmt.Errorf("it is at work in process %d on %s", h.PID, h.Host)
}

// waitsOutside reports whether a spec waits for one that is not meant: then it may
// never start here.
func (sc *scope) waitsOutside(g *spec.Graph, id string) bool {
	return slices.ContainsFunc(g.Blockers(id), func(b spec.Blocker) bool {
		_, named := sc.rank[b.ID]
		return !named && !sc.all && !g.Container(b.ID)
	})
}

func (sc *scope) skip(id, why string, waits bool) {
	delete(sc.rank, id)
	sc.skipped = append(sc.skipped, SkippedSpec{ID: id, Why: why, waits: waits})
}

// named lists the specs that were named, in order.
func (sc *scope) named() []string {
	return slices.SortedFunc(maps.Keys(sc.rank), func(a, b string) int { return sc.rank[a] - sc.rank[b] })
}

func (sc *scope) labelled(s *spec.Spec) bool {
	return s.HasLabel(sc.labels)
}

// holds reports whether a spec is meant.
func (sc *scope) holds(s *spec.Spec) bool {
	if _, named := sc.rank[s.ID]; named {
		return true
	}
	if sc.leftover(s) {
		return true
	}
	skipped := slices.ContainsFunc(sc.skipped, func(sk SkippedSpec) bool { return sk.ID == s.ID })
	return sc.all && !skipped && sc.labelled(s)
}
