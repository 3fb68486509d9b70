package view

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestSortRows_unknownCost: specs of unknown cost come last, in both directions.
func TestSortRows_unknownCost(t *testing.T) {
	t.Parallel()
	little, much := 0.5, 2.0
	for reverse, want := range map[bool][]string{false: {"much", "little", "none"}, true: {"little", "much", "none"}} {
		rows := []Row{{ID: "none"}, {ID: "little", Cost: &little}, {ID: "much", Cost: &much}}
		sortRows(rows, "cost", reverse)
		assert.Equal(t, want, idsOf(rows), "reverse %t", reverse)
	}
}

// TestSearchInput_bodyOnly: the words of the title count where the text repeats them, and in no heading.
func TestSearchInput_bodyOnly(t *testing.T) {
	t.Parallel()
	in := SearchInput{Query: "write docs", BodyOnly: true}
	for text, want := range map[string]bool{
		"---\nprompt: write docs\n---\n# write docs\n\nText.\n":           true,
		"---\nlabels: [x]\n---\n# write docs\n\nText.\n":                  false,
		"---\nlabels: [x]\n---\n# write docs\n\nFirst write docs well.\n": true,
	} {
		got := in.keeps(Row{Title: "write docs"}, nil, func() string { return text })
		assert.Equal(t, want, got, "%q", text)
	}
}
