package work

import (
	"context"
	"os"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops/lockfile"
)

// PauseInput names the spec whose run to stop.
type PauseInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// Pause stops the agent that works on a spec and keeps its branch and tree; work
// resumes it. A spec without a running agent stays as it is. Errors: Conflict
// when the process runs on another machine.
func Pause(ctx context.Context, p *engine.Project, in PauseInput) (engine.StateResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return engine.StateResult{}, engine.Wrap(err, in.ID)
	}
	if err := engine.MayInside(p, "pause", id); err != nil {
		return engine.StateResult{}, err
	}
	result, err := pause(ctx, p, id)
	if err == nil {
		result.Next = advice.After(ctx, p, id)
	}
	return engine.Done(result, err, id)
}

func pause(ctx context.Context, p *engine.Project, id string) (engine.StateResult, error) {
	// The process that works the spec writes the pause itself, and this one only waits for it.
	if err := interrupt(ctx, p, id); err != nil {
		return engine.StateResult{}, err
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return engine.StateResult{}, err
	}
	// Paused already, but it would resume by itself.
	if s.AwaitsRetry() {
		return endRetry(ctx, p, id)
	}
	if s.Status != spec.InProgress {
		return engine.StateResult{ID: id, Status: s.Status}, nil
	}
	// Its process had died, so no other process writes the status.
	return advice.WithHold(ctx, p, id, "pause", func(h *engine.Held) (engine.StateResult, error) {
		out, err := p.Store.Transition(ctx, store.Change{ID: id, Event: spec.Pause})
		if err != nil {
			return engine.StateResult{}, err
		}
		return engine.StateResult{ID: id, Status: out.Spec.Status, Commit: out.Commit}, nil
	})
}

// interrupt asks the process that works a spec to stop that run, and waits until it
// has released the lock. Other runs of that process continue. A landing or a cleanup
// is not interrupted.
func interrupt(ctx context.Context, p *engine.Project, id string) error {
	holder, held := p.Store.Holder(id)
	// A landing or cleanup ends soon, and stopping it half-way would only leave work for recovery.
	if !held || engine.Writes(holder) {
		return nil
	}
	// A signal reaches only processes of this machine.
	if host, err := os.Hostname(); err != nil || host != holder.Host || engine.RoleOf(holder) != lockfile.Works {
		return &lockfile.HeldError{Path: p.Store.LockPath(id), Holder: holder}
	}
	return engine.StopHolder(ctx, p, id, holder)
}
