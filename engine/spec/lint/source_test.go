package lint

import (
	"fmt"
	"slices"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// A folder that a spec adopts must be readable and say when its work is done; what its own tool finds is reported with
// its file.
func TestCheck_source(t *testing.T) {
	t.Parallel()
	whole := []spec.Criterion{{ID: "a", Text: "T001 Write it", File: "specs/001-a/tasks.md"}}
	for name, tt := range map[string]struct {
		adopted *spec.Adopted
		front   string
		found   []SourceFinding
		want    []string
	}{
		"none":       {nil, "", nil, []string{"criteria warning 1"}},
		"whole":      {&spec.Adopted{Criteria: whole}, "", nil, nil},
		"unreadable": {&spec.Adopted{Criteria: whole, Problem: "it does not exist"}, "", nil, []string{"source error 2"}},
		"empty":      {&spec.Adopted{Dir: "specs/001-a"}, "", nil, []string{"source error 2"}},
		"commands":   {&spec.Adopted{Dir: "specs/001-a"}, "verify: [make test]\n", nil, nil},
		"completed":  {&spec.Adopted{Problem: "it does not exist"}, "status: completed\n", nil, nil},
		"invalid": {&spec.Adopted{Criteria: whole}, "", []SourceFinding{
			{Error, "openspec/changes/a/proposal.md", 3, "too short"}, {Warning, "openspec/changes/a/tasks.md", 0, "odd"},
		}, []string{"openspec error 3", "openspec warning 1"}},
	} {
		s := read(t, "2026-01-01-001-aaa", tt.front+"source: specs/001-a", "# A feature\n")
		s.Adopt(tt.adopted)
		p := among(t, s)
		p.World.Source = func(*spec.File) []SourceFinding { return tt.found }
		found := p.Check(s)
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s %s %d", f.Rule, f.Severity, f.Line))
		}
		assert.Equal(t, len(tt.want), len(got), "%s", name)
		assert.False(t, len(got) > 0 && tt.front == "" && !slices.Equal(got, tt.want), "%s: %q, want %q", name, got, tt.want)
		if name == "invalid" && (found[0].Path != "openspec/changes/a/proposal.md" || found[0].Next.File != found[0].Path) {
			t.Errorf("%+v", found[0])
		}
		assert.Equal(t, name == "unreadable" || name == "empty", len(p.BlockingErrors(s)) > 0)
	}
}
