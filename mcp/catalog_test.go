package mcp

import (
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestChoose_toolsets: deciding about specs is not among the tools of a worker.
func TestChoose_toolsets(t *testing.T) {
	t.Parallel()
	names := func(sets ...string) []string {
		t.Helper()
		chosen, err := chooseTool(toolsets(), Options{Toolsets: sets}.choice())
		assert.NoError(t, err)
		var out []string
		for _, tool := range chosen.Tools {
			out = append(out, tool.Name)
		}
		return out
	}
	review := names("review")
	for _, name := range []string{"chant_approve", "chant_reject"} {
		assert.SliceContains(t, review, name)
		assert.NotSliceContains(t, names(), name)
		assert.NotSliceContains(t, names("specs"), name)
	}
	if slices.Contains(review, "chant_spec_list") || len(names("specs", "review")) != len(names())+len(review) {
		t.Errorf("the sets overlap: %q", review)
	}
	for _, o := range []Options{{Toolsets: []string{"review", "nonsense"}}, {Tools: []string{"chant_approve"}}} {
		chosen, err := chooseTool(toolsets(), o.choice())
		assert.Error(t, err, "%+v: %d tools", o, len(chosen.Tools))
	}
}
