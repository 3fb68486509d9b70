package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestConfig_defaultsAndLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeSettings(t, dir, "---\nproject: {name: x}\nlimits:\n  time: 90s\n  silence: 0\nnonsense: 1\n---\n")
	c, err := ReadConfig(dir)
	if err != nil || time.Duration(c.Limits.Time) != 90*time.Second || time.Duration(c.Limits.Check) != 10*time.Minute || c.Defaults.Provider != "claude" {
		t.Errorf("%+v, %v", c, err)
	}
	if len(c.Faults) != 1 || c.Faults[0].Key != "nonsense" {
		t.Errorf("unknown keys %+v", c.Faults)
	}
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
		_, err := ReadConfig(home)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// writeSettings writes the config.md of a project.
func writeSettings(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, ".chant"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".chant", "config.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
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
		if _, ok := rules[name]; !ok {
			t.Errorf("no rule is called %q", name)
		}
	}
	for name := range rules {
		if !named[name] {
			t.Errorf("no setting has the rule %q", name)
		}
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
