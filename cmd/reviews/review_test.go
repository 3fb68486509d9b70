package reviews

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"chant/cmd/console"
	"chant/cmd/wizard"
	"chant/engine"
	"chant/engine/author/review"
	"chant/engine/evidence/criteria"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// sample is work on a spec with everything that can be shown.
func sample() view.WalkResult {
	no := false
	r := view.WalkResult{
		Checks: []view.CheckedCriterion{
			{Text: "it parses", Verdict: &criteria.Verdict{Holds: true, Evidence: []criteria.Evidence{{Command: "go test", Seconds: 1}}}},
			{Text: "it is fast", Verdict: &criteria.Verdict{Why: "`bench` exited with 1", Evidence: []criteria.Evidence{{Command: "bench", ExitCode: 1, Tail: "slow\nvery\n"}}}},
			{Text: "it is documented", Ticked: true, Verdict: &criteria.Verdict{Holds: true}}, {Text: "later"},
		},
		Work: &view.PatchesResult{From: "1111111", To: "2222222", Files: []view.FilePatch{
			{Path: ".chant/specs/a.md", Added: 1, Patch: "@@ -1 +1 @@\n+status\n"},
			{Path: "dates.go", Added: 1, Removed: 1, Patch: "--- a/dates.go\n+++ b/dates.go\n@@ -1 +1 @@\n-old\n+new\x1b[8m\n"}, {Path: "big.go"},
		}},
		Touched: []string{"Makefile is protected and was changed"}, Waived: []string{"accepted: x"},
	}
	r.ID, r.Title, r.Status, r.Branch, r.Landed = "a", "Parse dates", "completed", "chant/a", &no
	r.Strength = &criteria.Strength{Killed: 3, Survivors: []criteria.Survivor{
		{Kind: "off_by_one", File: "dates.go", Line: 1, Diff: "-new\n+newer\x1b\n"}, {Kind: "agent", File: "big.go", Line: 9, Diff: "-a\n+b\n"},
	}}
	r.Review = []task.Comment{{By: "Ada", At: time.Date(2026, 1, 2, 3, 4, 0, 0, time.Local), File: "dates.go", Line: 3, Text: "which\nzone?"}}
	return r
}

func TestPrintAll(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	printAll(&out, sample(), console.Canvas{})
	for _, want := range []string{
		"== summary ==\na  completed (not landed)\nParse dates\n", "work       3 files, +2 -1, from 1111111 to 2222222\n", "\nAda, 2026-01-02 03:04:00, dates.go:3\n  which\n  zone?\n",
		"ok    1. it parses\n      $ go test  exit 0, 1.0 s\n", "FAIL  2. it is fast\n", "`bench` exited with 1\n      slow\n      very\n", "that is the agent's word, no command was run", "-     4. later\n      not checked yet\n",
		"== file 1 of 3: dates.go ==\n--- a/dates.go\n", "\n-old\n", "    no criterion notices:\n    dates.go:1 off_by_one\n      -new\n      +newer\\x1b\n\n== file 2 of 3: big.go ==\nthe change is too large",
		"diff shows it\n    no criterion notices:\n    big.go:9 agent\n", "\nstrength: score 3 of 5\n      not noticed: dates.go:1 off_by_one\n", "== file 3 of 3: .chant/specs/a.md ==\n",
		"== protection ==\ntouched  Makefile is protected and was changed\naccepted: x\n",
	} {
		assert.Contains(t, out.String(), want)
	}
	out.Reset()
	printAll(&out, view.WalkResult{NoWork: "spec has no work yet"}, console.Canvas{})
	for _, want := range []string{"none: spec has no work yet", "no agent has worked on it here", "it has no criteria, so nothing was verified", "no tampering was found"} {
		assert.Contains(t, out.String(), want)
	}
}

// TestFlags: a place belongs to the comment before it, or else to the next one.
func TestFlags(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		said []review.Said
		left string
	}{
		"c:x":                 {[]review.Said{{Text: "x"}}, ""},
		"c:x a:f:1 c:y":       {[]review.Said{{Text: "x", At: "f:1"}, {Text: "y"}}, ""},
		"a:f:1 c:x a:g c:y":   {[]review.Said{{Text: "x", At: "f:1"}, {Text: "y", At: "g"}}, ""},
		"c:x a:f a:g c:y a:h": {[]review.Said{{Text: "x", At: "f"}, {Text: "y", At: "g"}}, "h"},
		"a:f":                 {nil, "f"},
	} {
		c := comments{}
		c.text.to, c.place.to = &c, &c
		for _, word := range strings.Fields(line) {
			kind, value, _ := strings.Cut(word, ":")
			set := c.text.Set
			if kind == "a" {
				set = c.place.Set
			}
			assert.NoError(t, set(value))
		}
		assert.Equal(t, want.said, c.list, "%s", line)
		assert.Equal(t, want.left, c.about, "%s", line)
	}
}

// typed gives a line to each read, as terminals do.
type typed struct{ lines []string }

func (t *typed) Read(into []byte) (int, error) {
	if len(t.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(into, t.lines[0]+"\n")
	t.lines = t.lines[1:]
	return n, nil
}

// TestWalk walks in plain lines: the numbers are those of the choices.
func TestWalk(t *testing.T) {
	t.Parallel()
	both := []review.Said{{Text: "use UTC", At: "dates.go"}, {Text: "and test it"}}
	for name, c := range map[string]struct {
		lines []string
		want  review.ReviewInput
	}{
		"straight to a yes": {[]string{"1", "1", "1", "1", "1", "1", "1"}, review.ReviewInput{ID: "a", Decision: review.ToApprove}},
		"comments and back": {[]string{"1", "1", "2", "use UTC", "dates.go", "4", "2", "and test it", "", "3", "3"}, review.ReviewInput{ID: "a", Comments: both, Decision: review.ToReject}},
		"only kept":         {[]string{"1", "1", "2", "use UTC", "dates.go", "3", "1"}, review.ReviewInput{ID: "a", Comments: both[:1]}},
		"leave at once":     {[]string{"4"}, review.ReviewInput{ID: "a"}},
		"a bare no":         {[]string{"3", "2", "and test it", ""}, review.ReviewInput{ID: "a", Comments: both[1:], Decision: review.ToReject}},
		"look again":        {[]string{"3", "3", "4"}, review.ReviewInput{ID: "a"}},
		"nothing after all": {[]string{"2", "and test it", "", "3", "5"}, review.ReviewInput{ID: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs strings.Builder
			app := &console.App{Env: console.Env{Out: &out, Err: &errs}}
			r := sample()
			w := walker{app: app, asks: wizard.Screen{In: &typed{c.lines}, Out: &errs, Plain: true}, r: r, steps: stepsOf(r), in: review.ReviewInput{ID: "a"}}
			got, err := w.walk(t.Context())
			assert.NoError(t, err, "%s %s", out.String(), errs.String())
			assert.Equal(t, c.want, got, "%s %s", out.String(), errs.String())
		})
	}
}

// TestDecisions offers what can be decided.
func TestDecisions(t *testing.T) {
	t.Parallel()
	yes := true
	landed, fresh := sample(), view.WalkResult{}
	landed.Landed = &yes
	fresh.Status = "pending"
	for name, c := range map[string]struct {
		r    view.WalkResult
		said int
		want string
	}{
		"work":              {sample(), 1, "Keep Approve the work Send the work Look Leave,"},
		"without a comment": {sample(), 0, "Approve the work Send the work Look Leave,"},
		"a spec":            {fresh, 1, "Keep Approve the spec: Reject the spec: Look Leave,"},
		"landed":            {landed, 1, "Keep Look Leave,"},
	} {
		w := walker{r: c.r, in: review.ReviewInput{Comments: make([]review.Said, c.said)}}
		var got []string
		for _, choice := range w.decisions() {
			words := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(choice.Title, "work:", "work"), "back:", "back"))
			most := 1
			if words[0] == "Approve" || words[0] == "Reject" || words[0] == "Send" {
				most = 3
			}
			got = append(got, words[:most]...)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), "%s", name)
	}
}

func TestSameStep(t *testing.T) {
	t.Parallel()
	in := review.ReviewInput{ID: "001", Comments: []review.Said{{Text: "use UTC", At: "a.go:1"}, {Text: "x"}}, Decision: review.ToReject}
	assert.Equal(t, `chant review 001 --comment "use UTC" --on a.go:1 --comment x --reject`, sameStep(in).String())
	assert.False(t, isLeft(errors.New("x")), "a failure is not a person who leaves")
	assert.True(t, isLeft(engine.Fail(engine.Canceled, next.Step{}, "x")), "a failure is not a person who leaves")
}
