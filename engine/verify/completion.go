package verify

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// checkCompletion adds to a result whether the spec's completion can be trusted, and writes the result into the spec if
// it has changed.
func checkCompletion(ctx context.Context, e *evidences, in VerifyAllInput, sub subject, one *VerifyResult) (err error) {
	p := e.p
	one.required = sub.checks.Require
	// The older chant records when it verified a spec too, but only if a person asks for it.
	one.foreign = sub.s.Fields.LastVerified == "" && len(sub.s.Fields.Hashes) == 0
	if in.At != "" {
		if one.Recorded, err = evidenceAt(ctx, p, sub.s.ID, sub.commit); one.Recorded == nil || err != nil {
			return err
		}
		one.Weakened = append(one.Weakened, one.Recorded.Weakened...)
		t, err := e.trustFor(ctx, sub)
		if err != nil {
			return err
		}
		return one.Recorded.checkSignature(ctx, p, t.keys)
	}
	weak, err := weakenedBy(ctx, e, sub)
	if err != nil {
		return err
	}
	one.Weakened, one.Uncompared, one.accepted = append(one.Weakened, weak.found.Findings...), weak.found.Cut, weak.accepted
	var found forgeryFindings
	switch {
	case sub.changes != nil:
		found, err = findForgery(ctx, e, sub, weak)
		one.Signature = found.signature
	case sub.s.Status == spec.Completed:
		one.Signature, found, err = signatureOf(ctx, e, sub)
	}
	if err != nil {
		return err
	}
	one.Forged, one.NoEvidence = found.why, found.noEvidence
	if sub.s.Status == spec.Completed {
		if err := one.addHeldOut(p, found.recorded); err != nil {
			return err
		}
	}
	one.carryProof(found.recorded)
	if sub.changes != nil {
		if one.Loosened, err = weakenedChecks(ctx, p, sub); err != nil {
			return err
		}
		one.Loosened = append(one.Loosened, found.loosened...)
	}
	if len(one.Forged) > 0 {
		one.Verified, one.Status, one.Verdict = false, criteria.Failed, criteria.FailedVerdict
		one.Notes = "its completion is not believed: " + strings.Join(one.Forged, "; ")
	}
	recorded, reworded, err := RewordingsOf(ctx, p, sub.s, found.recorded)
	if err != nil {
		return err
	}
	one.Reworded = reworded
	renews := len(reworded) > 0 && one.Verified && sub.changes == nil && !sub.s.Archived
	if renews {
		if one.NotRenewed, err = one.whyNotRenewed(ctx, p, sub, recorded); err != nil {
			return err
		}
		renews = one.NotRenewed == ""
	}
	if in.NoWrite || !renews && !one.differsFrom(sub.s) {
		return nil
	}
	committed, err := isCommitted(ctx, p, sub.s)
	if err != nil {
		return err
	}
	if !committed {
		one.NotWritten = "its text is not committed"
		return nil
	}
	// An agent that verifies must not change specs.
	if above, err := engine.RunAbove(p); err != nil || above != "" {
		return err
	}
	if renews {
		return renew(ctx, p, sub, one)
	}
	_, err = advice.WithHold(ctx, p, sub.s.ID, "verify", func(h *engine.Held) (VerifyResult, error) { return *one, writeVerdict(ctx, p, h, one) })
	return err
}

// differsFrom reports whether a result must be written into a completed spec: always if it failed, and otherwise only
// if the front matter has another result. A spec that passes and has no recorded result needs no commit.
func (r *VerifyResult) differsFrom(s *spec.File) bool {
	switch {
	case s.Archived || s.Status != spec.Completed || r.Status == "":
		return false
	case r.Status == criteria.Failed:
		return true
	}
	return s.Fields.Verification != "" && s.Fields.Verification != string(r.Status)
}

// writeVerdict writes the result into a completed spec. If it failed, the spec moves to needs_attention.
func writeVerdict(ctx context.Context, p *engine.Project, h *engine.Held, r *VerifyResult) error {
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil || s.Status != spec.Completed {
		// Another process has changed the status.
		return err
	}
	failures := criteria.Failures(r.Verdicts)
	change := store.Change{
		ID: h.ID, Word: "verify", Edits: attempt.Summary(p.Now(), r.Status, append(failures, r.Forged...)),
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			return spec.Check(doc, criteria.Boxes(r.Verdicts))
		},
	}
	if r.Status == criteria.Failed {
		change.Event = spec.Flag
		change.Why = "verified again, it no longer holds: " + r.whyFailed()
		change.Edits = append(change.Edits, spec.SetReason(spec.ReasonNoLonger, change.Why)...)
		r.Flagged = true
	}
	_, err = p.Store.Transition(ctx, change)
	return err
}

// whyFailed describes in one line why verification failed.
func (r *VerifyResult) whyFailed() string {
	for _, v := range r.Verdicts {
		if !v.Holds && len(r.Forged) == 0 {
			return fmt.Sprintf("criterion %d: %s (%s)", v.Number, v.Text, v.Why)
		}
	}
	return r.Notes
}
