package guard

import (
	"context"
	"fmt"

	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
)

// NothingToVerify is the failure of a spec without a criterion and without a command, where verify.require is set.
func NothingToVerify(id string) *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonNoCriteria, Next: next.Edit.On(id),
		Message: fmt.Sprintf("spec %q has %s, and verify.require is set (add an acceptance criterion)", id, criteria.Nothing),
	}
}

// requireChecks refuses to land a spec that has nothing to verify, if the settings require criteria.
func (g *Guard) requireChecks(ctx context.Context) error {
	if !g.Settings.Verify.Require {
		return nil
	}
	now, err := g.OwnSpec(ctx)
	if err != nil {
		return err
	}
	start, err := g.Trusted(ctx)
	if err != nil || criteria.PlanFor(start, now, g.Settings.Verify).Any() {
		return err
	}
	f := NothingToVerify(g.Job.ID)
	f.Next = next.Reset.On(g.Job.ID) // its criteria are those of the start commit
	return f
}
