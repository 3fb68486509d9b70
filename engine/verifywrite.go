package engine

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/markdown"
)

// believe adds to an answer whether the completion is to be believed, and writes what
// has changed by it.
func (e *Engine) believe(ctx context.Context, in VerifyAllInput, sub subject, one *VerifyResult) (err error) {
	one.required = sub.checks.Require
	if in.At != "" {
		one.Recorded, err = e.recordedAt(ctx, sub.s.ID, sub.commit)
		return err
	}
	if sub.changes != nil {
		if one.Forged, err = e.forgery(ctx, sub); err != nil {
			return err
		}
		if one.Weakened, err = e.since(ctx, sub); err != nil {
			return err
		}
	}
	if len(one.Forged) > 0 {
		one.Verified, one.Status = false, verify.Failed
		one.Notes = "its completion is not believed: " + strings.Join(one.Forged, "; ")
	}
	if in.NoWrite || !one.news(sub.s) {
		return nil
	}
	if above, err := e.runAbove(); err != nil || above != "" {
		return err
	}
	_, err = withHold(ctx, e, sub.s.ID, "verify", func(h *held) (VerifyResult, error) { return *one, e.writeVerdict(ctx, h, one) })
	return err
}

// news reports whether the front matter of a completed spec says something else. That
// it passes is only worth a commit where it was said not to.
func (r *VerifyResult) news(s *spec.Spec) bool {
	switch {
	case s.Archived || s.Status != spec.Completed || r.Status == "":
		return false
	case r.Status == verify.Failed:
		return true
	}
	return s.Fields.Verification != "" && s.Fields.Verification != string(r.Status)
}

// writeVerdict writes the answer to the spec: a completed one that has failed needs
// attention from now on.
func (e *Engine) writeVerdict(ctx context.Context, h *held, r *VerifyResult) error {
	s, err := e.store.Get(ctx, h.id)
	if err != nil || s.Status != spec.Completed {
		return err // somebody was faster
	}
	failures := verify.Failures(r.Verdicts)
	change := store.Change{
		ID: h.id, Word: "verify", Edits: run.Summary(e.Now(), r.Status, append(failures, r.Forged...)),
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			return spec.Check(doc, verify.Boxes(r.Verdicts))
		},
	}
	if r.Status == verify.Failed {
		change.Event = spec.Flag
		change.Why = "verified again, it no longer holds: " + r.why()
		change.Edits = append(change.Edits, spec.SetReason(spec.ReasonNoLonger, change.Why)...)
		r.Flagged = true
	}
	_, err = e.store.Transition(ctx, change)
	return err
}

// why tells in one line what does not hold.
func (r *VerifyResult) why() string {
	for _, v := range r.Verdicts {
		if !v.Holds && len(r.Forged) == 0 {
			return fmt.Sprintf("criterion %d: %s (%s)", v.Number, v.Text, v.Why)
		}
	}
	return r.Notes
}
