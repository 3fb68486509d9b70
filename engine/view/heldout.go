package view

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/heldout"
	"chant/engine/evidence/journal"
	"chant/engine/store"
)

// HeldOutCriterion is a criterion that agents do not see, with its last verdict.
type HeldOutCriterion struct {
	Index    int            `json:"index"`              // 1-based, among the held-out criteria
	Text     string         `json:"text,omitempty"`     // only outside of a run, and where it can be opened
	Tell     string         `json:"tell,omitempty"`     // what the next agent may know when it fails
	Verdict  string         `json:"verdict,omitempty"`  // passed or failed; "" if it was not run
	Proof    criteria.Proof `json:"proof,omitempty"`    // of the verdict
	Readable string         `json:"readable,omitempty"` // a commit in which agents can read it
}

// addHeldOut adds the held-out criteria: those of the file, where it can be opened and no agent asks, and their last verdicts.
func (r *ShowResult) addHeldOut(ctx context.Context, p *engine.Project, h *journal.History) error {
	held, err := heldout.Read(p.Store, p.Environ, r.ID)
	if _, sealed := errors.AsType[*heldout.SealedError](err); sealed {
		r.Sealed, err = "sealed for another machine", nil
	}
	if err != nil {
		return err
	}
	if held != nil {
		for _, c := range held.Criteria {
			r.HeldOut = append(r.HeldOut, HeldOutCriterion{Index: c.Number, Text: c.Text, Tell: c.Tell()})
		}
	}
	for i, v := range criteria.HeldOut(r.lastVerdicts(h)) {
		if i == len(r.HeldOut) && held == nil {
			r.HeldOut = append(r.HeldOut, HeldOutCriterion{Index: i + 1, Tell: v.Tell})
		}
		if i < len(r.HeldOut) {
			r.HeldOut[i].Verdict, r.HeldOut[i].Proof = verdictWord(v), v.Proof
		}
	}
	if len(r.HeldOut) == 0 {
		return nil
	}
	commit, err := store.ReadableHeldOut(ctx, p.Store, r.ID)
	for i := range r.HeldOut {
		r.HeldOut[i].Readable = commit
	}
	return err
}

func verdictWord(v criteria.Verdict) string {
	if v.Holds {
		return string(criteria.Passed)
	}
	return string(criteria.Failed)
}
