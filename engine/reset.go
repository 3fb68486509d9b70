package engine

import (
	"context"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// ResetInput says which spec goes back to the beginning.
type ResetInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// StateResult is a spec's status after a change, and what was put away for it.
type StateResult struct {
	ID      string      `json:"id"`
	Status  spec.Status `json:"status"`
	Commit  string      `json:"commit,omitempty"`
	Rescued []string    `json:"rescued,omitempty"` // refs and folders that keep the dropped run's work
}

// Reset drops the run of a spec, keeping its work under refs/chant/rescue/, and
// makes the spec pending. Errors: State when the machine forbids it, Conflict
// while a process is at work on it.
func (e *Engine) Reset(ctx context.Context, in ResetInput) (StateResult, error) {
	return e.dropAnd(ctx, in.ID, spec.Reset)
}

// CancelInput says which spec will not be done.
type CancelInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// Cancel drops the run of a spec as Reset does and marks it cancelled; whoever
// depends on it waits no longer. Errors as for Reset.
func (e *Engine) Cancel(ctx context.Context, in CancelInput) (StateResult, error) {
	return e.dropAnd(ctx, in.ID, spec.Cancel)
}

// dropAnd asks the machine, drops the run if there is one, and brings home's
// file to the status that the event leads to.
func (e *Engine) dropAnd(ctx context.Context, text string, ev spec.Event) (StateResult, error) {
	return withHold(ctx, e, text, string(ev), func(h *held) (StateResult, error) { return e.dropHeld(ctx, h, ev) })
}

func (e *Engine) dropHeld(ctx context.Context, h *held, ev spec.Event) (StateResult, error) {
	s, err := e.store.Get(ctx, h.id)
	if err != nil {
		return StateResult{}, err
	}
	to, err := spec.Next(s.Status, ev)
	stale := ev == spec.Reset && s.Status == spec.Pending && s.Branch != ""
	if err != nil && !stale {
		return StateResult{}, err
	}
	if s.Branch == "" {
		if err := e.notDoneOnTarget(ctx, h.id); err != nil {
			return StateResult{}, err
		}
	}
	result := StateResult{ID: h.id, Status: to}
	if s.Branch != "" {
		job, err := e.job(ctx, s, h, run.Job{})
		if err != nil {
			return result, err
		}
		r := e.newRun(job, h, e.settings())
		if err := r.Drop(ctx); err != nil {
			return result, err
		}
		result.Rescued = r.Rescued
	}
	home, err := e.store.FromHome(h.id)
	if err != nil || home.Status == to {
		return result, err
	}
	out, err := e.store.Transition(ctx, store.Change{ID: h.id, Event: ev, Edits: []markdown.Edit{markdown.Unset("reason")}})
	result.Commit = out.Commit
	return result, err
}
