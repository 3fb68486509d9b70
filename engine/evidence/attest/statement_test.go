package attest

import (
	"errors"
	"testing"

	"chant/engine/store/local"

	"github.com/alecthomas/assert/v2"
)

// TestRead_newer: evidence of a newer format is refused, and not taken for another kind of text.
func TestRead_newer(t *testing.T) {
	t.Parallel()
	text, err := Seal(t.Context(), NewStatement("c", "t", Predicate{Chant: Detail{SpecID: "001", Format: EvidenceFormat + 1, Report: []byte("{}")}}), nil)
	assert.NoError(t, err)
	_, err = Read(text)
	newer, ok := errors.AsType[*local.FormatError](err)
	assert.True(t, ok, "got %v", err)
	assert.Equal(t, EvidenceFormat+1, newer.Has)
}
