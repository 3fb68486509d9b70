package queue

import (
	"context"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/work"
)

// redirectAll is redirect for the specs that a command works: before any of them starts, so that
// what waits for another of them is judged by the branch on which both land. A driver that is named
// takes its members along.
func redirectAll(ctx context.Context, p *engine.Project, in WorkAllInput) error {
	if in.Onto == "" {
		return nil
	}
	if err := work.MayLandOn(ctx, p, in.Onto); err != nil {
		return err
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return err
	}
	ids, err := redirected(ctx, p, in, g)
	if err != nil {
		return err
	}
	for _, id := range ids {
		s := g.Spec(id)
		if s == nil || s.Branch != "" || s.Target == in.Onto || s.Status != spec.Pending && s.Status != spec.NeedsAttention {
			continue
		}
		if err := work.SetOnto(ctx, p, id, in.Onto); err != nil {
			return err
		}
		if _, g, err = engine.Graph(ctx, p); err != nil { // members have inherited it
			return err
		}
	}
	return nil
}

// redirected lists what a command works, drivers before their members.
func redirected(ctx context.Context, p *engine.Project, in WorkAllInput, g *spec.Graph) ([]string, error) {
	named, err := engine.FindEach(ctx, p, in.IDs)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, id := range named {
		ids = append(ids, id)
		if g.Container(id) {
			ids = append(ids, g.Members(id)...)
		}
	}
	if in.All || len(in.IDs) == 0 {
		sc := &scope{labels: in.Labels}
		for _, s := range g.Specs() {
			if sc.labelled(s) && !g.Done(s.ID) {
				ids = append(ids, s.ID)
			}
		}
	}
	return ids, nil
}

// sayTargets is sayTarget for the specs that were named, before the first of them starts.
func sayTargets(ctx context.Context, p *engine.Project, sc *scope) error {
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return err
	}
	for _, id := range sc.named() {
		s := g.Spec(id)
		if s == nil {
			continue
		}
		target, err := run.TargetFor(ctx, p, s)
		if err != nil {
			continue // its own run reports it
		}
		run.SayTarget(ctx, p, id, target)
	}
	return nil
}
