package mcp_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"chant/mcp"

	"github.com/alecthomas/assert/v2"
)

// Marks around the table of toolsets in the manual, which does not show them.
const (
	tableBegins = "<!-- TestToolsets_guide: UPDATE=1 writes this table -->\n"
	tableEnds   = "<!-- TestToolsets_guide: its end -->\n"
)

// toolsetsTable is the table of toolsets in the manual.
func toolsetsTable() string {
	var out strings.Builder
	out.WriteString("| toolset | for | tools |\n|---|---|---|\n")
	for i, set := range mcp.Toolsets() {
		byDefault := ""
		if i == 0 {
			byDefault = " (default)"
		}
		tools := strings.Join(set.Tools, ", ")
		if len(set.Alone) > 0 {
			tools += "; without other toolsets " + strings.Join(set.Alone, ", ")
		}
		fmt.Fprintf(&out, "| `%s`%s | %s | %s |\n", set.Name, byDefault, set.About, tools)
	}
	return out.String()
}

// TestToolsets_guide compares the table in the manual with the toolsets. UPDATE=1 writes it.
func TestToolsets_guide(t *testing.T) {
	t.Parallel()
	const file = "../cmd/guide/mcp.md"
	src, err := os.ReadFile(file)
	assert.NoError(t, err)
	before, rest, begins := strings.Cut(string(src), tableBegins)
	table, after, ends := strings.Cut(rest, tableEnds)
	assert.True(t, begins, "the manual has no table of toolsets between %q and %q", tableBegins, tableEnds)
	assert.True(t, ends, "the manual has no table of toolsets between %q and %q", tableBegins, tableEnds)
	want := toolsetsTable()
	if table == want {
		return
	}
	assert.NotEqual(t, "", os.Getenv("UPDATE"), "the manual has\n%swant\n%s", table, want)
	assert.NoError(t, os.WriteFile(file, []byte(before+tableBegins+want+tableEnds+after), 0o644))
}

// TestToolsets_help checks that --toolsets names every toolset.
func TestToolsets_help(t *testing.T) {
	t.Parallel()
	out, _, code := newPlace(t).run(strings.NewReader(""), "mcp", "--help")
	words := strings.Join(strings.Fields(out), " ") // help may wrap
	for _, set := range mcp.Toolsets() {
		assert.Equal(t, 0, code, "chant mcp --help does not name the toolset %q: %s", set.Name, out)
		assert.Contains(t, words, fmt.Sprintf("%s (%s)", set.Name, set.About), "chant mcp --help does not name the toolset %q: %s", set.Name, out)
	}
}

// TestToolsets_names checks that names are there, and that no tool is in two toolsets.
func TestToolsets_names(t *testing.T) {
	t.Parallel()
	var sets, tools []string
	for _, set := range mcp.Toolsets() {
		assert.NotEqual(t, "", set.Name)
		assert.NotEqual(t, "", set.About)
		assert.NotEqual(t, 0, len(set.Tools))
		sets, tools = append(sets, set.Name), append(tools, set.Tools...)
	}
	for _, names := range [][]string{sets, tools} {
		slices.Sort(names)
		twice := len(names) - len(slices.Compact(slices.Clone(names)))
		assert.True(t, twice <= 0, "%d names are there twice: %q", twice, names)
	}
}
