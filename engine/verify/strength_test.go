package verify

import (
	"testing"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"

	"github.com/alecthomas/assert/v2"
)

// TestKnownStrength: what was changed after it was written says nothing.
func TestKnownStrength(t *testing.T) {
	t.Parallel()
	with := func(edited bool, state attest.State) *RecordedEvidence {
		return &RecordedEvidence{Edited: edited, Signature: attest.Signature{State: state}, Strength: &criteria.Strength{Killed: 1}}
	}
	for name, c := range map[string]struct {
		of    *RecordedEvidence
		known bool
	}{
		"none": {nil, false}, "edited": {with(true, attest.Unsigned), false}, "forged": {with(false, attest.Forged), false},
		"unsigned": {with(false, attest.Unsigned), true}, "signed": {with(false, attest.Signed), true}, "unknown": {with(false, attest.UnknownKey), true},
	} {
		assert.Equal(t, c.known, c.of.KnownStrength() != nil, "%s", name)
	}
}
