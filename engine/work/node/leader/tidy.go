package leader

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run/tree"
)

// tidy removes the claims and branches of specs that are over on the target: a person has merged, completed or cancelled
// them there, or removed them. A ref in the remote keeps the branch. A claim of a worker that is alive stays until that
// has ended. removed reports whether there were any.
func (l *Leader) tidy(ctx context.Context) (removed bool, err error) {
	claims, err := l.Remote.Claims(ctx)
	if err != nil {
		l.warnOnce("", err.Error())
	}
	tip, err := l.Remote.Tip(ctx)
	if err != nil || len(claims) == 0 {
		return false, err
	}
	nodes, err := l.Broker.Nodes(ctx)
	if err != nil {
		return false, err
	}
	for id, c := range claims {
		if c.State == fleet.Completed || c.State == fleet.Proposed {
			continue // they are looked at when they are to land
		}
		why, err := fleet.WhyOver(ctx, l.P.Store, tip, id)
		if err != nil {
			return removed, err
		}
		works := slices.ContainsFunc(nodes, func(n fleet.Node) bool { return n.Name == c.Worker && slices.Contains(n.Running, id) })
		if why == "" || works {
			continue
		}
		if err := l.forget(ctx, c, why); err != nil && !errors.Is(err, fleet.ErrLost) {
			return removed, err
		}
		removed = true
	}
	return removed, nil
}

// forget removes a claim and its branch.
func (l *Leader) forget(ctx context.Context, c fleet.Held, why string) error {
	d := fleet.Done{Held: c}
	var err error
	if d.Branch, err = l.Remote.Branch(ctx, c.ID); err != nil {
		return err
	}
	kept := ""
	if d.Branch != "" {
		merged, err := l.P.Repo.IsAncestor(ctx, d.Branch, "HEAD")
		if err != nil {
			return err
		}
		if !merged {
			kept = fmt.Sprintf("%s%s/%.12s", tree.RescueRefs, c.ID, d.Branch)
			if err := l.Remote.Keep(ctx, kept, d.Branch); err != nil {
				return err
			}
			kept = "; its branch is kept in the remote as " + kept
		}
	}
	if err := l.Remote.Forget(ctx, d); err != nil {
		return err
	}
	engine.Warn(l.P, c.ID, why+": its claim is removed"+kept)
	return l.Broker.Withdraw(ctx, c.ID)
}

// overtaken removes a completed claim whose spec is over on the target, and reports whether it is: it must not land again.
func (l *Leader) overtaken(ctx context.Context, c fleet.Held) (bool, error) {
	target, err := l.Remote.Tip(ctx)
	if err != nil {
		return false, err
	}
	why, err := fleet.WhyOver(ctx, l.P.Store, target, c.ID)
	if err != nil || why == "" {
		return false, err
	}
	return true, l.forget(ctx, c, why)
}
