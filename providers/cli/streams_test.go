package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/providers"
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
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded sessions of %s: %v", form, err)
	}
	out := map[string]string{}
	for _, file := range files {
		out[strings.TrimSuffix(filepath.Base(file), ".jsonl")] = file
	}
	return out
}

func readTruth(t *testing.T, file string) truth {
	t.Helper()
	src, err := os.ReadFile(strings.TrimSuffix(file, ".jsonl") + ".usage.json")
	if err != nil {
		t.Fatal(err)
	}
	var s truth
	if err := json.Unmarshal(src, &s); err != nil {
		t.Fatal(err)
	}
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
				if err != nil {
					t.Fatal(err)
				}
				d := forms()[form](providers.Invocation{MCP: &providers.MCPServer{}, RunID: "run"})
				events, verdict := decode(d, string(src), readTruth(t, file).exit())
				for i := range events {
					events[i].Text = shortened(events[i].Text)
				}
				got, err := json.MarshalIndent(map[string]any{"events": events, "verdict": verdict}, "", "  ")
				if err != nil {
					t.Fatal(err)
				}
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
			if err != nil {
				t.Fatal(err)
			}
			want := readTruth(t, file)
			_, v := decode(forms()[form](providers.Invocation{}), string(src), want.exit())
			switch {
			case form == "copilot":
				if v.Usage != nil || v.CostUSD != nil {
					t.Errorf("%s/%s: usage %+v, which its CLI does not tell", form, name, v.Usage)
				}
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
			if err != nil {
				t.Fatal(err)
			}
			_, v := decode(forms()[form](providers.Invocation{}), string(src), readTruth(t, file).exit())
			want := name == "ok" || name == "denied" || name == "retry" || name == "mcp_denied" || name == "mcp_failed" && form != "codex" || name == "asked" && form == "copilot"
			if v.OK != want || v.OK == (v.Reason != "") {
				t.Errorf("%s/%s: ok %v, reason %q", form, name, v.OK, v.Reason)
			}
			if name == "api401" && !strings.Contains(v.Reason, "401") {
				t.Errorf("%s/%s: reason %q", form, name, v.Reason)
			}
			if v.SessionID == "" && len(src) > 0 && form != "copilot" {
				t.Errorf("%s/%s: no session", form, name)
			}
		}
	}
}

// FuzzDecoders holds that no output breaks a decoder, or makes a success of nothing.
func FuzzDecoders(f *testing.F) {
	for _, form := range clis() {
		files, _ := filepath.Glob(filepath.Join("testdata", "streams", form, "*.jsonl"))
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
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
				if e.Kind == "" || e.Kind == providers.Spending && e.Spent == nil {
					t.Errorf("event %+v", e)
				}
			}
			if v.OK == (v.Reason != "") {
				t.Errorf("ok %v with reason %q", v.OK, v.Reason)
			}
			if v.OK && !strings.Contains(output, "{") {
				t.Errorf("success out of %q", output)
			}
		}
	})
}
