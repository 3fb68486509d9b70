package mcp

import (
	"slices"
	"testing"
)

// TestChoose_toolsets: deciding about specs is not among the tools of a worker.
func TestChoose_toolsets(t *testing.T) {
	t.Parallel()
	names := func(sets ...string) []string {
		t.Helper()
		chosen, err := chooseTool(toolsets(), Options{Toolsets: sets}.choice())
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, tool := range chosen.Tools {
			out = append(out, tool.Name)
		}
		return out
	}
	review := names("review")
	for _, name := range []string{"chant_approve", "chant_reject"} {
		if !slices.Contains(review, name) || slices.Contains(names(), name) || slices.Contains(names("specs"), name) {
			t.Errorf("%s is in the wrong set", name)
		}
	}
	if slices.Contains(review, "chant_spec_list") || len(names("specs", "review")) != len(names())+len(review) {
		t.Errorf("the sets overlap: %q", review)
	}
	for _, o := range []Options{{Toolsets: []string{"review", "nonsense"}}, {Tools: []string{"chant_approve"}}} {
		if chosen, err := chooseTool(toolsets(), o.choice()); err == nil {
			t.Errorf("%+v: %d tools", o, len(chosen.Tools))
		}
	}
}
