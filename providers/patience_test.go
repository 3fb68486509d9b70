package providers

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// retrying is a decoder whose CLI names the kind of its event first in a line.
type retrying struct{}

func (retrying) Line(line []byte) []Event {
	kind, text, _ := strings.Cut(string(line), ":")
	return []Event{{Kind: Kind(kind), Text: text}}
}

func (retrying) Stderr(line string) []Event {
	if text, found := strings.CutPrefix(line, "again:"); found {
		return []Event{{Kind: Retry, Text: text}}
	}
	return nil
}

func (retrying) Finish(Exit) Verdict { return Verdict{OK: true} }

// TestRun_unanswered ends agents that ask a model's API again and again without an answer, and no others.
func TestRun_unanswered(t *testing.T) {
	t.Parallel()
	const ended = "the model's API has not answered for 1ms: once more"
	for name, tt := range map[string]struct {
		script, reason string
		limit          time.Duration
		own            bool
	}{
		"asks again":                    {"echo retry:once; echo 'retry:once more'; sleep 600", ended, time.Millisecond, false},
		"says so on stderr":             {"echo 'again:once more' >&2; sleep 600", ended, time.Millisecond, false},
		"warnings are no answer":        {"echo 'retry:once more'; echo stderr:x; echo denied:x; sleep 600", ended, time.Millisecond, false},
		"an answer breaks off":          {"echo text:x; echo 'retry:once more'; sleep 600", ended, time.Millisecond, false},
		"an answer in time":             {"echo retry:once; echo text:x; echo tool_call:x; echo retry:beside it", "", time.Hour, false},
		"a tool works, a side asks":     {"echo tool_call:x; echo retry:once; sleep 0.1", "", time.Millisecond, false},
		"without a limit":               {"echo retry:once; sleep 0.1", "", 0, false},
		"the project limits it, not we": {"echo retry:once; sleep 0.1", "", time.Millisecond, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := agent(t, tt.script)
			l.NewDecoder, l.OwnRetries = func() Decoder { return retrying{} }, tt.own
			o, err := Run(context.Background(), l, Limits{Answer: tt.limit}, Watch{})
			assert.NoError(t, err)
			assert.Equal(t, tt.reason == "", o.OK)
			assert.NotEqual(t, o.OK, o.Unanswered)
			assert.False(t, o.Reason != tt.reason && o.Reason != strings.TrimSuffix(tt.reason, " more"), "got %+v, %v; want reason %q", o, err, tt.reason)
		})
	}
}
