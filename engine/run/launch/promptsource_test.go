package launch

import (
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// The agent reads which files describe the work, and where each criterion is ticked.
func TestSpellSource(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "", spellSource(nil))
	a := &spec.Adopted{Dir: "specs/001-cart", Files: []string{"specs/001-cart/plan.md", "specs/001-cart/tasks.md"}}
	for _, want := range []string{"folder `specs/001-cart`", "- `specs/001-cart/plan.md`", "- `specs/001-cart/tasks.md`", "list `met`"} {
		assert.Contains(t, spellSource(a), want)
	}
	all := []spec.Criterion{
		{Number: 1, Text: "T001 Write it", File: "specs/001-cart/tasks.md", Key: "T001"},
		{Number: 2, Text: "US1.1: It works", File: "specs/001-cart/spec.md", Key: "US1.1", Boxless: true, ID: "1f2e3d4c"},
		{Number: 3, Text: "Start: it bows", File: "openspec/changes/a/specs/b/spec.md", Boxless: true, ID: "2f2e3d4c"},
	}
	got := spellCriteria(all)
	for _, want := range []string{"(tick its box in specs/001-cart/tasks.md)", "check it as US1.1)", "check it as 2f2e3d4c)"} {
		assert.Contains(t, got, want)
	}
}
