package leader

import (
	"context"
	"errors"
	"fmt"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/remote"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/gitops"
)

// tidy removes the claims that would wait for ever: those on specs that the target has as completed, and whose work has
// ended otherwise or was given back. A worker had not seen the landing when it claimed the spec, or a person has landed
// it. A branch that the target does not contain is kept in the remote.
func (l *Leader) tidy(ctx context.Context) error {
	claims, err := l.Remote.Claims(ctx)
	if err != nil {
		l.warnOnce("", err.Error())
	}
	for _, c := range claims {
		if c.State != fleet.Ended && c.State != fleet.Returned {
			continue
		}
		if _, err := l.overtaken(ctx, c); err != nil && !errors.Is(err, fleet.ErrLost) {
			return err
		}
	}
	return nil
}

// overtaken removes a claim and its branch if the target has the spec as completed, and reports whether it does.
func (l *Leader) overtaken(ctx context.Context, c remote.Held) (bool, error) {
	target, err := l.Remote.Tip(ctx)
	if err != nil {
		return false, err
	}
	s, err := l.P.Store.At(ctx, target, c.ID)
	switch {
	case errors.Is(err, gitops.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	if s.Status != spec.Completed {
		return false, nil
	}
	return true, l.tidyOne(ctx, c, target)
}

func (l *Leader) tidyOne(ctx context.Context, c remote.Held, target string) error {
	tip, err := l.Remote.Branch(ctx, c.ID)
	if err != nil {
		return err
	}
	if tip != "" {
		contained, err := l.P.Repo.IsAncestor(ctx, tip, target)
		if err != nil {
			return err
		}
		if !contained {
			kept := fmt.Sprintf("%s%s/%.12s", tree.RescueRefs, c.ID, tip)
			if err := l.Remote.Keep(ctx, kept, tip); err != nil {
				return err
			}
			engine.Warn(l.P, c.ID, fmt.Sprintf("it had landed already; what %s has done is kept in the remote as %s", c.Worker, kept))
		}
	}
	return l.Remote.Forget(ctx, remote.Done{Held: c, Branch: tip})
}
