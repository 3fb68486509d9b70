package engine

import (
	"context"
	"fmt"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/verify"
	"chant/markdown"
)

// permission is what the agent of a run may do.
type permission int

const (
	refused  permission = iota // never: chant does it when the agent's turn has ended
	allowed                    // as outside of a run
	inCopy                     // in the copy of the spec in the run's worktree
	asPerson                   // not by what an agent started: it is a decision for a person
)

// insideRule says what may be done inside a run to the run's own spec, and to other specs or around them.
type insideRule struct{ own, other permission }

// insideRules is the only place that decides what an agent may do inside a run. Reading is always allowed.
func insideRules() map[string]insideRule {
	return map[string]insideRule{
		"update":   {inCopy, allowed},
		"check":    {inCopy, asPerson},
		"finalize": {inCopy, asPerson}, // the copy is asked whether it would pass
		"edit":     {refused, allowed},
		"derive":   {refused, allowed},
		"verify":   {refused, allowed}, // what it finds is not recorded inside a run
		"drift":    {refused, allowed},
		"complete": {refused, allowed}, // a driver whose members are done
		"work":     {refused, allowed},
		"pause":    {refused, allowed},
		"takeover": {refused, allowed},
		"status":   {refused, asPerson}, // update with a status; the run's own copy is under update
		"loosen":   {refused, asPerson}, // an edit by which a spec asks for less
		"waive":    {refused, asPerson}, // work without an approval
		"approve":  {refused, asPerson},
		"reject":   {refused, asPerson},
		"archive":  {refused, asPerson},
		"cancel":   {refused, asPerson},
		"merge":    {refused, asPerson},
		"reset":    {refused, asPerson},
		"split":    {refused, asPerson},
		"flag":     {refused, asPerson}, // drift that changes statuses
		"hooks":    {refused, asPerson},
		"watch":    {refused, asPerson}, // it would outlive the run and start others
	}
}

// mayInside refuses what insideRules does not allow inside a run. id is the spec that it is about, "" for none.
func (e *Engine) mayInside(act, id string) error {
	rule, known := insideRules()[act]
	switch {
	case !known:
		return fmt.Errorf("no rule says whether an agent may %q inside a run", act)
	case rule.other == asPerson:
		return e.byPerson(id)
	case e.insideRun(id):
		return insideRun(id)
	}
	return nil
}

// inOwnCopy reports whether the caller is the agent of the spec's run, and acts on the copy in its worktree.
func (e *Engine) inOwnCopy(act, id string) bool {
	return insideRules()[act].own == inCopy && e.insideRun(id)
}

// insideRun tells whether the caller stands in the worktree of this spec's run while
// a process is at work on it: as its agent does. In a run that was paused or taken
// over the same folder is a place like any other.
func (e *Engine) insideRun(id string) bool {
	if e.store.RunOf() != id {
		return false
	}
	holder, held := e.store.Holder(id)
	return held && !writes(holder)
}

// insideRun is the refusal of what the agent of a run cannot do to its own spec.
func insideRun(id string) *Error {
	return fail(State, "", "you are inside the run of %q; end your turn, and chant continues the run", id)
}

// finalizeInRun is what the run's agent can ask: whether chant will complete the
// spec once its turn has ended.
func (e *Engine) finalizeInRun(ctx context.Context, id string, in FinalizeInput) (WorkResult, error) {
	if in.AcceptChanges {
		return WorkResult{}, insideRun(id)
	}
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return WorkResult{}, err
	}
	result := WorkResult{ID: id, Title: s.Title, Status: s.Status, Branch: s.Branch}
	if result.Criteria, err = e.wouldComplete(ctx, s); err != nil {
		return result, err
	}
	e.warn(id, "the criteria hold; chant completes the spec when your turn has ended")
	return result, nil
}

// updateInRun writes the run's copy of its own spec. No commit is made: the run
// does that when the agent has ended.
func (e *Engine) updateInRun(ctx context.Context, id string, in UpdateInput) (StateResult, error) {
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return StateResult{}, err
	}
	if in.Status == string(spec.Pending) {
		return StateResult{}, fail(State, "chant show "+id, "spec %q is being worked; its run cannot make it pending", id)
	}
	edits, err := e.edits(ctx, in)
	if err != nil {
		return StateResult{}, err
	}
	if in.Status == string(spec.Failed) {
		edits = append(edits, markdown.Set("status", in.Status))
	}
	edit := func(doc *markdown.Document) (*markdown.Document, error) {
		next, err := in.body(s, doc)
		if err != nil {
			return nil, err
		}
		return next.Apply(edits...)
	}
	if in.completes() {
		if _, err := edit(s.Doc); err != nil {
			return StateResult{}, err
		}
		if _, err := e.wouldComplete(ctx, s); err != nil {
			return StateResult{}, err
		}
	}
	_, err = e.rewrite(ctx, id, edit)
	return StateResult{ID: id, Status: s.Status}, err
}

// wouldComplete runs the criteria in the run's tree as it stands.
func (e *Engine) wouldComplete(ctx context.Context, s *spec.Spec) ([]verify.Verdict, error) {
	result, err := e.verifyByRunning(ctx, s)
	if err == nil {
		r := &run.Run{Job: run.Job{ID: s.ID}, Settings: e.settings()}
		err = r.MayComplete(verify.Report{Criteria: result.Verdicts})
	}
	return result.Verdicts, err
}
