package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// realCLI is an agent CLI as a person has it: the program, their settings, and the
// models of their provider.
type realCLI struct {
	name   string
	module string // the program, below the modules of the npm folder; "" = chant itself
	model  string // as --model takes it
	// settings are the files in their home, and env what they have set besides; both
	// may be nil. URL is that of the model's API, and replaces URL in project.
	settings func(url string) map[string]string
	env      func(url string) []string
	private  bool   // in /tmp it is another: see folder
	project  string // what the project's settings say of it
	words    vocabulary
}

func realCLIs() []realCLI {
	return []realCLI{
		claudeCLI(), codexCLI(), opencodeCLI(), geminiCLI(), qwenCLI(), copilotCLI(),
		ourLoop("openai", "/v1"), ourLoop("ollama", ""), ourLoop("anthropic", ""),
	}
}

func claudeCLI() realCLI {
	return realCLI{
		name: "claude", module: "@anthropic-ai/claude-code-linux-x64/claude", model: "m",
		env: func(url string) []string {
			// Ten attempts with growing pauses are the default, also with a wrong key.
			return []string{"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=dummy-key-of-tests", "CLAUDE_CODE_MAX_RETRIES=0"}
		},
		words: claudeWords(),
	}
}

func codexCLI() realCLI {
	return realCLI{
		name: "codex", module: "codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", model: "m", private: true,
		settings: func(url string) map[string]string {
			return map[string]string{".codex/config.toml": fmt.Sprintf(`model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "%s/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 1
`, url)}
		},
		env:   func(string) []string { return []string{"OPENAI_API_KEY=dummy-key-of-tests"} },
		words: codexWords(),
	}
}

func opencodeCLI() realCLI {
	return realCLI{
		name: "opencode", module: "opencode-linux-x64/bin/opencode", model: "fake/m",
		settings: func(url string) map[string]string {
			return map[string]string{".config/opencode/opencode.json": fmt.Sprintf(`{
	"model": "fake/m", "small_model": "fake/m", "enabled_providers": ["fake"],
	"provider": {"fake": {
		"npm": "@ai-sdk/openai-compatible",
		"options": {"baseURL": "%s/v1", "apiKey": "dummy-key-of-tests"},
		"models": {"m": {"name": "M", "tool_call": true, "limit": {"context": 200000, "output": 8192}}}
	}}
}`, url)}
		},
		env: func(string) []string {
			return []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1"}
		},
		words: opencodeWords(),
	}
}

func geminiCLI() realCLI {
	return realCLI{
		name: "gemini", module: ".bin/gemini", model: "m", private: true,
		settings: func(string) map[string]string {
			// Ten attempts with growing pauses are the default. How to log in is left to
			// chant: with the address of another API gemini would choose a way of its own.
			return map[string]string{".gemini/settings.json": `{"general": {"maxAttempts": 1}}`}
		},
		env: func(url string) []string {
			return []string{"GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_API_KEY=dummy-key-of-tests"}
		},
		words: geminiWords(),
	}
}

func qwenCLI() realCLI {
	return realCLI{
		name: "qwen", module: "@qwen-code/qwen-code/cli-entry.js", model: "m",
		settings: func(string) map[string]string {
			return map[string]string{".qwen/settings.json": `{
	"security": {"auth": {"selectedType": "openai"}},
	"model": {"generationConfig": {"maxRetries": 0}},
	"privacy": {"usageStatisticsEnabled": false},
	"general": {"enableAutoUpdate": false}
}`}
		},
		env: func(url string) []string {
			return []string{"OPENAI_BASE_URL=" + url + "/v1", "OPENAI_API_KEY=dummy-key-of-tests", "OPENAI_MODEL=m"}
		},
		words: qwenWords(),
	}
}

func copilotCLI() realCLI {
	return realCLI{
		name: "copilot", module: "@github/copilot-linux-x64/copilot", model: "m",
		env: func(url string) []string {
			return []string{
				"COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_MODEL=m",
				"COPILOT_PROVIDER_API_KEY=dummy-key-of-tests", "COPILOT_OFFLINE=true",
			}
		},
		words: copilotWords(),
	}
}

// ourLoop is the agent that chant is itself, before one API.
func ourLoop(api, below string) realCLI {
	return realCLI{
		name: api, model: "m", project: fmt.Sprintf("providers: {%s: {endpoint: %q, max_retries: 0}}", api, "URL"+below),
		env: func(string) []string {
			return []string{"OPENAI_API_KEY=dummy-key-of-tests", "ANTHROPIC_API_KEY=dummy-key-of-tests"}
		},
		words: loopWords(),
	}
}

// find returns the absolute path of the program, "" for chant itself, or skips the test. The npm folder
// goes before PATH: the versions there are those that the tests were written for.
func (c realCLI) find(t testing.TB) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripted model speaks POSIX paths and sh")
	}
	if c.name != "claude" && c.name != "openai" {
		forRelease(t, "providers, the sandbox or mcp")
	}
	if c.module == "" {
		return ""
	}
	if modules := npmModules(); modules != "" {
		path := filepath.Join(modules, filepath.FromSlash(c.module))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	path, err := exec.LookPath(c.name)
	if err != nil {
		t.Skipf("no %s: neither below %s nor on PATH (.ci/run installs it there)", c.name, npmFolder)
	}
	return absolute(t, path)
}

// npmModules is the folder of modules below the npm folder, "" without one.
func npmModules() string {
	top := os.Getenv(npmFolder)
	if top == "" {
		return ""
	}
	if path, err := filepath.Abs(filepath.Join(top, "node_modules")); err == nil {
		return path
	}
	return ""
}

func absolute(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	assert.NoError(t, err)
	return path
}
