package advice

import (
	"context"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// After returns the next step for a spec that an operation has changed, with the reason; zero if nothing is left to do, or
// if the spec cannot be read. Locks that the operation had are released before.
func After(ctx context.Context, p *engine.Project, id string) next.Advice {
	// A run is asked about its own spec, and chant itself decides what follows it.
	if id == "" || ctx.Err() != nil || engine.AppliesToOwnCopy(p, "update", id) {
		return next.Advice{}
	}
	set, g, err := engine.GraphAround(ctx, p, id)
	if err != nil {
		return next.Advice{}
	}
	s, err := engine.Readable(set, g, id)
	if err != nil || s.Status == spec.Cancelled || s.Status == spec.Completed && s.Landed {
		return next.Advice{}
	}
	if there := ReadElsewhere(ctx, p, s); len(there) > 0 {
		why, step := there.Conclude(id)
		return step.Because("%s", why)
	}
	facts, err := Gather(ctx, p, g, s)
	if err != nil {
		return next.Advice{}
	}
	return facts.Conclude().Advice()
}
