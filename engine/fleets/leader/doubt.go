package leader

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/fleet"
	"chant/engine/fleet/remote"
)

// doubt says why a completed claim is not that of the machine that it names, "" if nothing speaks against it: the machine has
// not signed it, or the queue has given the spec to others only. Whoever can push to the remote can write a claim.
func (l *Leader) doubt(ctx context.Context, c remote.Held) (string, error) {
	text, err := c.SignedText()
	if err == nil {
		err = l.Broker.Verify(ctx, c.Worker, text, c.Signature)
	}
	if errors.Is(err, fleet.ErrNotSigned) {
		return fmt.Sprintf("its claim names machine %q, which has not signed it", c.Worker), nil
	}
	if err != nil {
		return "", err
	}
	takers, err := l.Broker.Takers(ctx, c.ID)
	if err == nil && len(takers) > 0 && !slices.Contains(takers, c.Worker) {
		return fmt.Sprintf("its claim is that of machine %q, to which the queue has not given it", c.Worker), nil
	}
	return "", err
}

// Holds reports whether a machine has the claim on a spec, as fetched last.
func (l *Leader) Holds(ctx context.Context, node, id string) bool {
	c, err := l.Remote.Claim(ctx, id)
	return err == nil && c.Worker == node
}
