package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/run/attempt"
	"chant/engine/spec"
)

// RecordStrength adds to the evidence of a completed spec how strong its criteria are, and returns the commits whose notes have
// it now; none without evidence of chant. Errors: criteria.ErrMoreIsKnown, or why the evidence must stay as it is.
func RecordStrength(ctx context.Context, p *engine.Project, id string, s criteria.Strength) (commits []string, err error) {
	h, err := journal.ReadHistory(p.Store, id)
	if err != nil {
		return nil, err
	}
	for _, commit := range append(commitsOf(h), s.Commit) {
		if slices.Contains(commits, commit) {
			continue
		}
		text, err := withStrength(ctx, p, id, commit, s)
		if err == nil && text != nil {
			err = p.Repo.AddNote(ctx, attempt.NotesRef, commit, text)
		}
		if err != nil {
			return commits, err
		}
		if text != nil {
			commits = append(commits, commit)
		}
	}
	return commits, nil
}

// withStrength returns the note of a commit with a strength, nil if it has no evidence about the spec.
func withStrength(ctx context.Context, p *engine.Project, id, commit string, s criteria.Strength) ([]byte, error) {
	text, err := p.Repo.ReadNote(ctx, attempt.NotesRef, commit)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	note, err := criteria.ReadNote(text)
	if note.SpecID != id {
		return nil, nil //nolint:nilerr // it is no evidence about the spec
	}
	if err != nil {
		return nil, err
	}
	by, err := signerOf(ctx, p, note, commit)
	if err != nil {
		return nil, err
	}
	return note.WithStrength(ctx, s, by)
}

// signerOf returns what signs the note of a commit anew: the key of this machine if it has signed the note, nil for an unsigned
// note where there is no key.
func signerOf(ctx context.Context, p *engine.Project, note criteria.Note, commit string) (attest.Signer, error) {
	own, err := keyfile.Load(p.Environ)
	if err != nil {
		return nil, err
	}
	at, err := p.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return nil, err
	}
	var keys []attest.Trusted
	if own != nil {
		keys = []attest.Trusted{{Name: "this machine", Key: own.Public}}
	}
	signature := attest.Signature{State: attest.Unsigned}
	if note.Attestation != nil {
		signature = note.Attestation.Check(ctx, at.Hash, at.Tree, keys)
	}
	switch {
	case own == nil && signature.State == attest.Unsigned:
		return nil, nil
	case own != nil && signature.State == attest.Signed:
		return own.Signer()
	}
	// A new signature would cover what others have written there.
	return nil, fmt.Errorf("the evidence of commit %.7s is not of this machine's key (%s)", commit, signature)
}

// KnownStrength returns the strength in evidence that nobody has changed since, nil without one.
func (r *RecordedEvidence) KnownStrength() *criteria.Strength {
	if r == nil || r.Edited || r.Signature.State == attest.Forged {
		return nil
	}
	return r.Strength
}

// markNoticed marks the survivors for which a spec was added that has landed.
func (r *RecordedEvidence) markNoticed(ctx context.Context, p *engine.Project) error {
	if r == nil || r.Strength == nil {
		return nil
	}
	for i, one := range r.Strength.Survivors {
		r.Strength.Survivors[i].Noticed = false
		if one.Spec == "" {
			continue
		}
		s, err := engine.FindAny(ctx, p, one.Spec)
		if e, missing := errors.AsType[*engine.Error](err); missing && e.Code == engine.NotFound {
			// A clone may lack it, or it was removed.
			continue
		}
		if err != nil {
			return err
		}
		r.Strength.Survivors[i].Noticed = s.Status == spec.Completed && s.Landed
	}
	return nil
}
