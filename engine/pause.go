package engine

import (
	"context"
	"os"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops/lockfile"
)

// PauseInput names the spec whose run shall stop.
type PauseInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// Pause stops the agent at work on a spec and keeps its branch and tree; work
// goes on with it. A spec that nobody works on stays as it is. Errors: Conflict
// when the process lives on another machine.
func (e *Engine) Pause(ctx context.Context, in PauseInput) (StateResult, error) {
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return StateResult{}, wrap(err, in.ID)
	}
	if err := e.mayInside("pause", id); err != nil {
		return StateResult{}, err
	}
	result, err := e.pause(ctx, id)
	return done(result, err, id)
}

func (e *Engine) pause(ctx context.Context, id string) (StateResult, error) {
	if err := e.interrupt(ctx, id); err != nil {
		return StateResult{}, err
	}
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return StateResult{}, err
	}
	if s.AwaitsRetry() {
		return e.endRetry(ctx, id)
	}
	if s.Status != spec.InProgress {
		return StateResult{ID: id, Status: s.Status}, nil
	}
	return withHold(ctx, e, id, "pause", func(h *held) (StateResult, error) { // its process had died
		out, err := e.store.Transition(ctx, store.Change{ID: id, Event: spec.Pause})
		if err != nil {
			return StateResult{}, err
		}
		return StateResult{ID: id, Status: out.Spec.Status, Commit: out.Commit}, nil
	})
}

// interrupt asks the process that works a spec to stop that run, and waits until it
// has let go. Other runs of that process go on. A landing or a clean-up is not
// disturbed.
func (e *Engine) interrupt(ctx context.Context, id string) error {
	holder, held := e.store.Holder(id)
	if !held || writes(holder) {
		return nil
	}
	if host, err := os.Hostname(); err != nil || host != holder.Host || !strings.HasPrefix(holder.What, "work ") {
		return &lockfile.HeldError{Path: e.store.LockPath(id), Holder: holder}
	}
	return e.askToStop(ctx, id, holder)
}
