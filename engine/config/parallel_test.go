package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		if err := os.Mkdir(filepath.Join(home, ".chant"), 0o755); err != nil {
			t.Fatal(err)
		}
		src := "---\nparallel:\n  agents: [" + text + "]\n---\n"
		if err := os.WriteFile(filepath.Join(home, ".chant", "config.md"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadConfig(home)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
