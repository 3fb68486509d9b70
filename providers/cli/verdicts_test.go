package cli

import (
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestDecoders_notBelieved holds which ends are no success, and why: what a CLI says last
// does not undo what it has said before.
func TestDecoders_notBelieved(t *testing.T) {
	t.Parallel()
	const (
		failed    = `{"type":"turn.failed","error":{"message":"no model"}}` + "\n"
		completed = `{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}` + "\n"
		started   = `{"type":"turn.started"}` + "\n"
		broken    = `{"type":"error","sessionID":"s","error":{"name":"APIError","data":{"message":"no model"}}}` + "\n"
		stop      = `{"type":"step_finish","sessionID":"s","part":{"reason":"stop"}}` + "\n"
	)
	for _, c := range []struct{ form, output, reason string }{
		{"claude", `{"type":"result","subtype":"success","is_error":false}`, ""},
		{"claude", `{"type":"result","subtype":"success","is_error":"true"}`, `is_error is "true"`},
		{"claude", `{"type":"result","subtype":"success","is_error":"false"}`, `is_error is "false"`},
		{"claude", `{"type":"result","subtype":"success","is_error":1}`, "is_error is 1"},
		{"claude", `{"type":"result","subtype":"success","is_error":null}`, "is_error is null"},
		{"claude", `{"type":"result","subtype":"success"}`, "without is_error"},
		{"qwen", `{"type":"result","subtype":"success","is_error":false}`, ""},
		{"qwen", `{"type":"result","subtype":"success","is_error":1}`, "is_error is 1"},
		{"opencode", stop, ""},
		{"opencode", broken + stop, "no model"},
		{"opencode", stop + broken, "no model"},
		{"opencode", `{"type":"step_finish","sessionID":"s","part":{"reason":"tool-calls"}}` + "\n" + broken + stop, "no model"},
		{"codex", started + completed, ""},
		{"codex", started + failed + completed, "no model"},
		{"codex", started + failed + started + completed, ""},
		{"codex", started + completed + failed, "no model"},
		{"codex", started + completed + started, "no end of the turn"},
		{"copilot", `{"type":"result","sessionId":"s","exitCode":0}`, ""},
		{"copilot", `{"type":"result","sessionId":"s","exitCode":"1"}`, "exit code 0"},
	} {
		_, v := decode(forms()[c.form](providers.Invocation{}), c.output, providers.Exit{})
		assert.Equal(t, c.reason == "", v.OK, "%s: %s: ok", c.form, c.output)
		assert.Contains(t, v.Reason, c.reason, "%s: %s: ok", c.form, c.output)
	}
}

// TestDecoders_withoutLogin: what a CLI says on stderr before it begins is a reason after which asking again cannot help; the same
// on stdout may be the agent's.
func TestDecoders_withoutLogin(t *testing.T) {
	t.Parallel()
	for form, words := range map[string]string{
		"copilot": "Error: No authentication information found.", "gemini": "Please set an Auth method in your settings",
		"codex": "unexpected status 401 Unauthorized", "opencode": "Error: invalid api key",
	} {
		d := forms()[form](providers.Invocation{})
		d.(providers.StderrListener).Stderr(words)
		v := d.Finish(providers.Exit{Code: 1})
		assert.True(t, v.Refused, "%s: %s", form, v.Reason)
		assert.Contains(t, v.Reason, words)
		_, v = decode(forms()[form](providers.Invocation{}), words+"\n", providers.Exit{Code: 1})
		assert.False(t, v.Refused, "%s: %s", form, v.Reason)
	}
}
