package board

import (
	"strings"
	"testing"

	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// TestPlain writes the board and a spec as text, which is the same each time.
func TestPlain(t *testing.T) {
	t.Parallel()
	desk := sample()
	desk.cards[0].Title = "With\x1b[2J control\ncharacters"
	var board, spec, none strings.Builder
	Plain(&board, view.BoardResult{Cards: desk.cards})
	assert.NoError(t, PlainSpec(t.Context(), &spec, desk, "2026-01-02-002-asks"))
	Plain(&none, view.BoardResult{})
	compareGolden(t, "plain.txt", board.String())
	compareGolden(t, "plain-spec.txt", spec.String())
	assert.Equal(t, "No specs\n", none.String())
}
