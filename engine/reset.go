package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

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
	Edits   []string    `json:"edits,omitempty"`   // what became of edits of the spec on the dropped branch
}

// Reset drops the run of a spec, keeping its work under refs/chant/rescue/, and
// makes the spec pending. Errors: State when the machine forbids it, Conflict
// while a process is at work on it.
func (e *Engine) Reset(ctx context.Context, in ResetInput) (StateResult, error) {
	return e.dropAnd(ctx, in.ID, spec.Reset)
}

// dropAnd asks the machine, drops the run if there is one, and brings home's
// file to the status that the event leads to.
func (e *Engine) dropAnd(ctx context.Context, text string, ev spec.Event) (StateResult, error) {
	return withHold(ctx, e, text, string(ev), func(h *held) (StateResult, error) { return e.dropHeld(ctx, h, ev) })
}

func (e *Engine) dropHeld(ctx context.Context, h *held, ev spec.Event) (StateResult, error) {
	s, to, err := e.mayDrop(ctx, h, ev)
	if done, ok := e.halfDone(ctx, s, ev); ok {
		return done, nil
	}
	if err != nil {
		return StateResult{}, err
	}
	result := StateResult{ID: h.id, Status: to}
	if s.Branch != "" {
		job, err := e.job(ctx, s, h, run.Job{})
		if err != nil {
			return result, err
		}
		r := e.newRun(job, h, e.settings())
		if result.Edits, err = e.carryEdits(ctx, r); err != nil {
			return result, err
		}
		if err := r.Drop(ctx); err != nil {
			return result, err
		}
		result.Rescued = r.Rescued
		if edited, err := e.uncommitted(ctx, h.id); err == nil && edited {
			result.Edits = append(result.Edits, fmt.Sprintf("your edit of the spec in your checkout is kept; it is not committed, which %s does", commitHint(h.id)))
		}
	}
	home, err := e.store.FromHome(h.id)
	if errors.Is(err, fs.ErrNotExist) {
		return result, nil // it lived on its branch alone
	}
	if err != nil || home.Status == to {
		return result, err
	}
	out, err := e.store.Transition(ctx, store.Change{ID: h.id, Event: ev, Edits: spec.ClearReason()})
	result.Commit = out.Commit
	if err == nil && ev == spec.Cancel {
		err = e.settleDriversOf(ctx, h.id, "Its last member "+h.id+" was cancelled.")
	}
	return result, err
}

// carriedEdits says that a spec in home has what a person had edited on its branch.
const carriedEdits = "your edits of the spec are kept"

// carryEdits brings what a person has edited in a run's copy of the spec over to home, where it
// outlives the run, and returns what became of them in words.
func (e *Engine) carryEdits(ctx context.Context, r *run.Run) (told []string, err error) {
	home, err := e.store.FromHome(r.Job.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the spec is on its branch alone, which a rescue ref keeps
	}
	if err != nil {
		return nil, err
	}
	text, lost, err := r.CarryEdits(ctx, home.Doc.Bytes())
	if lost != "" {
		told = append(told, lost)
	}
	if err != nil || bytes.Equal(text, home.Doc.Bytes()) {
		return told, err
	}
	_, err = e.store.Transition(ctx, store.Change{
		ID: r.Job.ID, AtHome: true, Word: "edit", Why: "Edited on the branch of a run that is dropped.",
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			if !bytes.Equal(doc.Bytes(), home.Doc.Bytes()) {
				return nil, &store.ChangedError{Path: store.SpecPath(r.Job.ID)}
			}
			return markdown.Parse(doc.Path(), text)
		},
	})
	return append(told, carriedEdits), err
}

// halfDone finishes what a killed process had written to home's file and not yet
// committed.
func (e *Engine) halfDone(ctx context.Context, s *spec.Spec, ev spec.Event) (StateResult, bool) {
	if s == nil || s.Branch != "" || ev != spec.Cancel || s.Status != spec.Cancelled {
		return StateResult{}, false
	}
	commit, err := e.store.CommitEdits(ctx, s.ID)
	return StateResult{ID: s.ID, Status: s.Status, Commit: commit}, err == nil && commit != ""
}

// mayDrop asks the machine. A run is dropped with its branch, whatever that says,
// unless it has landed; home's file is what the event happens to.
func (e *Engine) mayDrop(ctx context.Context, h *held, ev spec.Event) (*spec.Spec, spec.Status, error) {
	branch, err := e.store.HasBranch(ctx, h.id)
	if err != nil {
		return nil, "", err
	}
	s, err := e.store.Get(ctx, h.id)
	var unreadable *markdown.SyntaxError
	switch {
	case errors.As(err, &unreadable) && branch: // the agent has made it so
		s = &spec.Spec{ID: h.id, Branch: e.store.Branch(h.id), Status: spec.InProgress}
	case err != nil:
		return nil, "", err
	}
	status := s.Status
	if s.Branch != "" && !s.Landed {
		if home, err := e.store.FromHome(h.id); err == nil {
			status = home.Status
			if ev == spec.Reset && s.Replays(home) {
				return s, status, nil // what has landed stays what it was
			}
		}
	}
	if s.Branch != "" && !s.Landed && ev == spec.Reset && status == spec.Pending {
		return s, spec.Pending, nil
	}
	to, err := spec.Next(status, ev)
	return s, to, err
}
