package enginetest

import (
	"fmt"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/spec/lint"
	"chant/engine/verify/linter"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// crowd creates a project in which 150 specs without criteria wait for one spec, which
// waits for 120 that do not exist.
func crowd(t *testing.T) *engine.Project {
	t.Helper()
	p, dir := Project(t)
	const script = "\n## Script\n\n```sh\ntrue\n```\n"
	var deps []string
	for i := range 120 {
		deps = append(deps, fmt.Sprintf("2026-01-02-%03d-nil", i+500))
	}
	Write(t, dir, ".chant/specs/"+StrictID+".md", "---\ndepends_on: ["+strings.Join(deps, ", ")+"]\n---\n# Awaited\n\n## Acceptance Criteria\n\n- [ ] It works\n"+script)
	for i := range 150 {
		Write(t, dir, fmt.Sprintf(".chant/specs/2026-01-01-%03d-dep.md", i+100), "---\ndepends_on: ["+StrictID+"]\n---\n# Dependent\n"+script)
	}
	return p
}

func TestDeps_bounded(t *testing.T) {
	t.Parallel()
	p := crowd(t)
	for limit, want := range map[int][2]int{0: {100, 100}, 7: {7, 7}, 130: {120, 130}, 1000: {120, 150}} {
		r, err := view.Deps(t.Context(), p, view.DepsInput{ID: StrictID, Limit: limit})
		assert.NoError(t, err, "limit %d", limit)
		assert.Equal(t, want[0], len(r.DependsOn), "limit %d", limit)
		assert.Equal(t, want[0], len(r.Waits), "limit %d", limit)
		assert.Equal(t, want[1], len(r.Dependents), "limit %d", limit)
		assert.Equal(t, 120, r.DependsOnTotal, "limit %d: totals", limit)
		assert.Equal(t, 120, r.WaitsTotal, "limit %d: totals", limit)
		assert.Equal(t, 150, r.DependentsTotal, "limit %d: totals", limit)
	}
}

// TestLint_bounded: 120 errors are listed before 150 warnings.
func TestLint_bounded(t *testing.T) {
	t.Parallel()
	p := crowd(t)
	for limit, want := range map[int]int{0: 100, 7: 7, 200: 200, 1000: 270} {
		r, err := linter.Lint(t.Context(), p, linter.LintInput{Limit: limit})
		if err != nil || len(r.Findings) != want || r.Found != 270 || r.Failed != 1 || r.Warned != 150 || r.Total != 151 {
			t.Errorf("limit %d: %d of %d findings, %+v, %v", limit, len(r.Findings), r.Found, r.Failed, err)
			continue
		}
		assert.Equal(t, want < 270, r.Findings[0].Severity == lint.Error, "limit %d: an", limit)
	}
}
