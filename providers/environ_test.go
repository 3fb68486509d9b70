package providers

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/providers/secret"

	"github.com/alecthomas/assert/v2"
)

// TestAgentEnv looks at what an agent gets, and what it does not.
func TestAgentEnv(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "tree")
	in := Invocation{
		SpecID: "2026-11-20-001-abc", SpecFile: "/spec.md", Worktree: dir, Branch: "chant/abc", PromptFile: "/prompt.md",
		Project: "demo", Attempt: 2, Timeout: 90 * time.Second, RunID: "run-1", Pass: []string{"KEPT", "MULTI*"},
	}
	in.Environ = []string{
		"PATH=/bin", "KEPT=yes", "LC_ALL=C",
		"CHANT_SPEC_ID=outer", "CHANT_RUN_ID=outer", "CHANT_LINEAGE=outer",
		"CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_CODE_SESSION_ID=s", "CLAUDE_CODE_SSE_PORT=1",
		"GEMINI_CLI=1", "OPENCODE=1", "QWEN_CODE=1", "COPILOT_AGENT_SESSION_ID=s",
		"GIT_DIR=/elsewhere", "GIT_INDEX_FILE=/elsewhere/index",
		"CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_OAUTH_TOKEN=t", "GIT_AUTHOR_NAME=Ann", "SSH_AUTH_SOCK=/s",
		"GITHUB_TOKEN=secret", "CHANT_MCP_TOKEN=secret", "AWS_SECRET_ACCESS_KEY=secret", "SOMETHING=else",
		"MULTI=a=b", "MULTIPLE=c", "not a variable",
	}
	in.Extra = []string{"EXTRA=1", "EXTRA=2", "CHANT_ATTEMPT=7", "CHANT_RUN_ID=stolen"}
	got := AgentEnv(in, []string{"OWN=1", "KEPT=no"}, "CLAUDE_*")
	for _, want := range []string{
		"CHANT_SPEC_ID=" + in.SpecID, "CHANT_SPEC_FILE=" + in.SpecFile, "CHANT_WORKTREE=1",
		"CHANT_WORKTREE_PATH=" + in.Worktree, "CHANT_BRANCH=" + in.Branch, "CHANT_PROMPT_FILE=" + in.PromptFile,
		"CHANT_ATTEMPT=7", "CHANT_TIMEOUT=90", "CHANT_PROJECT=demo", "CHANT_RUN_ID=run-1",
		"GIT_CEILING_DIRECTORIES=" + filepath.Dir(in.Worktree), "PWD=" + in.Worktree,
		"PATH=/bin", "LC_ALL=C", "CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_OAUTH_TOKEN=t", "GIT_AUTHOR_NAME=Ann", "SSH_AUTH_SOCK=/s",
		"MULTI=a=b", "MULTIPLE=c", "EXTRA=2", "KEPT=no", "OWN=1",
	} {
		assert.SliceContains(t, got, want, "agent has no")
	}
	for _, entry := range got {
		key, value, _ := strings.Cut(entry, "=")
		assert.False(t, describesParent(key) && key != RunIDKey && key != LineageKey, "agent has %s", entry)
		assert.NotContains(t, value, "outer", "agent has %s", entry)
		assert.NotContains(t, value, "secret", "agent has %s", entry)
		assert.NotEqual(t, "SOMETHING", key, "agent has %s", entry)
	}
}

// TestAgentEnv_secretSettings: an agent gets the settings of git that a person has given, without secrets.
func TestAgentEnv_secretSettings(t *testing.T) {
	t.Parallel()
	environ := []string{
		"GIT_CONFIG_COUNT=4", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Ann",
		"GIT_CONFIG_KEY_1=http.extraHeader", "GIT_CONFIG_VALUE_1=Authorization: Bearer s3cret",
		"GIT_CONFIG_KEY_2=url.https://ann:s3cret@example.com/.insteadOf", "GIT_CONFIG_VALUE_2=https://example.com/",
		"GIT_CONFIG_KEY_3=core.abbrev", "GIT_CONFIG_VALUE_3=9", "GIT_CONFIG_VALUE_4=s3cret",
	}
	got := AgentEnv(Invocation{Environ: environ}, nil)
	assert.NotContains(t, strings.Join(got, "\n"), "s3cret")
	for _, want := range []string{
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Ann", "GIT_CONFIG_KEY_1=core.abbrev", "GIT_CONFIG_VALUE_1=9",
	} {
		assert.SliceContains(t, got, want)
	}
	assert.Equal(t, []string{"A=1"}, WithoutSecretSettings([]string{"A=1"}))
	assert.Equal(t, []string{"GIT_CONFIG_COUNT=many"}, WithoutSecretSettings([]string{"GIT_CONFIG_COUNT=many", "GIT_CONFIG_VALUE_0=s3cret"}))
}

// TestEveryday holds that nothing which everybody gets is a secret by its name, and that
// what finds a version of node or Python is among it.
func TestEveryday(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(Everyday(), agentVariables()) {
		assert.False(t, secret.Named(strings.TrimRight(name, "*")), "%s is called a secret", name)
	}
	for _, name := range []string{"FNM_DIR", "PYENV_VERSION", "MISE_DATA_DIR", "PLAYWRIGHT_BROWSERS_PATH", "SDKMAN_DIR"} {
		assert.True(t, NameAmong(name, Everyday()), "%s is not given to every program", name)
	}
	for _, name := range []string{"MISE_GITHUB_TOKEN", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL"} {
		assert.False(t, NameAmong(name, slices.Concat(Everyday(), agentVariables())), "%s, which can hold a login, is given to everybody", name)
	}
}

// TestLineage proves that a start within an agent continues its lineage.
func TestLineage(t *testing.T) {
	t.Parallel()
	c := command(t, "echo $CHANT_LINEAGE")
	c.Env = append(c.Env, LineageKey+"=outer")
	r, err := RunCommand(context.Background(), c)
	assert.NoError(t, err)
	assert.True(t, isDescendant(strings.TrimSpace(r.Tail), "outer"), "lineage %q, %v", r.Tail, err)
	assert.NotEqual(t, "outer\n", r.Tail)
	for lineage, want := range map[string]bool{"a": true, "a.b": true, "ab": false, "b.a": false, "": false} {
		assert.Equal(t, want, isDescendant(lineage, "a"), "descends( %v)", !want)
	}
}

func TestLastWins(t *testing.T) {
	t.Parallel()
	got := keepLastOfEachKey([]string{"A=1", "B=2", "A=3", "C=", "B=2"})
	assert.Equal(t, []string{"A=3", "C=", "B=2"}, got)
}
