package launch

import (
	"strings"
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestDescribe: progress has one of a few kinds for everything that an agent does, at work or when it is asked.
func TestDescribe(t *testing.T) {
	t.Parallel()
	spent := &providers.Spent{Usage: &providers.Usage{Input: 7, CachedInput: 3, Output: 2}, Turns: 1}
	for _, tt := range []struct {
		ev   providers.Event
		want string // kind, beginning of the log line, text
	}{
		{providers.Event{Kind: providers.Init, Text: "session s"}, "output||session s"},
		{providers.Event{Kind: providers.Text, Text: "Done."}, "text||Done."},
		{providers.Event{Kind: providers.ToolCall, Tool: "Read", Text: "{}"}, "tool|tool: |Read {}"},
		{providers.Event{Kind: providers.ToolResult, Tool: "Read", Text: "all of it"}, "result|result: |all of it"},
		{providers.Event{Kind: providers.Spending, Spent: spent}, "usage||turn 1, 10 tokens in, 2 out"},
		{providers.Event{Kind: providers.Retry, Text: "attempt 2"}, "warning|warning: |attempt 2"},
		{providers.Event{Kind: providers.Denied, Tool: "Bash", Text: "no"}, "warning|denied: |Bash no"},
		{providers.Event{Kind: providers.Asking, Text: "Password:"}, "warning|asks: |Password:"},
		{providers.Event{Kind: providers.Finished, Text: "ok"}, "finished|finished: |ok"},
		{providers.Event{Kind: providers.Output, Text: "a line"}, "output||a line"},
		{providers.Event{Kind: providers.Output, Text: "Go on? [y/n]"}, "warning|asks: |Go on? [y/n]"},
		{providers.Event{Kind: providers.Stderr, Text: "a line"}, "stderr|stderr: |a line"},
	} {
		kind, prefix, text := (&Launcher{Attempt: attempt.New(attempt.Attempt{}, &journal.History{}, nil)}).describe(tt.ev)
		assert.Equal(t, tt.want, strings.Join([]string{kind, prefix, text}, "|"), "%s", tt.ev.Kind)
	}
}

// TestRecord_full: the output of an agent that prints without end is reported until its log is full; then that the log
// is full, and how the agent ended.
func TestRecord_full(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	st := p.Store
	var told []string
	r := &Launcher{Attempt: attempt.New(attempt.Attempt{Store: st, Job: journal.Job{ID: "2026-01-02-001-abc", Attempt: 1}, Now: time.Now, Emit: func(ev journal.Event) { told = append(told, ev.Kind+" "+ev.Text[:min(8, len(ev.Text))]) }}, &journal.History{}, nil)}
	assert.NoError(t, r.Log.Open("agent"))
	defer r.Log.Close()
	flood := strings.Repeat("y", 40<<20)
	for _, ev := range []providers.Event{
		{Kind: providers.Output, Text: flood}, {Kind: providers.Output, Text: flood}, {Kind: providers.Output, Text: "one more"},
		{Kind: providers.Text, Text: "and more"}, {Kind: providers.Spending, Spent: &providers.Spent{Turns: 3}}, {Kind: providers.Finished, Text: "ok"},
	} {
		assert.NoError(t, r.recordEvent(ev))
	}
	assert.Equal(t, []string{"output yyyyyyyy", "output yyyyyyyy", "warning the log ", "usage turn 3", "finished ok"}, told)
}
