package sprint

import (
	"bytes"
	"testing"
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
		if !bytes.Equal(s.Bytes(), src) {
			t.Errorf("%q was read as %q", src, s.Bytes())
		}
		members := []Member{{ID: "X-1", Done: true, Modified: now}}
		Summarize(s, members, now)
		BurnDown(s, members, now)
		MeasureVelocity([]VelocityInput{{s, members}}, VelocityOptions{IncludeActive: true}, now)
		next, _, err := s.Edit(now, Change{Goal: ptr("other"), ClosedAt: ptr("2026-11-23")})
		if err != nil {
			return
		}
		again, err := Parse(1, "1.md", next.Bytes())
		if err != nil {
			t.Fatalf("%q: %v", next.Bytes(), err)
		}
		want := s.Plan
		want.Goal = "other"
		if again.Plan.EndsAt != "" {
			want.Length = ""
		}
		if again.Plan != want || again.Actual.ClosedAt != "2026-11-23" || again.Actual.StartedAt != s.Actual.StartedAt {
			t.Errorf("%q became %q", src, next.Bytes())
		}
	})
}
