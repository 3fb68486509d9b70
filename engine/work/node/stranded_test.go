package node

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"

	"github.com/alecthomas/assert/v2"
)

// TestFindStranded: without a machine, what the fleet would offer is stranded; a task without criteria is never offered.
func TestFindStranded(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	const criteria = "\n## Acceptance Criteria\n\n- [ ] it is there `$ test -f f`\n"
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/2026-01-02-001-abc.md": "---\nstatus: pending\n---\n# Spec\n",
		".chant/specs/2026-01-02-002-abc.md": "---\nstatus: pending\ntask: AB-2\n---\n# Task\n" + criteria,
		".chant/specs/2026-01-02-003-abc.md": "---\nstatus: pending\ntask: AB-3\n---\n# Only named\n",
		".chant/specs/2026-01-02-004-abc.md": "---\nstatus: pending\n---\n# Claimed\n",
	})
	_, g, err := engine.Graph(t.Context(), p)
	assert.NoError(t, err)
	all, err := findStranded(t.Context(), p, enginetest.Git(t, dir, "rev-parse", "HEAD"), g, map[string]fleet.Held{"2026-01-02-004-abc": {}}, nil)
	assert.NoError(t, err)
	var got []string
	for _, s := range all {
		got = append(got, s.ID)
	}
	assert.Equal(t, []string{"2026-01-02-001-abc", "2026-01-02-002-abc"}, got)
}
