package verify

import (
	"context"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// AttestationInput names the spec whose evidence is wanted.
type AttestationInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// AttestationResult is the signed evidence of a completed spec, which other tools can check.
type AttestationResult struct {
	SpecID    string           `json:"spec_id"`
	Commit    string           `json:"commit"` // that it is about
	Signature attest.Signature `json:"signature"`
	Envelope  []byte           `json:"-"` // DSSE, as JSON
}

// Attestation returns the evidence that was recorded when a spec was completed. Errors: State for a spec that is not
// completed, NotFound without evidence, Unverified for evidence that is not signed or whose signature is wrong. It is
// refused inside a run: it is there to be written to a file, and an agent would have chant write it where it cannot.
func Attestation(ctx context.Context, p *engine.Project, in AttestationInput) (AttestationResult, error) {
	// An agent would have chant write the file where it cannot write itself.
	if err := engine.MayInside(p, "attest", ""); err != nil {
		return AttestationResult{}, err
	}
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return AttestationResult{}, engine.Wrap(err, in.ID)
	}
	result, err := attestation(ctx, p, s)
	return engine.Done(result, err, s.ID)
}

func attestation(ctx context.Context, p *engine.Project, s *spec.File) (AttestationResult, error) {
	if s.Status != spec.Completed {
		return AttestationResult{}, engine.Fail(engine.State, next.Show.On(s.ID), "spec %q is %s; only a completed one has evidence", s.ID, s.Status)
	}
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return AttestationResult{}, err
	}
	found, err := Evidence(ctx, p, s.ID, h)
	switch {
	case err != nil:
		return AttestationResult{}, err
	case found == nil:
		return AttestationResult{}, engine.Fail(engine.NotFound, next.Shell("git fetch origin refs/notes/chant:refs/notes/chant"), "no evidence for spec %q is here", s.ID)
	case found.Signature.State == attest.Unsigned:
		return AttestationResult{}, engine.Fail(engine.Unverified, next.KeyInit.On(), "the evidence of spec %q is UNSIGNED: the machine that completed it had no key", s.ID)
	case found.Signature.State == attest.Forged:
		return AttestationResult{}, engine.Fail(engine.Unverified, next.Verify.On(s.ID), "the evidence of spec %q is %s", s.ID, found.Signature)
	}
	return AttestationResult{SpecID: s.ID, Commit: found.Commit, Signature: found.Signature, Envelope: found.attestation.Text}, nil
}
