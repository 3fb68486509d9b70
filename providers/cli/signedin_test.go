package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestLoginOf finds logins by variables and by files, and says honestly where none can be found.
func TestLoginOf(t *testing.T) {
	t.Parallel()
	hidden := NoLogin
	if runtime.GOOS == "darwin" {
		hidden = NotKnown // in the keychain
	}
	for name, c := range map[string]struct {
		provider string
		environ  []string
		file     string // below home
		text     string
		want     LoginState
		sign     string // a variable, or the file below home
	}{
		"claude, nothing":                {provider: "claude", want: hidden},
		"claude, a key":                  {provider: "claude", environ: []string{"ANTHROPIC_API_KEY=k"}, want: LoggedIn, sign: "ANTHROPIC_API_KEY"},
		"claude, a key that is empty":    {provider: "claude", environ: []string{"ANTHROPIC_API_KEY="}, want: hidden},
		"claude, a cloud":                {provider: "claude", environ: []string{"CLAUDE_CODE_USE_BEDROCK=1"}, want: LoggedIn, sign: "CLAUDE_CODE_USE_BEDROCK"},
		"claude, a cloud switched off":   {provider: "claude", environ: []string{"CLAUDE_CODE_USE_BEDROCK=0"}, want: hidden},
		"claude, its file":               {provider: "claude", file: ".claude/.credentials.json", text: `{"a": 1}`, want: LoggedIn, sign: ".claude/.credentials.json"},
		"claude, its file, empty":        {provider: "claude", file: ".claude/.credentials.json", text: "{}\n", want: hidden},
		"claude, an account":             {provider: "claude", file: ".claude.json", text: `{"oauthAccount": {}}`, want: LoggedIn, sign: ".claude.json"},
		"claude, settings, no account":   {provider: "claude", file: ".claude.json", text: `{"theme": "dark"}`, want: hidden},
		"codex, its file":                {provider: "codex", file: ".codex/auth.json", text: `{"a": 1}`, want: LoggedIn, sign: ".codex/auth.json"},
		"codex, nothing":                 {provider: "codex", want: NoLogin},
		"gemini, its file":               {provider: "gemini", file: ".gemini/oauth_creds.json", text: `{"a": 1}`, want: LoggedIn, sign: ".gemini/oauth_creds.json"},
		"opencode, its file":             {provider: "opencode", file: ".local/share/opencode/auth.json", text: `{"a": 1}`, want: LoggedIn, sign: ".local/share/opencode/auth.json"},
		"qwen, nothing":                  {provider: "qwen", want: NoLogin},
		"copilot, nothing to be seen":    {provider: "copilot", want: NotKnown},
		"copilot, a token":               {provider: "copilot", environ: []string{"GH_TOKEN=t"}, want: LoggedIn, sign: "GH_TOKEN"},
		"cursor, nothing to be seen":     {provider: "cursor", want: NotKnown},
		"kiro, nothing to be seen":       {provider: "kiro", want: NotKnown},
		"openai, no key":                 {provider: "openai", want: NoLogin},
		"anthropic, a key":               {provider: "anthropic", environ: []string{"ANTHROPIC_API_KEY=k"}, want: LoggedIn, sign: "ANTHROPIC_API_KEY"},
		"ollama":                         {provider: "ollama", want: NeedsNoKey},
		"shell":                          {provider: "shell", want: NeedsNoKey},
		"a provider that is not one":     {provider: "x", want: NotKnown},
		"a folder in place of the file":  {provider: "codex", file: ".codex/auth.json/x", text: "y", want: NoLogin},
		"another home, absolute":         {provider: "codex", environ: []string{"CODEX_HOME=/nonexistent"}, file: ".codex/auth.json", text: `{"a": 1}`, want: NoLogin},
		"the last value of two counts":   {provider: "codex", environ: []string{"CODEX_API_KEY=", "CODEX_API_KEY=k"}, want: LoggedIn, sign: "CODEX_API_KEY"},
		"the home is not known at first": {provider: "codex", environ: []string{"HOME="}, want: NoLogin},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			if c.file != "" {
				path := filepath.Join(home, filepath.FromSlash(c.file))
				assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				assert.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			}
			sign := c.sign
			if c.file != "" && sign != "" {
				sign = filepath.Join(home, filepath.FromSlash(sign))
			}
			state, got := LoginOf(c.provider, append([]string{"HOME=" + home}, c.environ...))
			assert.Equal(t, c.want, state)
			assert.Equal(t, sign, got)
		})
	}
}

// TestSigns_reachTheAgent: a variable that counts as a login is one that the agent gets.
func TestSigns_reachTheAgent(t *testing.T) {
	t.Parallel()
	for _, d := range catalog() {
		assert.NotEqual(t, 0, len(d.Signs.Variables), "%s has no sign of a login", d.Name)
		for _, name := range d.Signs.Variables {
			if !slices.ContainsFunc(d.Pass, func(pattern string) bool { ok, err := filepath.Match(pattern, name); return ok && err == nil }) {
				t.Errorf("%s: %s shows a login, and is not passed on", d.Name, name)
			}
		}
	}
}

func TestInstalledIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(dir, "codex"), []byte("#!/bin/sh\n"), 0o755))
	environ := []string{"PATH=" + dir}
	for name, want := range map[string]bool{"codex": runtime.GOOS != "windows", "claude": false, "shell": true, "ollama": true, "x": false} {
		assert.Equal(t, want, InstalledIn(name, dir, environ), "%s", name)
	}
}
