package providers

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chant/providers/secret"

	"github.com/alecthomas/assert/v2"
)

// leaky is a decoder that puts what its CLI says into every field there is.
type leaky struct{ said string }

func (d *leaky) Line(line []byte) []Event {
	d.said = string(line)
	return []Event{
		{Kind: Init, Session: d.said, Text: d.said}, {Kind: ToolCall, Tool: d.said, Text: d.said}, {Kind: Denied, Tool: d.said},
		{Kind: Spending, Spent: &Spent{Model: d.said, Turns: 1}},
	}
}

func (d *leaky) Finish(Exit) Verdict {
	return Verdict{Reason: "no\n" + d.said, Model: d.said, SessionID: d.said, Text: d.said, Denied: []string{d.said, d.said}}
}

// TestRun_secrets holds that nothing which leaves a run has a secret in it, and that white
// space is folded afterwards: two spaces belong to this one.
func TestRun_secrets(t *testing.T) {
	t.Parallel()
	var r recording
	l := agent(t, "echo 'x two  spaces  1SECRET y'")
	l.Secrets, l.NewDecoder = secret.From("THE_KEY=two  spaces  1SECRET"), func() Decoder { return &leaky{} }
	o, err := Run(context.Background(), l, Limits{}, r.watch())
	assert.NoError(t, err)
	all, err := json.Marshal([]any{r.events, o})
	assert.NoError(t, err)
	assert.NotContains(t, string(all), "SECRET")
	assert.True(t, strings.Count(string(all), "[THE_KEY redacted]") >= 11, "%s", all)
	assert.Equal(t, "no x [THE_KEY redacted] y", o.Reason, "reason %q", o.Denied)
	assert.Equal(t, 1, len(o.Denied), "reason %q", o.Denied)
}

// TestRun_secretsCut holds that of a secret that lies where an output is cut nothing
// stays: where the end of it all begins, and where a line is too long.
func TestRun_secretsCut(t *testing.T) {
	t.Parallel()
	const key = "SECRET1abcdefghijklmnop"
	for name, script := range map[string]string{
		"end of all":  `printf %s ` + key + `; head -c 65526 /dev/zero | tr '\0' A`,
		"end of line": `head -c 16777206 /dev/zero | tr '\0' A; printf %s ` + key,
	} {
		var r recording
		l := agent(t, script)
		l.Secrets = secret.From("THE_KEY=" + key)
		o, err := Run(context.Background(), l, Limits{}, r.watch())
		assert.NoError(t, err)
		said := r.texts(Output) + o.Text
		assert.False(t, strings.ContainsAny(o.Text, "ghijklmnop"), "%s: %.40q … %q", name, o.Text, said[max(0, len(said)-80):])
		assert.NotContains(t, said, "SECRET1", "%s: %q", name, said[max(0, len(said)-80):])
	}
}
