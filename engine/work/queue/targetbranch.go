package queue

import (
	"context"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/work"
)

// applyOntoToAll makes the branch of --onto the target of all specs that a command works, before any
// of them starts: a spec that waits for another one becomes ready when that lands on the same target.
// A driver that is named includes its members.
func applyOntoToAll(ctx context.Context, p *engine.Project, in WorkAllInput) error {
	if in.Onto == "" {
		return nil
	}
	if err := work.CheckOnto(ctx, p, in.Onto); err != nil {
		return err
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return err
	}
	ids, err := specsForOnto(ctx, p, in, g)
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
		// Members inherit the target of their driver.
		if _, g, err = engine.Graph(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// specsForOnto lists the specs that a command works, drivers before their members.
func specsForOnto(ctx context.Context, p *engine.Project, in WorkAllInput, g *spec.Graph) ([]string, error) {
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
			if sc.hasLabel(s) && !g.Done(s.ID) {
				ids = append(ids, s.ID)
			}
		}
	}
	return ids, nil
}

// reportTargets reports the target of each spec that was named, before the first of them starts.
func reportTargets(ctx context.Context, p *engine.Project, sc *scope) error {
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return err
	}
	for _, id := range sc.namedSpecs() {
		s := g.Spec(id)
		if s == nil {
			continue
		}
		target, err := run.TargetFor(ctx, p, s)
		if err != nil {
			// Its own run reports it.
			continue
		}
		run.WarnTarget(ctx, p, id, target)
	}
	return nil
}
