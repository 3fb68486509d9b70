package loop

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadConfig(t *testing.T) {
	t.Parallel()
	good := Config{API: Ollama, Model: "small", Worktree: t.TempDir(), Session: filepath.Join(t.TempDir(), "s")}
	minus := -1
	for want, change := range map[string]func(*Config){
		"": func(*Config) {},
		`api: invalid value "gemini" (one of openai`:                     func(c *Config) { c.API = "gemini" },
		`endpoint: invalid URL "localhost:1"`:                            func(c *Config) { c.Endpoint = "localhost:1" },
		`endpoint: invalid URL "ftp://x"`:                                func(c *Config) { c.Endpoint = "ftp://x" },
		"model: missing":                                                 func(c *Config) { c.Model = "" },
		"worktree and session:":                                          func(c *Config) { c.Worktree = "here" },
		"max_turns: must be at least 0, not -1":                          func(c *Config) { c.MaxTurns = -1 },
		"max_retries: must be at least 0, not -1":                        func(c *Config) { c.MaxRetries = &minus },
		"context: 100 tokens are too few":                                func(c *Config) { c.Context = 100 },
		"context: 4096 tokens are too few; an answer needs 4000 of them": func(c *Config) { c.Context, c.MaxTokens = 4096, 4000 },
	} {
		c := good
		change(&c)
		src, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write(t, dir, "loop.json", string(src))
		_, err = ReadConfig(filepath.Join(dir, "loop.json"))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), "loop.json: "+want) {
			t.Errorf("%q: %v", want, err)
		}
		if err == nil || strings.HasPrefix(want, "worktree and session") { // which are no settings
			continue
		}
		field, _, _ := strings.Cut(want, ":")
		if wrong, ok := errors.AsType[*FieldError](err); !ok || wrong.Field != field || !strings.Contains(err.Error(), wrong.Error()) {
			t.Errorf("%q: the field is not named in %#v", want, err)
		}
	}
}

func TestConfig_defaults(t *testing.T) {
	t.Parallel()
	for api, want := range map[string]string{
		OpenAI: "https://api.openai.com/v1", Ollama: "http://127.0.0.1:11434", Anthropic: "https://api.anthropic.com",
	} {
		if got := (Config{API: api}).withDefaults().Endpoint; got != want {
			t.Errorf("%s: %q", api, got)
		}
	}
	for endpoint, want := range map[string]string{"http://h:1/v1/": "http://h:1", "http://h:1": "http://h:1", "https://h/x": "https://h/x"} {
		if got := (Config{API: Ollama, Endpoint: endpoint}).withDefaults().Endpoint; got != want {
			t.Errorf("%s: %q", endpoint, got)
		}
	}
}

// TestAgent_noKey: a key that is named and missing is reported before anything is sent.
func TestAgent_noKey(t *testing.T) {
	t.Parallel()
	s := serve(t, Anthropic)
	a, out := agentFor(t, s)
	a.Environ = []string{"TEST_KEY="}
	if err := a.Run(context.Background(), "Go."); err == nil || err.Error() != `key_env: variable "TEST_KEY" is not set` || len(s.sent()) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
