package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
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

// interrupt asks the process that works a spec to stop, as Ctrl-C does, and waits
// until it has let go. A landing or a clean-up is not disturbed.
func (e *Engine) interrupt(ctx context.Context, id string) (done error) {
	holder, held := gitops.HeldBy(e.store.LockPath(id))
	if !held || writes(holder) {
		return nil
	}
	if host, err := os.Hostname(); err != nil || host != holder.Host || !strings.HasPrefix(holder.What, "work ") {
		return &gitops.LockError{Path: e.store.LockPath(id), Holder: holder}
	}
	err := e.ask(id, holder)
	defer func() { done = errors.Join(done, e.forget(id)) }()
	if err != nil {
		return err
	}
	process, err := os.FindProcess(holder.PID)
	if err == nil {
		err = process.Signal(os.Interrupt)
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("process %d cannot be asked to stop: %w", holder.PID, err)
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if now, held := gitops.HeldBy(e.store.LockPath(id)); !held || now.PID != holder.PID {
				return nil
			}
		}
	}
}
