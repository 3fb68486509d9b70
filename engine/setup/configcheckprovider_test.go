package setup

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// Any answer of a server counts as success.
func TestCheckConfig_endpoints(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("a key was shown")
		}
		w.WriteHeader(http.StatusTeapot)
	}))
	defer up.Close()
	down := httptest.NewServer(nil)
	down.Close()
	r := check(t, "---\ndefaults: {provider: up, model: m}\nproviders:\n  up: {api: openai, endpoint: "+up.URL+", key_env: KEY}\n  keyless: {api: anthropic, endpoint: "+up.URL+", key_env: NONE}\n  down: {api: ollama, endpoint: '"+down.URL+"'}\n  small: {api: ollama, context: 100}\nparallel: {agents: [{provider: keyless}]}\n---\n", "PATH=/nowhere", "KEY=x")
	var got []string
	for _, f := range r.Findings {
		got = append(got, fmt.Sprintf("%d %s", f.Line, f.Rule))
	}
	if want := "6 unreachable_endpoint, 7 bad_value, 8 missing_variable"; strings.Join(got, ", ") != want || r.Errors != 3 {
		t.Errorf("%+v, want %s", r.Findings, want)
	}
}

// A spec that names a provider with invalid settings is not reported for a missing provider.
func TestCheckConfig_faultyProvider(t *testing.T) {
	t.Parallel()
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: shell}\nproviders: {mine: {api: opanai}}\n---\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-001-aaa.md", "---\nstatus: pending\nprovider: mine\n---\n# A\n")
	r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
	if err != nil || len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Message, `unknown api "opanai"`) {
		t.Errorf("%+v, %v", r.Findings, err)
	}
}

// An invalid name of a provider is reported once, with its line.
func TestCheckConfig_providerName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "../x", "A/B", "-x", ".hid"} {
		_, dir := initialized(t)
		enginetest.Write(t, dir, ".chant/config.md", fmt.Sprintf("---\ndefaults:\n  provider: %q\nparallel:\n  agents:\n  - provider: shell\n  - provider: %q\n---\n", name, name))
		enginetest.Write(t, dir, ".chant/specs/2026-01-01-001-aaa.md", fmt.Sprintf("---\nstatus: pending\nprovider: %q\n---\n# A\n", name))
		r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, fmt.Sprintf("%s:%d %s", f.ID, f.Line, f.Message))
		}
		said := fmt.Sprintf("provider %q has no valid name", name)
		if want := []string{":3 " + said, ":7 " + said, "2026-01-01-001-aaa:3 " + said}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// All mistakes in a provider's file are reported at once, each with its line.
func TestCheckConfig_providerFile(t *testing.T) {
	t.Parallel()
	for file, want := range map[string][]string{
		"command: sh\nevents: morse\nmcp: nope\nargs:\n- \"{{nope}} {{also}}\"\n- [\"{{also}}\"]\nprompt: here\nendpoint: ftp://x\nenv:\n  A=B: x\n  CHANT_X: \"{{third}}\"\npass:\n- C=D\n- E=F\n": {
			`3 events "morse" is none of`, `4 mcp "nope" is none of`, `6 unknown placeholder "{{nope}}"`, `6 unknown placeholder "{{also}}"`, `7 unknown placeholder "{{also}}"`,
			`8 prompt: "here" is neither stdin nor file`, `9 endpoint: invalid URL "ftp://x"`, `11 env: invalid environment variable name "A=B"`, "12 env: chant itself sets CHANT_X",
			`14 pass: invalid environment variable name "C=D"`, `15 pass: invalid environment variable name "E=F"`,
		},
		"command: [a]\nevents: morse\n":                     {"2 command: a list is not a text", `3 events "morse"`},
		"like: [a]\nmcp: nope\n":                            {"2 like: a list is not a text", `3 mcp "nope"`},
		"like: nobody\nmcp: nope\n":                         {`2 like: no provider "nobody"`, `3 mcp "nope"`},
		"events: nope\nmcp: nope\n":                         {"1 command is missing", `2 events "nope"`, `3 mcp "nope"`},
		"like: codex\ncommand: sh\nresume: [\"{{x|y}}\"]\n": {`4 unknown placeholder "{{x|y}}"`},
		"command: no-such-agent\nmcp: nope\n":               {`2 provider "mine": program "no-such-agent" not found`, `3 mcp "nope"`},
		"like: nobody\ncommand: no-agent\n":                 {`2 like: no provider "nobody"`, `3 provider "mine": program "no-agent" not found`},
	} {
		_, dir := initialized(t)
		enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: shell}\n---\n")
		enginetest.Write(t, dir, ".chant/providers/mine.md", "---\n"+file+"---\n")
		r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range r.Findings {
			if got := fmt.Sprintf("%d %s", f.Line, f.Message); i >= len(want) || !strings.HasPrefix(got, want[i]) || f.Path != ".chant/providers/mine.md" {
				t.Errorf("%s: finding %d is %s", file, i, got)
			}
		}
		if len(r.Findings) != len(want) {
			t.Errorf("%s: %d findings, want %d", file, len(r.Findings), len(want))
		}
	}
}
