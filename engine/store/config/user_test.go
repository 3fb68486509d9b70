package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// write writes the files of a case below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func TestReadConfig_whatCounts(t *testing.T) {
	t.Parallel()
	home, xdg := t.TempDir(), t.TempDir()
	write(t, xdg, map[string]string{"chant/config.md": "---\ndefaults: {provider: codex, model: big}\nparallel: {max_concurrent: 3, agents: [{provider: codex}]}\n" +
		"providers:\n  mine: {api: openai, endpoint: \"http://127.0.0.1:1/v1\"}\nrepos: [{name: web, path: /src/web}]\n---\n"})
	write(t, home, map[string]string{
		".chant/config.md": "---\ndefaults: {provider: claude}\nproviders:\n  other: {api: ollama}\n---\n",
		".chant/agents.md": "---\nparallel:\n  agents: [{name: work, provider: claude}, {name: home, provider: claude}]\n---\n",
	})
	c, err := ReadConfig(home, []string{"XDG_CONFIG_HOME=" + xdg})
	assert.NoError(t, err)
	assert.Equal(t, "claude", c.Defaults.Provider)
	assert.Equal(t, "big", c.Defaults.Model)
	assert.Equal(t, 3, c.Parallel.MaxConcurrent)
	assert.Equal(t, 2, len(c.Parallel.Agents))
	assert.Equal(t, 2, len(c.Providers))
	assert.Equal(t, ReposConfig{{Name: "web", Path: "/src/web", Line: 5}}, c.Repos)
	user := filepath.Join(xdg, "chant", "config.md")
	for keys, want := range map[[2]string]string{
		{"defaults", "provider"}: ".chant/config.md:2", {"defaults", "model"}: user + ":2", {"defaults", "prompt"}: "",
		{"parallel", "agents"}: ".chant/agents.md:3", {"parallel", "max_concurrent"}: user + ":3", {"providers", "mine"}: user + ":5", {"providers", "other"}: ".chant/config.md:4",
	} {
		assert.Equal(t, want, c.Source(keys[:]...), "%v", keys)
	}
}

func TestReadConfig_userMalformed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ user, agents, want string }{
		"not YAML":          {"---\ndefaults: [\n---\n", "", "chant/config.md:"},
		"a wrong value":     {"---\ndefaults:\n  rotation_strategy: whirl\n---\n", "", "chant/config.md:3: "},
		"a gate":            {"---\nwork: {bell: false}\napproval: {require_approval_for_agent_work: false}\n---\n", "", "chant/config.md:3: approval is a setting of a project, for its .chant/config.md"},
		"a relative path":   {"---\nrepos: [{name: web, path: web}]\n---\n", "", `chant/config.md:2: repos: path "web" of "web" is neither absolute nor below ~/`},
		"two of one name":   {"---\nrepos: [{name: web, path: /a}, {name: web, path: /b}]\n---\n", "", `chant/config.md:2: repos: a second repository is called "web"`},
		"agents: more":      {"", "---\nparallel:\n  max_concurrent: 2\n---\n", ".chant/agents.md:3: parallel.max_concurrent is a setting of a project"},
		"agents: elsewhere": {"", "---\nverify: {defaults: ['true']}\n---\n", ".chant/agents.md:2: verify is a setting of a project"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, xdg := t.TempDir(), t.TempDir()
			files := map[string]string{".chant/config.md": "---\ndefaults: {provider: shell}\n---\n"}
			if c.agents != "" {
				files[".chant/agents.md"] = c.agents
			}
			write(t, home, files)
			if c.user != "" {
				write(t, xdg, map[string]string{"chant/config.md": c.user})
			}
			environ := []string{"XDG_CONFIG_HOME=" + xdg}
			_, err := ReadConfig(home, environ)
			assert.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			// The check reads what fits, and reports the rest.
			lenient, err := ReadWhatFits(home, environ)
			assert.NoError(t, err)
			assert.Equal(t, "shell", lenient.Defaults.Provider)
			assert.Equal(t, 1, len(lenient.Layers()))
			assert.True(t, lenient.Layers()[0].Broken != nil || len(lenient.Layers()[0].Faults) > 0)
		})
	}
}
