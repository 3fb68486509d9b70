package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/providers/cli"
)

func TestReadConfig_providers(t *testing.T) {
	t.Parallel()
	read := func(section string) (*Config, error) {
		home := t.TempDir()
		if err := os.Mkdir(filepath.Join(home, ".chant"), 0o755); err != nil {
			t.Fatal(err)
		}
		src := "---\nproviders:\n  " + section + "\n---\n"
		if err := os.WriteFile(filepath.Join(home, ".chant", "config.md"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		return ReadConfig(home)
	}
	c, err := read("mine: {api: openai, endpoint: 'http://h:1/v1', key_env: K, max_turns: 3, context: 4096, max_tokens: 500, max_retries: 0, retry_delay_ms: 1500}\n  other: {}\n  ollama: {max_retries: 3}")
	if err != nil {
		t.Fatal(err)
	}
	zero := 0
	got, ok := c.Providers.Loop("mine")
	want := cli.Loop{Name: "mine", API: "openai", Endpoint: "http://h:1/v1", KeyEnv: "K", MaxTurns: 3, Context: 4096, MaxTokens: 500, RetryDelay: int(1500 * time.Millisecond / time.Millisecond), MaxRetries: &zero}
	if !ok || *got.MaxRetries != 0 {
		t.Errorf("%+v", got)
	}
	if got.MaxRetries = want.MaxRetries; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for name, api := range map[string]string{"ollama": "ollama", "anthropic": "anthropic", "other": "", "claude": ""} {
		if l, ok := c.Providers.Loop(name); ok != (api != "") || l.API != api {
			t.Errorf("%s: %+v, %v", name, l, ok)
		}
	}
	for section, want := range map[string]string{
		"mine: {api: gemini}":            `config.md:3: unknown api "gemini"`,
		"mine: {endpoint: localhost:1}":  `config.md:3: invalid URL "localhost:1"`,
		"mine: {endpoint: 'ftp://h'}":    `config.md:3: invalid URL "ftp://h"`,
		"mine: {key_env: sk-123}":        "config.md:3: key_env is the name of a variable",
		"mine: {key_env: 1K}":            "config.md:3: key_env",
		"mine: {max_turns: -1}":          `config.md:3: "-1" is not a whole number from 0`,
		"mine: {api: '', endpoint: '' }": `config.md:3: unknown api ""`,
	} {
		if _, err := read(section); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", section, err, want)
		}
	}
}
