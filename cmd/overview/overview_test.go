package overview

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"chant/cmd/console"
	"chant/engine"

	"chant/engine/view/overview"
	"chant/engine/view/picture"

	"github.com/alecthomas/assert/v2"
)

// wide and narrow are terminals, plain is a pipe.
func wide() console.Canvas   { return console.Canvas{Width: 100, Rich: true} }
func narrow() console.Canvas { return console.Canvas{Width: 30, Rich: true} }
func dumb() console.Canvas   { return console.Canvas{Width: 30} }

func now() time.Time { return time.Date(2026, 11, 26, 12, 0, 0, 0, time.Local) }

// checkWidth reports lines that do not fit.
func checkWidth(t *testing.T, name, text string, on console.Canvas) {
	t.Helper()
	for line := range strings.Lines(text) {
		if on.Width > 0 && utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > on.Width {
			t.Errorf("%s: %q is wider than %d", name, line, on.Width)
		}
	}
}

func TestRenderDag(t *testing.T) {
	t.Parallel()
	r := overview.DagResult{Total: 5, Returned: 4, Graph: picture.Graph{
		Specs: []picture.Spec{{ID: "a", Title: "First\x1b[2J", Status: "completed", Done: true}, {ID: "b", Title: "Second of a very long title", Status: "pending", Ready: true}, {ID: "c", Status: "pending", Blocked: true}, {ID: "d", Title: "Alone", Status: "failed"}},
		Needs: []picture.Need{{Spec: "b", Needs: "a", Kind: picture.DependsOn}, {Spec: "c", Needs: "a", Kind: picture.DependsOn}},
	}}
	for name, c := range map[string]struct {
		on   console.Canvas
		want []string
	}{
		"wide":   {wide(), []string{"●    a  completed  \"First\\x1b[2J\"", "├─◆  b  ready      Second of a very long title", "○    c  blocked    (untitled)", "neither needed nor waiting:", "✗  d  failed  Alone", "4 of 5"}},
		"narrow": {narrow(), []string{"├─◆  b  ready      Second of …"}},
		"dumb":   {dumb(), []string{"+-o  b  ready      Second o..."}},
		"a pipe": {console.Canvas{}, []string{"*    a  completed  \"First\\x1b[2J\"", "+-o  b  ready      Second of a very long title", ".    c  blocked    (untitled)", "x  d  failed  Alone"}},
	} {
		var b strings.Builder
		renderDag(&b, r, c.on, "titles")
		for _, line := range c.want {
			assert.Contains(t, "\n"+b.String(), "\n"+line+"\n", "%s: no line %q in\n%s", name, line, b.String())
		}
		if c.on.Width > 30 || c.on.Width == 0 {
			checkWidth(t, name, b.String(), c.on)
		}
	}
}

func TestRenderActivity(t *testing.T) {
	t.Parallel()
	r := overview.ActivityResult{Page: engine.Page{Total: 5, Returned: 2}, Entries: []overview.ActivityEntry{
		{At: now().Add(-3 * time.Hour), By: "Ada", Spec: "a", Title: "First", Event: "complete", Attempt: 2, Subject: "chant(a): complete"},
		{At: now().Add(-48 * time.Hour), By: "Bob\n", Spec: "long-id", Title: "Other", Event: overview.Commit, Subject: "chant(long-id): half of it"},
	}}
	for name, c := range map[string]struct {
		on   console.Canvas
		want string
	}{
		"wide":   {wide(), "3 hours ago  Ada      complete (attempt 2)  a        First\n2 days ago   \"Bob\\n\"  commit                long-id  chant(long-id): half of it\n2 of 5\n"},
		"narrow": {narrow(), "3 hours ago  Ada      complet…\n2 days ago   \"Bob\\n\"  commit …\n2 of 5\n"},
		"a pipe": {console.Canvas{}, "2026-11-26 09:00:00  Ada      complete (attempt 2)  a        First\n2026-11-24 12:00:00  \"Bob\\n\"  commit                long-id  chant(long-id): half of it\n2 of 5\n"},
	} {
		var b strings.Builder
		renderActivity(&b, r, now(), c.on)
		assert.Equal(t, c.want, b.String(), "%s:", name)
		checkWidth(t, name, b.String(), c.on)
	}
	var b strings.Builder
	if renderActivity(&b, overview.ActivityResult{}, now(), wide()); b.String() != "no activity\n" {
		t.Errorf("%q", b.String())
	}
}

func TestRenderStats(t *testing.T) {
	t.Parallel()
	facts := overview.Facts{
		Specs: []overview.Spec{{ID: "a", Created: now().AddDate(0, 0, -20), Landed: now().AddDate(0, 0, -14)}, {ID: "b", Landed: now()}, {ID: "c", Landed: now()}},
		Journals: []overview.Journal{{ID: "a", Tries: 1, Sessions: []overview.Session{{Provider: "claude", Model: "large", At: now().Unix(), Input: 5000, CostUSD: 1}}, Outcomes: []overview.Outcome{
			{Criterion: "Tests pass", At: now().Unix(), Attempt: 1, Tree: "t"}, {Criterion: "Tests pass", At: now().Unix(), Attempt: 1, Tree: "t", Holds: true},
			{Criterion: "Builds", At: now().Unix(), Attempt: 1, Tree: "t"}, {Criterion: "Builds", At: now().Unix(), Attempt: 2, Tree: "u", Holds: true},
		}}},
	}
	s := overview.Compute(facts, overview.Period{Since: now().AddDate(0, 0, -21), Until: now()})
	for name, c := range map[string]struct {
		on   console.Canvas
		want []string
	}{
		"wide":   {wide(), []string{"landed by week  ▁▅▁█  2 in the week of 2026-11-23", "cost by week    ▁▁▁█  $1.00", "  a  Tests pass: 1 on the same tree (1 of 2 checks failed)", "1 criterion failed first and passed in a later attempt"}},
		"a pipe": {console.Canvas{}, []string{"week of 2026-11-09  1 landed  0 tokens", "week of 2026-11-23  2 landed  5.00k tokens  $1.00", "claude large: 1 session on 1 spec, $1.00, 5.00k tokens in, 0 out, 0s"}},
		"narrow": {narrow(), []string{"claude large: 1 session on 1 …"}},
	} {
		var b strings.Builder
		renderStats(&b, s, c.on)
		for _, line := range c.want {
			assert.Contains(t, "\n"+b.String(), "\n"+line+"\n", "%s: no line %q in\n%s", name, line, b.String())
		}
		assert.False(t, c.on.Width == 0 && strings.ContainsAny(b.String(), "▁▅█"), "blocks in a pipe:\n%s", b.String())
	}
}

// TestWithoutEmptyBeginning: a project that is a week old has one week of statistics, not twelve; the last week is there
// in any case, and so is one without anything in between.
func TestWithoutEmptyBeginning(t *testing.T) {
	t.Parallel()
	weeks := func(landed ...int) (out []overview.Week) {
		for _, n := range landed {
			out = append(out, overview.Week{Landed: n})
		}
		return out
	}
	for _, c := range []struct{ landed, want []int }{{[]int{0, 0, 3}, []int{3}}, {[]int{0, 0}, []int{0}}, {[]int{0, 2, 0, 1, 0}, []int{2, 0, 1, 0}}, {nil, nil}} {
		got := withoutEmptyBeginning(weeks(c.landed...))
		assert.Equal(t, len(c.want), len(got), "%v", c.landed)
		assert.False(t, len(got) > 0 && got[0].Landed != c.want[0], "%v: %v", c.landed, got)
	}
}
