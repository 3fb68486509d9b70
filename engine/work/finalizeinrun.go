package work

import (
	"context"

	"chant/engine"
	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/verify"
)

// finalizeInRun answers the run's agent whether chant will complete the spec once
// the agent's turn has ended.
func finalizeInRun(ctx context.Context, p *engine.Project, id string, in FinalizeInput) (WorkResult, error) {
	if in.AcceptChanges {
		return WorkResult{}, engine.RefusedInside(id)
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return WorkResult{}, err
	}
	result := WorkResult{ID: id, Title: s.Title, Status: s.Status, Branch: s.Branch}
	if result.Criteria, err = WouldComplete(ctx, p, s); err != nil {
		return result, err
	}
	engine.Warn(p, id, "the criteria hold; chant completes the spec when your turn has ended")
	return result, nil
}

// WouldComplete runs the criteria in the run's tree as it is.
func WouldComplete(ctx context.Context, p *engine.Project, s *spec.File) ([]criteria.Verdict, error) {
	result, err := verify.VerifyByRunning(ctx, p, s)
	if err == nil {
		r := run.Asker(p, journal.Job{ID: s.ID}, &journal.History{})
		err = r.Judge.MayComplete(criteria.Report{Criteria: result.Verdicts})
	}
	return result.Verdicts, err
}
