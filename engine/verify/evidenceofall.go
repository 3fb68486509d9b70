package verify

import (
	"context"

	"chant/engine"
)

// EvidenceOfAll returns the newest evidence that is recorded for the completion of each spec. It reads all notes once.
// Signatures are checked with the keys that the target trusts now.
func EvidenceOfAll(ctx context.Context, p *engine.Project) (map[string]*RecordedEvidence, error) {
	all := &evidences{p: p}
	if err := all.readAll(ctx); err != nil {
		return nil, err
	}
	trusted, err := trustedNow(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, found := range all.newest {
		if err := found.checkSignature(ctx, p, trusted); err != nil {
			return nil, err
		}
	}
	return all.newest, nil
}
