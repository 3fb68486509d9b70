package work

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/markdown"
)

// RetryTime returns the time of the next attempt of a run that is paused for a retry.
func RetryTime(err error) (time.Time, bool) {
	var f *journal.Failure
	if !errors.As(err, &f) || f.Again.IsZero() {
		return time.Time{}, false
	}
	return f.Again, true
}

// awaitRetry waits for the time of a retry. Errors: the context's; State when a person
// has changed the status of the spec meanwhile.
func awaitRetry(ctx context.Context, p *engine.Project, id string, at time.Time) error {
	engine.Warn(p, id, fmt.Sprintf("waits for its agent until %s", at.UTC().Format(time.RFC3339)))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-p.After(at.Sub(p.Now())):
	}
	// A person can have reset or cancelled the spec while this process waited without its lock.
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return err
	}
	if !s.AwaitsRetry() {
		return engine.Fail(engine.State, next.Show.On(id), "spec %q is now %s and no longer waits for a retry", id, s.Status)
	}
	return nil
}

// endRetry removes the pending retry from a paused spec, which stays paused.
func endRetry(ctx context.Context, p *engine.Project, id string) (engine.StateResult, error) {
	return advice.WithHold(ctx, p, id, "pause", func(*engine.Held) (engine.StateResult, error) {
		out, err := p.Store.Transition(ctx, store.Change{
			ID: id, Word: string(spec.Pause),
			Edits: append(spec.SetReason(spec.ReasonStopped, "stopped while it waited for its agent"), markdown.Unset("retry_state")),
		})
		if err != nil {
			return engine.StateResult{}, err
		}
		return engine.StateResult{ID: id, Status: out.Spec.Status, Commit: out.Commit}, nil
	})
}
