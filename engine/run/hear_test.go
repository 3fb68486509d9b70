package run

import (
	"strings"
	"testing"

	"chant/providers"
)

// TestHeard: whoever watches gets one of a few kinds, whatever the agent does, be it at
// work or asked.
func TestHeard(t *testing.T) {
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
		kind, prefix, text := (&Run{}).heard(tt.ev)
		if got := strings.Join([]string{kind, prefix, text}, "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.ev.Kind, got, tt.want)
		}
	}
}
