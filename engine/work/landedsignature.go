package work

import (
	"context"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/run/attempt"
)

// landedSignature returns the signature of the evidence of a landing, as the target's keys before it see it. It is nil
// where the project uses no keys.
func landedSignature(ctx context.Context, p *engine.Project, landing string) (*attest.Signature, error) {
	at, err := p.Repo.ReadCommit(ctx, landing)
	if err != nil || len(at.Parents) == 0 {
		return nil, err
	}
	// The keys from before the landing, since the landing itself could have added one.
	trusted, err := engine.TrustedKeys(ctx, p, at.Parents[0])
	if err != nil {
		return nil, err
	}
	if len(trusted) == 0 && !p.Config.Evidence.Signed {
		return nil, nil
	}
	text, err := p.Repo.ReadNote(ctx, attempt.NotesRef, landing)
	if err != nil {
		return nil, err
	}
	note, err := criteria.ReadNote(text)
	if err != nil || note.Attestation == nil {
		return nil, err
	}
	found := note.Attestation.Check(ctx, at.Hash, at.Tree, trusted)
	return &found, nil
}
