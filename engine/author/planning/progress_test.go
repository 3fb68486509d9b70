package planning

import (
	"testing"

	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// withEffort returns specs with these estimates.
func withEffort(t *testing.T, efforts ...string) []planned {
	t.Helper()
	var out []planned
	for _, effort := range efforts {
		doc, err := markdown.Parse("s.md", []byte("---\nstatus: pending\n"+effort+"\n---\n# Do\n"))
		assert.NoError(t, err)
		one, err := newPlanned("s", doc)
		assert.NoError(t, err)
		out = append(out, one)
	}
	return out
}

func TestEstimateOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		efforts []string
		want    string
	}{
		{nil, ""},
		{[]string{"effort: 2h", "effort: 1d"}, "10.00h"},
		{[]string{"effort: 2pt", "effort: 3"}, "5pt"},
		{[]string{"effort: 2h", "effort: 3pt"}, ""},
		{[]string{"effort: 2h", "labels: [a]"}, ""},
		{[]string{"effort: much"}, ""},
	} {
		assert.Equal(t, tt.want, estimateOf(withEffort(t, tt.efforts...)), "%q", tt.efforts)
	}
}

func TestSummary_String(t *testing.T) {
	t.Parallel()
	usd := 0.421
	for want, s := range map[string]Summary{
		"plan a: draft, 1 spec":          {Plan: "a", Status: Draft, Counts: Count{Specs: 1}},
		"plan a: invalid: no front line": {Plan: "a", Status: Accepted, Invalid: "no front\nline"},
		"plan a: 1 of 4 done, 1 running, 1 blocked, $0.42 and 3m12s so far, estimate 9.00h": {
			Plan: "a", Status: Accepted, Progress: Progress{Done: 1, Running: 1, Blocked: 1, Open: 1}, Spent: Cost{USD: &usd, Seconds: 192.4}, Estimate: "9.00h",
		},
	} {
		assert.Equal(t, want, s.String())
	}
}

// TestProgressOf: what is archived is done, and what was cancelled counts as nothing.
func TestProgressOf(t *testing.T) {
	t.Parallel()
	var all []*spec.Spec
	for id, status := range map[string]spec.Status{"1": spec.Completed, "2": spec.Cancelled, "3": spec.Paused, "4": spec.Failed} {
		all = append(all, &spec.Spec{ID: id, Status: status})
	}
	got := progressOf([]string{"0", "1", "2", "3", "4"}, spec.NewGraph(all, []string{"0"}))
	assert.Equal(t, Progress{Done: 2, Running: 1, Open: 1}, got)
}
