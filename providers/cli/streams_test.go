package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// truth is what the model of a recorded session reported of its usage, and how the
// process ended.
type truth struct {
	Input       int    `json:"input"`
	CachedInput int    `json:"cached_input"`
	CacheWrites int    `json:"cache_write"`
	Output      int    `json:"output"`
	Turns       int    `json:"turns"`
	Exit        int    `json:"exit"`
	Signal      string `json:"signal"`
}

func (s truth) exit() providers.Exit {
	if s.Signal != "" {
		return providers.Exit{Code: 128, Signal: s.Signal}
	}
	return providers.Exit{Code: s.Exit}
}

// recorded are the sessions of one CLI, by scenario.
func recorded(t *testing.T, form string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "streams", form, "*.jsonl"))
	assert.NoError(t, err, "no recorded sessions of %s", form)
	assert.NotEqual(t, 0, len(files), "no recorded sessions of %s", form)
	out := map[string]string{}
	for _, file := range files {
		out[strings.TrimSuffix(filepath.Base(file), ".jsonl")] = file
	}
	return out
}

func readTruth(t *testing.T, file string) truth {
	t.Helper()
	src, err := os.ReadFile(strings.TrimSuffix(file, ".jsonl") + ".usage.json")
	assert.NoError(t, err)
	var s truth
	assert.NoError(t, json.Unmarshal(src, &s))
	return s
}

// TestStreams_golden compares the events and the verdict of every recorded session with
// the golden file beside it.
func TestStreams_golden(t *testing.T) {
	t.Parallel()
	for _, form := range clis() {
		for name, file := range recorded(t, form) {
			t.Run(form+"/"+name, func(t *testing.T) {
				t.Parallel()
				src, err := os.ReadFile(file)
				assert.NoError(t, err)
				d := forms()[form](providers.Invocation{MCP: &providers.MCPServer{}, RunID: "run"})
				events, verdict := decode(d, string(src), readTruth(t, file).exit())
				for i := range events {
					events[i].Text = shortened(events[i].Text)
				}
				got, err := json.MarshalIndent(map[string]any{"events": events, "verdict": verdict}, "", "  ")
				assert.NoError(t, err)
				golden(t, strings.TrimSuffix(file, "jsonl")+"golden.json", append(got, '\n'))
			})
		}
	}
}

func shortened(text string) string {
	if len(text) > 200 {
		return strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}

// clis are the forms that a CLI of others speaks.
func clis() []string { return []string{"claude", "codex", "copilot", "gemini", "opencode", "qwen"} }

// TestStreams_usage holds that what a session that came to its end has used is right to
// the token: what the model reported, not what the stream claims.
func TestStreams_usage(t *testing.T) {
	t.Parallel()
	for _, form := range clis() {
		for name, file := range recorded(t, form) {
			src, err := os.ReadFile(file)
			assert.NoError(t, err)
			want := readTruth(t, file)
			_, v := decode(forms()[form](providers.Invocation{}), string(src), want.exit())
			switch {
			case form == "copilot":
				assert.Zero(t, v.Usage, "%s/%s: usage", form, name)
				assert.Zero(t, v.CostUSD, "%s/%s: usage", form, name)
			case !v.OK: // its report is incomplete then
			case v.Usage == nil || *v.Usage != (providers.Usage{Input: want.Input, CachedInput: want.CachedInput, CacheWrites: want.CacheWrites, Output: want.Output}):
				t.Errorf("%s/%s: usage %+v, want %+v", form, name, v.Usage, want)
			}
			// Side questions of a CLI, and a call that its sandbox has swallowed, are not reported.
			if quiet := form == "qwen" || form == "codex"; v.OK && (v.Turns < 1 || v.Turns > want.Turns || v.Turns != want.Turns && !quiet) {
				t.Errorf("%s/%s: %d turns, want %d", form, name, v.Turns, want.Turns)
			}
		}
	}
}

// TestStreams_verdicts holds which sessions have succeeded, and that the reason of the
// others is reported.
func TestStreams_verdicts(t *testing.T) {
	t.Parallel()
	for _, form := range clis() {
		for name, file := range recorded(t, form) {
			src, err := os.ReadFile(file)
			assert.NoError(t, err)
			_, v := decode(forms()[form](providers.Invocation{}), string(src), readTruth(t, file).exit())
			want := name == "ok" || name == "denied" || name == "retry" || name == "mcp_denied" || name == "mcp_failed" && form != "codex" || name == "asked" && form == "copilot"
			assert.Equal(t, want, v.OK, "%s/%s: ok", form, name)
			assert.NotEqual(t, v.Reason != "", v.OK, "%s/%s: ok", form, name)
			assert.False(t, name == "api401" && !strings.Contains(v.Reason, "401"), "%s/%s: reason %q", form, name, v.Reason)
			assert.False(t, v.SessionID == "" && len(src) > 0 && form != "copilot", "%s/%s: no session", form, name)
		}
	}
}

// FuzzDecoders holds that no output breaks a decoder, or makes a success of nothing.
func FuzzDecoders(f *testing.F) {
	for _, form := range clis() {
		files, _ := filepath.Glob(filepath.Join("testdata", "streams", form, "*.jsonl"))
		for _, file := range files {
			src, err := os.ReadFile(file)
			assert.NoError(f, err)
			f.Add(form, string(src))
		}
	}
	f.Fuzz(func(t *testing.T, form, output string) {
		for _, name := range clis() {
			if form != name {
				continue
			}
			events, v := decode(forms()[form](providers.Invocation{MCP: &providers.MCPServer{}}), output, providers.Exit{})
			for _, e := range events {
				assert.NotEqual(t, "", e.Kind)
				assert.False(t, e.Kind == providers.Spending && e.Spent == nil, "event %+v", e)
			}
			assert.NotEqual(t, v.Reason != "", v.OK)
			assert.False(t, v.OK && !strings.Contains(output, "{"), "success out of %q", output)
		}
	})
}
