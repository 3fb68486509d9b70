package prompts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
	assert.Equal(t, PageSize, len(first))
	assert.Equal(t, "000", first[0])
	assert.Equal(t, "150", second[0])
	assert.Equal(t, 55, len(second))
	assert.Equal(t, "", end)
}

func TestComplete(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range maxGuesses + 1 {
		many = append(many, fmt.Sprint("a", i))
	}
	got := Complete(many, "a")
	assert.Equal(t, maxGuesses, len(got.Values))
	assert.Equal(t, len(many), got.Total)
	assert.True(t, got.HasMore, "%d of %d, more %t", len(got.Values), got.Total, got.HasMore)
	got = Complete(many, "a100")
	assert.Equal(t, []string{"a100"}, got.Values)
	assert.False(t, got.HasMore, "got %+v", got)
	got = Complete(nil, "")
	assert.True(t, got.Values != nil, "got %+v", got)
	assert.Equal(t, 0, got.Total)
}
