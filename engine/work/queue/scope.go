package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work"
	"chant/gitops/lockfile"
)

// scope says which specs an operation on many specs includes.
type scope struct {
	rank    map[string]int  // the specs that were named, including members of drivers, in order
	last    int             // rank of all others
	stopped map[string]bool // the specs that were named while their run was stopped
	all     bool            // everything that is ready is included, too
	labels  []string
	skipped []SkippedSpec
	drivers []string              // that were named or are members of such a driver, inner ones first
	left    func(*spec.Spec) bool // whether a crash left the spec, or a retry is due, so that it is included without being named; nil = never
}

// newScope resolves the ids in the input. An unknown id is an error before anything
// runs; a spec that cannot be worked is skipped with a warning.
func newScope(ctx context.Context, p *engine.Project, in WorkAllInput) (*scope, error) {
	sc := &scope{rank: map[string]int{}, stopped: map[string]bool{}, all: in.All || len(in.IDs) == 0, labels: in.Labels}
	// Every id first, so that a mistyped one starts nothing.
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
	for _, id := range sc.namedSpecs() {
		s, err := engine.Readable(set, g, id)
		if err == nil {
			err = checkWorkable(p, g, s, sc)
		}
		if err != nil {
			sc.addSkipped(id, err.Error(), s != nil && sc.hasLabel(s) && g.Blocked(id))
			engine.Warn(p, id, "skipped: "+err.Error())
			continue
		}
		// Noted now: a run that a person stops later must not be taken up again by this command.
		sc.stopped[id] = s.Status != spec.Pending
		if sc.waitsOutside(g, id) {
			engine.Warn(p, id, "waits for "+blockersText(g, id))
		}
	}
	return sc, nil
}

// addDrivers adds a driver that was named, and the drivers among its members.
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

// checkWorkable returns why a spec that was named will not be worked, nil if it may be.
// A spec that waits for others may become ready later.
func checkWorkable(p *engine.Project, g *spec.Graph, s *spec.Spec, sc *scope) error {
	holder, held := p.Store.Holder(s.ID)
	switch {
	case !sc.hasLabel(s):
		return errors.New("it has none of the labels")
	// A killed process may have left its lock to one that it was starting.
	case held && holder.Alive():
		return heldError(holder)
	// It resumes at its landing.
	case s.Status == spec.Completed && !s.Landed && advice.RunState(p, s) == advice.Interrupted:
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

// heldError returns the error for a spec that another process holds.
func heldError(h lockfile.Holder) error {
	return fmt.Errorf("it is at work in process %d on %s", h.PID, h.Host)
}

// waitsOutside reports whether a spec waits for a spec outside the scope: then it may
// never start here.
func (sc *scope) waitsOutside(g *spec.Graph, id string) bool {
	return slices.ContainsFunc(g.Blockers(id), func(b spec.Blocker) bool {
		_, named := sc.rank[b.ID]
		return !named && !sc.all && !g.Container(b.ID)
	})
}

func (sc *scope) addSkipped(id, why string, waits bool) {
	delete(sc.rank, id)
	sc.skipped = append(sc.skipped, SkippedSpec{ID: id, Why: why, waits: waits})
}

// namedSpecs lists the specs that were named, in order.
func (sc *scope) namedSpecs() []string {
	return slices.SortedFunc(maps.Keys(sc.rank), func(a, b string) int { return sc.rank[a] - sc.rank[b] })
}

func (sc *scope) hasLabel(s *spec.Spec) bool {
	return s.HasLabel(sc.labels)
}

// isUnasked reports whether a spec starts only if it is named, and was not.
func (sc *scope) isUnasked(p *engine.Project, s *spec.Spec) bool {
	_, named := sc.rank[s.ID]
	return !named && advice.OnlyByName(p, s)
}

// includes reports whether the scope includes a spec.
func (sc *scope) includes(s *spec.Spec) bool {
	if _, named := sc.rank[s.ID]; named {
		return true
	}
	if sc.isLeftover(s) {
		return true
	}
	skipped := slices.ContainsFunc(sc.skipped, func(sk SkippedSpec) bool { return sk.ID == s.ID })
	return sc.all && !skipped && sc.hasLabel(s)
}
