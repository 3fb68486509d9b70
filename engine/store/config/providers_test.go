package config

import (
	"strings"
	"testing"
	"time"

	"chant/providers/cli"

	"github.com/alecthomas/assert/v2"
)

func TestReadConfig_providers(t *testing.T) {
	t.Parallel()
	read := func(section string) (*Config, error) {
		home := t.TempDir()
		writeSettings(t, home, "---\nproviders:\n  "+section+"\n---\n")
		return ReadConfig(home, nil)
	}
	c, err := read("mine: {api: openai, endpoint: 'http://h:1/v1', key_env: K, max_turns: 3, context: 4096, max_tokens: 500, max_retries: 0, retry_delay_ms: 1500}\n  other: {}\n  ollama: {max_retries: 3}")
	assert.NoError(t, err)
	zero := 0
	got, ok := c.Providers.Loop("mine")
	want := cli.Loop{Name: "mine", API: "openai", Endpoint: "http://h:1/v1", KeyEnv: "K", MaxTurns: 3, Context: 4096, MaxTokens: 500, RetryDelay: int(1500 * time.Millisecond / time.Millisecond), MaxRetries: &zero}
	assert.True(t, ok, "%+v", got)
	assert.Equal(t, 0, *got.MaxRetries, "%+v", got)
	got.MaxRetries = want.MaxRetries
	assert.True(t, got == want, "%+v, want %+v", got, want)
	for name, api := range map[string]string{"ollama": "ollama", "anthropic": "anthropic", "other": "", "claude": ""} {
		l, ok := c.Providers.Loop(name)
		assert.Equal(t, api != "", ok, "%s", name)
		assert.Equal(t, api, l.API, "%s", name)
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
		_, err := read(section)
		assert.Error(t, err, "%s", section)
		assert.Contains(t, err.Error(), want, "%s", section)
	}
}

// TestReadProvider_variables: which names and values are refused, with their line.
func TestReadProvider_variables(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"env: {A: b, C_1: ''}":              "",
		"pass: [A, B_*, '*', npm_config_x]": "",
		"pass: A":                           "",
		"env:\n  A: b\n  B: \"x\\0y\"":      `m.md:4: env: the value of B has a NUL`,
		"env:\n  \"A=B\": c":                `m.md:3: env: invalid environment variable name "A=B"`,
		"env:\n  A: b\n  CHANT_SPEC_ID: y":  "m.md:4: env: chant itself sets CHANT_SPEC_ID for each run",
		"pass:\n  - A\n  - A=B":             `m.md:4: pass: invalid environment variable name "A=B"`,
		"pass: ['*X']":                      `m.md:2: pass: invalid environment variable name "*X"`,
		"pass: ['A*B']":                     `m.md:2: pass: invalid environment variable name "A*B"`,
		"pass: ['']":                        `m.md:2: pass: invalid environment variable name ""`,
		"pass: 'A B'":                       `m.md:2: pass: invalid environment variable name "A B"`,
	} {
		_, err := ReadProvider("m.md", []byte("---\n"+front+"\n---\n"))
		assert.False(t, want == "" && err != nil, "%s: %v, want %q", front, err, want)
		assert.False(t, want != "" && (err == nil || !strings.Contains(err.Error(), want)), "%s: %v, want %q", front, err, want)
	}
}
