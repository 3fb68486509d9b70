package sprint

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// FuzzParse: whatever a file contains, its reports can be made, and an edit changes the edited value alone.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		full, "", "---\nplan: {<<: &a {goal: x}}\n---\n", "---\nplan: ~\nactual: ~\n---\nnotes", "---\nplan: &a\n  x: *a\n---\n",
		"---\nplan:\n  starts_at: 0001-01-01\n  length: 36525d\n---\n", "---\nplan: {capacity: -5}\n---\n", "no front matter", "---\n---\n---\n",
		"---\nplan: {capacity: &c {points: 1}, other: *c}\norder: &o [a]\n---\n", "\ufeff---\r\nplan: {label: a}\r\n---\r\n",
	} {
		f.Add([]byte(src))
	}
	now := at("2026-11-23")
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := Parse(1, "1.md", src)
		if err != nil {
			return
		}
		assert.Equal(t, src, s.Bytes())
		members := []Member{{ID: "X-1", Done: true, Modified: now}}
		Summarize(s, members, now)
		BurnDown(s, members, now)
		MeasureVelocity([]VelocityInput{{s, members}}, VelocityOptions{IncludeActive: true}, now)
		next, _, err := s.Edit(now, Change{Goal: ptr("other"), ClosedAt: ptr("2026-11-23")})
		if err != nil {
			return
		}
		again, err := Parse(1, "1.md", next.Bytes())
		assert.NoError(t, err, "%q", next.Bytes())
		want := s.Plan
		want.Goal = "other"
		if again.Plan.EndsAt != "" {
			want.Length = ""
		}
		assert.Equal(t, want, again.Plan, "%q became %q", src, next.Bytes())
		assert.Equal(t, "2026-11-23", again.Actual.ClosedAt, "%q became %q", src, next.Bytes())
		assert.Equal(t, s.Actual.StartedAt, again.Actual.StartedAt, "%q became %q", src, next.Bytes())
	})
}
