package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// ResetInput names the spec to reset.
type ResetInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// Reset drops the run of a spec, keeping its work under refs/chant/rescue/, and
// makes the spec pending. Errors: State when the machine forbids it, Conflict
// while a process is at work on it.
func Reset(ctx context.Context, p *engine.Project, in ResetInput) (engine.StateResult, error) {
	return dropRun(ctx, p, in.ID, spec.Reset)
}

// dropRun asks the state machine, drops the run if there is one, and sets the
// status that the event leads to in home's file.
func dropRun(ctx context.Context, p *engine.Project, text string, ev spec.Event) (engine.StateResult, error) {
	result, err := advice.WithHold(ctx, p, text, string(ev), func(h *engine.Held) (engine.StateResult, error) { return dropHeldRun(ctx, p, h, ev) })
	if err == nil {
		result.Next = advice.After(ctx, p, result.ID)
	}
	return result, err
}

// dropHeldRun drops the run and withdraws the questions of its agents.
func dropHeldRun(ctx context.Context, p *engine.Project, h *engine.Held, ev spec.Event) (engine.StateResult, error) {
	result, err := dropRunOnly(ctx, p, h, ev)
	if err != nil {
		return result, err
	}
	// After the drop: a failed drop keeps the run, whose agent may still wait for the answer.
	_, err = question.OpenBox(p.Store.Files, p.Now).WithdrawAll(ctx, question.OfSpec(h.ID), "the run was dropped by "+string(ev))
	return result, err
}

func dropRunOnly(ctx context.Context, p *engine.Project, h *engine.Held, ev spec.Event) (engine.StateResult, error) {
	s, to, err := checkDrop(ctx, p, h, ev)
	// Before the error: the state machine refuses a second cancellation, which here only has to be committed.
	if done, ok := commitHalfDone(ctx, p, s, ev); ok {
		return done, nil
	}
	if err != nil {
		return engine.StateResult{}, err
	}
	result := engine.StateResult{ID: h.ID, Status: to}
	if s.Branch != "" {
		facts, err := run.ReadFacts(ctx, p, s, h.History)
		if err != nil {
			return result, err
		}
		r := run.NewRun(p, facts.Question(journal.Job{}), h.History)
		// Before the branch goes, which has the only copy of these edits.
		if result.Edits, err = carryEdits(ctx, p, r); err != nil {
			return result, err
		}
		if err := r.Trees.Drop(ctx, string(ev)); err != nil {
			return result, err
		}
		result.Rescued = r.Trees.Rescued
		if edited, err := engine.HasUncommittedEdits(ctx, p, h.ID); err == nil && edited {
			result.Edits = append(result.Edits, fmt.Sprintf("your edit of the spec in your checkout is kept; it is not committed, which %s does", engine.CommitStep(h.ID)))
		}
	}
	home, err := p.Store.ReadHome(h.ID)
	if errors.Is(err, fs.ErrNotExist) {
		// The spec existed only on its branch.
		return result, nil
	}
	if err != nil || home.Status == to {
		return result, err
	}
	out, err := p.Store.Transition(ctx, store.Change{ID: h.ID, Event: ev, Edits: spec.ClearReason()})
	result.Commit = out.Commit
	if err == nil && ev == spec.Cancel {
		err = settleDriversOf(ctx, p, h.ID, "Its last member "+h.ID+" was cancelled.")
	}
	return result, err
}

// carryEdits copies what a person has edited in a run's copy of the spec to home, where it is kept
// when the run is dropped, and returns what became of the edits in words.
func carryEdits(ctx context.Context, p *engine.Project, r *run.Run) (report []string, err error) {
	home, err := p.Store.ReadHome(r.Job.ID)
	if errors.Is(err, fs.ErrNotExist) {
		// The spec is only on its branch, which a rescue ref keeps.
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, lost, err := r.Edits.CarryEdits(ctx, home.Doc.Bytes())
	if lost != "" {
		report = append(report, lost)
	}
	if err != nil || bytes.Equal(text, home.Doc.Bytes()) {
		return report, err
	}
	_, err = p.Store.Transition(ctx, store.Change{
		ID: r.Job.ID, AtHome: true, Word: "edit", Why: "Edited on the branch of a run that is dropped.",
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			// The file may have been edited since it was merged, and writing would undo that.
			if !bytes.Equal(doc.Bytes(), home.Doc.Bytes()) {
				return nil, &store.ChangedError{Path: store.SpecPath(r.Job.ID)}
			}
			return markdown.Parse(doc.Path(), text)
		},
	})
	return append(report, engine.CarriedEdits), err
}

// commitHalfDone commits a cancellation that a killed process had written to home's file but
// not committed.
func commitHalfDone(ctx context.Context, p *engine.Project, s *spec.Spec, ev spec.Event) (engine.StateResult, bool) {
	if s == nil || s.Branch != "" || ev != spec.Cancel || s.Status != spec.Cancelled {
		return engine.StateResult{}, false
	}
	// A killed process had written the status, and committing it is all that is left.
	commit, err := p.Store.CommitEdits(ctx, s.ID)
	return engine.StateResult{ID: s.ID, Status: s.Status, Commit: commit}, err == nil && commit != ""
}

// checkDrop asks the state machine for the status after the event. What counts is the
// status in home's file: a run that has not landed is dropped whatever its branch says.
func checkDrop(ctx context.Context, p *engine.Project, h *engine.Held, ev spec.Event) (*spec.Spec, spec.Status, error) {
	branch, err := p.Store.HasBranch(ctx, h.ID)
	if err != nil {
		return nil, "", err
	}
	file, err := p.Store.Get(ctx, h.ID)
	var s *spec.Spec
	var unreadable *markdown.SyntaxError
	switch {
	case err == nil:
		s = &file.Spec
	// The agent has made it unreadable.
	case errors.As(err, &unreadable) && branch:
		s = &spec.Spec{ID: h.ID, Branch: p.Store.Branch(h.ID), Status: spec.InProgress}
	default:
		return nil, "", err
	}
	status := s.Status
	if s.Branch != "" && !s.Landed {
		home, err := p.Store.ReadHome(h.ID)
		if errors.Is(err, fs.ErrNotExist) && ev == spec.Reset && advice.ReasonCode(s, h.History) == spec.ReasonWithdrawn {
			// The target has it under another name, or not at all, so its run can only be dropped.
			return s, spec.Pending, nil
		}
		if err == nil {
			// The branch's status is the agent's to write, home's is not.
			status = home.Status
			if ev == spec.Reset && s.IsReplayOf(&home.Spec) {
				// The spec that landed keeps its status.
				return s, status, nil
			}
		}
	}
	// Pending has no event that leads to pending, but the run can still be dropped.
	if s.Branch != "" && !s.Landed && ev == spec.Reset && status == spec.Pending {
		return s, spec.Pending, nil
	}
	to, err := spec.Next(status, ev)
	return s, to, err
}
