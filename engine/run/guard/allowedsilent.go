package guard

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
)

// keptSilently checks, where git ignores .chant, that home's copy still has the criteria that the work was checked by.
// No merge would notice an edit of it there. A person who wants the edit drops the run, since nothing was checked by
// the edited spec.
func (g *Guard) keptSilently(ctx context.Context) error {
	if !g.Job.Silent {
		return nil
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return err
	}
	now, err := g.OwnSpec(ctx)
	if err != nil {
		return err
	}
	found := append(spec.WeakenedChecks(start, now), spec.LoosenedRequirements(start, now, g.Settings.Required)...)
	if len(found) == 0 {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonSpecChanged, Next: next.Edit.On(g.Job.ID), Details: found,
		Message: fmt.Sprintf("spec %q is not the one that the work was judged by: %s", g.Job.ID, strings.Join(found, "; ")),
	}
}
