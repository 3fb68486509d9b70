package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestConfig_defaultsAndLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeSettings(t, dir, "---\nproject: {name: x}\nlimits:\n  time: 90s\n  silence: 0\nnonsense: 1\n---\n")
	c, err := ReadConfig(dir, nil)
	assert.NoError(t, err)
	assert.Equal(t, 90*time.Second, time.Duration(c.Limits.Time))
	assert.Equal(t, 10*time.Minute, time.Duration(c.Limits.Check))
	assert.Equal(t, "claude", c.Defaults.Provider)
	assert.Equal(t, 1, len(c.Faults))
	assert.Equal(t, "nonsense", c.Faults[0].Key)
}

func TestReadConfig_agents(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{name: a, provider: claude, weight: 100}": "",
		"{name: a, provider: claude, weight: 101}": `agent "a" weighs more than 100`,
		"{name: a}":                                       `agent "a" names neither a provider nor a command`,
		"{name: a, provider: x, command: y}":              `agent "a" names both a provider and a command`,
		"{name: a, provider: x}, {name: a, provider: y}":  `a second agent is called "a"`,
		"{name: a, provider: claude, max_concurrent: -1}": `config.md:3: "-1" is not a whole number from 0`,
	} {
		home := t.TempDir()
		writeSettings(t, home, "---\nparallel:\n  agents: ["+text+"]\n---\n")
		_, err := ReadConfig(home, nil)
		assert.False(t, want == "" && err != nil, "%s: got %v, want %q", text, err, want)
		assert.False(t, want != "" && (err == nil || !strings.Contains(err.Error(), want)), "%s: got %v, want %q", text, err, want)
	}
}

// writeSettings writes the config.md of a project.
func writeSettings(t *testing.T, dir, text string) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(filepath.Join(dir, ".chant"), 0o755))
	assert.NoError(t, os.WriteFile(filepath.Join(dir, ".chant", "config.md"), []byte(text), 0o644))
}

// TestRules: every rule that a setting names exists, and a setting names every rule.
func TestRules(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for _, of := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[ProviderFields]()} {
		rulesOf(of, named)
	}
	rules := Rules()
	for name := range named {
		_, ok := rules[name]
		assert.True(t, ok, "no rule is called %q", name)
	}
	for name := range rules {
		assert.True(t, named[name], "no setting has the rule %q", name)
	}
}

// rulesOf lists the rules that the fields of a type name.
func rulesOf(of reflect.Type, into map[string]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		rulesOf(of.Elem(), into)
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			if f.Tag.Get("rule") != "" {
				into[f.Tag.Get("rule")] = true
			} else if f.Tag.Get("yaml") != "" {
				rulesOf(f.Type, into)
			}
		}
	}
}
