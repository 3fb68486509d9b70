package prompts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// TestPage follows the cursors through a list that changes between two pages.
func TestPage(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 2*PageSize + 5 {
		all = append(all, fmt.Sprintf("%03d", i))
	}
	cut := func(cursor mcpgo.Cursor) ([]string, mcpgo.Cursor) {
		return Page(slices.Clone(all), cursor, func(s string) string { return s }, strings.Compare)
	}
	first, next := cut("")
	all = slices.Delete(all, 0, 150) // what was the last entry of the first page is gone
	second, end := cut(next)
	if len(first) != PageSize || first[0] != "000" || second[0] != "150" || len(second) != 55 || end != "" {
		t.Errorf("pages of %d and %d, from %q, then %q", len(first), len(second), second[0], end)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range maxGuesses + 1 {
		many = append(many, fmt.Sprint("a", i))
	}
	if got := Complete(many, "a"); len(got.Values) != maxGuesses || got.Total != len(many) || !got.HasMore {
		t.Errorf("%d of %d, more %t", len(got.Values), got.Total, got.HasMore)
	}
	if got := Complete(many, "a100"); !slices.Equal(got.Values, []string{"a100"}) || got.HasMore {
		t.Errorf("got %+v", got)
	}
	if got := Complete(nil, ""); got.Values == nil || got.Total != 0 {
		t.Errorf("got %+v", got)
	}
}
