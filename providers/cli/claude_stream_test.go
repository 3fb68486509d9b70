package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// decode runs a whole output through a decoder.
func decode(d providers.Decoder, output string, exit providers.Exit) ([]providers.Event, providers.Verdict) {
	var events []providers.Event
	for line := range strings.Lines(output) {
		events = append(events, d.Line([]byte(strings.TrimSuffix(line, "\n")))...)
	}
	return events, d.Finish(exit)
}

// TestClaudeDecoder_recorded compares the events and the verdict of recorded
// sessions with the golden file beside each.
func TestClaudeDecoder_recorded(t *testing.T) {
	t.Parallel()
	exits := map[string]int{"api_error": 1, "max_turns": 1, "retry": 1}
	files, err := filepath.Glob("testdata/claude/*.jsonl")
	assert.NoError(t, err, "no recorded sessions")
	assert.NotEqual(t, 0, len(files), "no recorded sessions")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recorded, err := os.ReadFile(file)
			assert.NoError(t, err)
			d := &claudeDecoder{wantMCP: name == "mcp_failed"}
			events, verdict := decode(d, string(recorded), providers.Exit{Code: exits[name]})
			got, err := json.MarshalIndent(map[string]any{"events": events, "verdict": verdict}, "", "  ")
			assert.NoError(t, err)
			golden(t, strings.TrimSuffix(file, "jsonl")+"golden.json", append(got, '\n'))
		})
	}
}

// golden compares with a file, or writes it when UPDATE is set.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		assert.NoError(t, os.WriteFile(file, got, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	assert.NoError(t, err)
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	assert.Equal(t, want, got, "%s: got", file)
}

func TestClaudeDecoder_verdict(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		output string
		stderr string
		exit   providers.Exit
		ok     bool
		reason string
	}{
		"type last in the result": {
			output: `{"is_error":false,"result":"fine","type":"result"}`,
			ok:     true,
		},
		"exit code 0 but is_error": {
			output: `{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"}`,
			reason: "aborted_tools",
		},
		"subtype success but is_error": {
			output: `{"type":"result","subtype":"success","is_error":true,"api_error_status":401}`,
			exit:   providers.Exit{Code: 1},
			reason: "the model's API does not accept the key or login (API error 401)",
		},
		"is_error without a word": {
			output: `{"type":"result","subtype":"error_new","is_error":true}`,
			reason: `result event of subtype "error_new"`,
		},
		"errors are objects": {
			output: `{"type":"result","is_error":true,"errors":["one",{"code":2}]}`,
			reason: `one; {"code":2}`,
		},
		"is_error missing": {
			output: `{"type":"result","subtype":"success","result":"fine"}`,
			reason: "result event without is_error",
		},
		"field of an unknown shape": {
			output: `{"type":"result","num_turns":"three","is_error":false}`,
			ok:     true,
		},
		"stream cut": {
			output: `{"type":"system","subtype":"init","session_id":"s","model":"m"}` + "\n" + `{"type":"resu`,
			exit:   providers.Exit{Code: 143, Signal: "terminated"},
			reason: `no result event, ended by signal "terminated": {"type":"resu`,
		},
		"only stderr": {
			stderr: "Invalid API key",
			exit:   providers.Exit{Code: 1},
			reason: "no result event, exit code 1: Invalid API key",
		},
		"garbage around the result": {
			output: "warning: x\n\x00\xff{]\n[1]\n\"type\"\nnull\n" + `{"type":"result","is_error":false}` + "\nbye",
			ok:     true,
		},
		"later result wins": {
			output: `{"type":"result","is_error":false}` + "\n" + `{"type":"result","is_error":true,"result":"no"}`,
			reason: "no",
		},
		"nothing": {reason: "no result event, exit code 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &claudeDecoder{}
			d.Stderr(tt.stderr)
			_, v := decode(d, tt.output, tt.exit)
			assert.Equal(t, tt.ok, v.OK)
			assert.Equal(t, tt.reason, v.Reason)
		})
	}
}

func TestClaudeDecoder_usage(t *testing.T) {
	t.Parallel()
	_, v := decode(&claudeDecoder{}, `{"type":"result","is_error":false,"total_cost_usd":0.25,"num_turns":3,`+
		`"usage":{"input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":7,"output_tokens":5},`+
		`"permission_denials":[{"tool_name":"WebFetch"},{"tool_name":"Bash"},{"tool_name":"WebFetch"}]}`, providers.Exit{})
	assert.NotZero(t, v.Usage)
	assert.Equal(t, providers.Usage{Input: 100, CachedInput: 7, CacheWrites: 20, Output: 5}, *v.Usage)
	assert.NotZero(t, v.CostUSD)
	assert.Equal(t, 0.25, *v.CostUSD)
	assert.Equal(t, 3, v.Turns)
	assert.Equal(t, "Bash WebFetch", strings.Join(v.Denied, " "))
}

func TestClaudeDecoder_serverNotListed(t *testing.T) {
	t.Parallel()
	for status, servers := range map[string]string{
		"not listed": `[{"name":"other","status":"connected"}]`,
		"pending":    `[{"name":"chant","status":"pending"}]`,
		"":           `[{"name":"chant","status":"connected"}]`,
	} {
		events, _ := decode(&claudeDecoder{wantMCP: true},
			`{"mcp_servers":`+servers+`,"type":"system","subtype":"init"}`, providers.Exit{})
		said := ""
		for _, event := range events {
			if event.Kind == providers.Denied {
				said = event.Text
			}
		}
		assert.False(t, status == "" && said != "", "servers %s: %q", servers, said)
		assert.HasSuffix(t, said, status, "servers %s", servers)
	}
}

// FuzzClaudeDecoder holds that no output breaks the decoder, and that it never
// reports success without a result event that says so.
func FuzzClaudeDecoder(f *testing.F) {
	files, _ := filepath.Glob("testdata/claude/*.jsonl")
	for _, file := range files {
		recorded, err := os.ReadFile(file)
		assert.NoError(f, err)
		f.Add(string(recorded))
	}
	f.Add("{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":[null]}]}}\n\xff\xfe")
	f.Fuzz(func(t *testing.T, output string) {
		events, v := decode(&claudeDecoder{wantMCP: true}, output, providers.Exit{})
		for _, event := range events {
			assert.True(t, utf8.ValidString(event.Text), "event is not UTF-8: %+v", event)
			assert.True(t, utf8.ValidString(event.Tool), "event is not UTF-8: %+v", event)
		}
		assert.NotEqual(t, v.Reason != "", v.OK)
		assert.True(t, utf8.ValidString(v.Reason), "ok %v with reason %q", v.OK, v.Reason)
		assert.False(t, v.OK && !strings.Contains(strings.ToLower(output), "is_error"), "success out of %q", output)
	})
}
