package advice

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"

	"github.com/alecthomas/assert/v2"
)

// Every kind of reason for which a spec needs attention has one next step.
func TestAttentionStep(t *testing.T) {
	t.Parallel()
	way := next.Merge.On("001").Flag("auto")
	want := map[spec.ReasonCode]string{
		spec.ReasonDrifted:    "chant work 001 --replay",
		spec.ReasonTampered:   "chant finalize 001 --accept-changes",
		spec.ReasonWeakened:   "chant finalize 001 --accept-changes",
		spec.ReasonConflict:   way.String(),
		spec.ReasonMergedTree: way.String(),
		spec.ReasonUnverified: "chant work 001",
		spec.ReasonDriverOpen: "chant work 001",
		spec.ReasonOutput:     "chant work 001",
		spec.ReasonReviewed:   "chant work 001",
	}
	for _, code := range append(spec.ReasonCodes(), "", "unknown") {
		assert.Equal(t, want[code], attentionStep("001", code, way, false).String(), "%q", code)
	}
	got := attentionStep("001", spec.ReasonTampered, next.Step{}, true)
	assert.True(t, got.Equal(next.Reset.On("001")), "nothing but the forbidden change: %q", got)
}

// The text of a reason, which people or agents may write, has no influence on the advice; only the code has.
func TestConclude_reasonText(t *testing.T) {
	t.Parallel()
	texts := []string{
		"drifted: a.txt", "forbidden changes during the run: x", "on the merged tree 1 of 2 criteria does not hold",
		`"chant/001" does not merge with "main": conflict in a.txt`, "the criterion does not hold", "verified again, it no longer holds: x",
		"the agent's output does not fit", `spec "001" was cancelled on "main"`, "its members are done, but x", "stopped",
	}
	for _, status := range spec.Statuses() {
		for _, branch := range []string{"", "chant/001"} {
			conclusion := func(reason string, code spec.ReasonCode) string {
				s := &spec.Spec{ID: "001", Status: status, Branch: branch}
				s.Fields.Reason, s.Fields.ReasonCode = reason, code
				return seen(s).Conclude().Next.String()
			}
			want := conclusion("", "")
			for _, text := range texts {
				assert.Equal(t, want, conclusion(text, ""), "%s on %q with the reason %q", status, branch, text)
				got, want := conclusion(text, spec.ReasonDrifted), conclusion("", spec.ReasonDrifted)
				assert.Equal(t, want, got, "%s on %q with a code and the reason %q", status, branch, text)
			}
		}
	}
}

// The code is that of the front matter, else that of the journal, unless the attempt was dropped.
func TestReasonCode(t *testing.T) {
	t.Parallel()
	failed := &journal.History{Attempts: []*journal.Attempt{{Code: spec.ReasonConflict}}}
	gone := &journal.History{Attempts: []*journal.Attempt{{Code: spec.ReasonConflict, Gone: true}}}
	for name, c := range map[string]struct {
		front spec.ReasonCode
		h     *journal.History
		want  spec.ReasonCode
	}{
		"front matter":      {spec.ReasonDrifted, failed, spec.ReasonDrifted},
		"journal":           {"", failed, spec.ReasonConflict},
		"dropped":           {"", gone, ""},
		"without a journal": {"", &journal.History{}, ""},
	} {
		s := &spec.Spec{ID: "001"}
		s.Fields.Reason, s.Fields.ReasonCode = "drifted: x", c.front
		assert.Equal(t, c.want, ReasonCode(s, c.h), "%s", name)
	}
}

// A limit that was reached replaces what work would do, whatever the reason says.
func TestConclude_limitMet(t *testing.T) {
	t.Parallel()
	const met = "token limit of the spec reached: 5 of 5"
	for _, c := range []struct {
		reason, met, why, next string
	}{
		{"no network", "", "stopped: no network; work resumes it", "chant work 001"},
		{"no network", met, "stopped: no network: " + met + "; no agent starts until its limits are raised", "chant edit 001"},
		{"paused; work goes on later", met, "stopped: paused; work goes on later: " + met + "; no agent starts until its limits are raised", "chant edit 001"},
		{met, met, "stopped: " + met + "; no agent starts until its limits are raised", "chant edit 001"},
	} {
		s := &spec.Spec{ID: "001", Status: spec.Paused, Branch: "chant/001"}
		s.Fields.Reason = c.reason
		l := seen(s, func(l *Facts) { l.met = c.met })
		got := l.Conclude()
		assert.Equal(t, c.why, got.Why, "%q with %q:", c.reason, c.met)
		assert.Equal(t, c.next, got.Next.String(), "%q with %q:", c.reason, c.met)
	}
}

// Of what a command printed, the first error is shown, else the last line.
func TestFirstAndError(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		"exited with 1":              "exited with 1",
		"exited with 1:\n  a\n  b\n": "exited with 1: b",
		"exited with 1:\n  npm error code E404\n  npm error A complete log is in x": "exited with 1: npm error code E404",
		"exited with 1:\n  no error\n  the end":                                     "exited with 1: the end",
	} {
		assert.Equal(t, want, firstAndError(reason), "%q", reason)
	}
}
