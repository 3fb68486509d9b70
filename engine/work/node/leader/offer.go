package leader

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/spec/schedule"
)

// offer offers what is ready on the target and has no claim, and what workers have given back. A spec whose claim says
// that it is worked on is offered, too: while a worker has it, that changes nothing, and if the queue was lost, another
// one takes it over.
func (l *Leader) offer(ctx context.Context) error {
	tip, err := l.Remote.Tip(ctx)
	if err != nil {
		return err
	}
	claims, err := l.Remote.Claims(ctx)
	if err != nil {
		l.warnOnce("", err.Error())
	}
	branches, err := l.Remote.Branches(ctx)
	if err != nil {
		return err
	}
	_, g, err := engine.Graph(ctx, l.P)
	if err != nil {
		return err
	}
	busy := busyFiles(g, claims)
	// Work under way is offered, too: if the queue was lost, another machine takes it over once its worker is gone.
	for _, s := range l.ready(g, func(id string) bool {
		c, claimed := claims[id]
		return !claimed && l.mayOffer(g, id) || c.State == fleet.Returned || c.State == fleet.Working
	}) {
		_, claimed := claims[s.ID]
		// Such a branch may be a person's, or that of an older chant.
		if _, there := branches[s.ID]; there && !claimed {
			l.warnOnce(s.ID, fmt.Sprintf("it is not offered: the remote has a branch %q without a claim", l.Remote.Prefix+s.ID))
			continue
		}
		// Withdrawn and not only left out, since an earlier round may have offered it.
		if !claimed && fileset.Overlap(s.Fields.TargetFiles, busy) {
			if err := l.Broker.Withdraw(ctx, s.ID); err != nil {
				return err
			}
			continue
		}
		if err := l.offerOne(ctx, s, tip); err != nil {
			return err
		}
		busy = append(busy, s.Fields.TargetFiles...)
	}
	return nil
}

// mayOffer reports whether a spec is ready and need not be started by name.
func (l *Leader) mayOffer(g *spec.Graph, id string) bool {
	if !g.Ready(id) {
		return false
	}
	if advice.OnlyByName(l.P, g.Spec(id)) {
		l.warnOnce(id, "it is not offered: it "+advice.WhyOnlyByName)
		return false
	}
	return true
}

// busyFiles lists the target files of the specs with a claim whose work may still land.
func busyFiles(g *spec.Graph, claims map[string]fleet.Held) []string {
	var files []string
	for id, c := range claims {
		if s := g.Spec(id); s != nil && c.State != fleet.Ended {
			files = append(files, s.Fields.TargetFiles...)
		}
	}
	return files
}

// ready lists specs in the order in which they start.
func (l *Leader) ready(g *spec.Graph, wanted func(id string) bool) []*spec.Spec {
	depths := g.Depths()
	var tasks []schedule.Task
	for _, s := range g.Specs() {
		if wanted(s.ID) {
			// An invalid value counts as the default, and lint reports it.
			level, _ := s.Fields.Priority.Level()
			tasks = append(tasks, schedule.Task{ID: s.ID, Priority: level, Depth: depths[s.ID]})
		}
	}
	schedule.Order(tasks)
	var out []*spec.Spec
	for _, t := range tasks {
		out = append(out, g.Spec(t.ID))
	}
	return out
}

// offerOne offers a spec that lands on the target of the fleet.
func (l *Leader) offerOne(ctx context.Context, s *spec.Spec, tip string) error {
	target, err := run.TargetFor(ctx, l.P, s)
	if err != nil {
		l.warnOnce(s.ID, "it is not offered: "+err.Error())
		return nil
	}
	if target != l.Remote.Target {
		l.warnOnce(s.ID, fmt.Sprintf("it is not offered: it lands on %q, and this fleet lands on %q", target, l.Remote.Target))
		return nil
	}
	return l.Broker.Offer(ctx, fleet.Entry{ID: s.ID, Commit: tip, Needs: fleet.Needs{Provider: usage.ProviderOf(l.P, s), Labels: s.Fields.RunsOn}})
}
