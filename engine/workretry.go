package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// againAt is when a run that was put off goes on by itself.
func againAt(err error) (time.Time, bool) {
	var f *run.Failure
	if !errors.As(err, &f) || f.Again.IsZero() {
		return time.Time{}, false
	}
	return f.Again, true
}

// awaitRetry waits until a run may go on. Errors: the context's; State when a person
// has taken the spec elsewhere meanwhile.
func (e *Engine) awaitRetry(ctx context.Context, id string, at time.Time) error {
	e.warn(id, fmt.Sprintf("waits for its agent until %s", at.UTC().Format(time.RFC3339)))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-e.After(at.Sub(e.Now())):
	}
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return err
	}
	if !s.AwaitsRetry() {
		return fail(State, "chant show "+id, "spec %q is %s by now and waits for no retry", id, s.Status)
	}
	return nil
}

// endRetry takes from a paused spec that it goes on by itself.
func (e *Engine) endRetry(ctx context.Context, id string) (StateResult, error) {
	return withHold(ctx, e, id, "pause", func(*held) (StateResult, error) {
		out, err := e.store.Transition(ctx, store.Change{
			ID: id, Word: string(spec.Pause),
			Edits: append(spec.SetReason(spec.ReasonStopped, "stopped while it waited for its agent"), markdown.Unset("retry_state")),
		})
		if err != nil {
			return StateResult{}, err
		}
		return StateResult{ID: id, Status: out.Spec.Status, Commit: out.Commit}, nil
	})
}

// retryText says what a spec waits for whose agent was put off.
func retryText(s *spec.Spec) string {
	return "a retry at " + s.Fields.Retry.Due().UTC().Format(time.RFC3339)
}
