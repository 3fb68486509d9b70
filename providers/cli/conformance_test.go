package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// ready is an invocation that every provider can prepare: its program is there, and what
// a login wants is set.
func ready(t *testing.T, name string) providers.Invocation {
	t.Helper()
	program := "chant"
	if d, ok := BuiltIn(name); ok {
		program = d.Command
	}
	in := invocation(t, program)
	in.Script, in.Chant, in.Sessions = "true", "/bin/chant", in.StateDir
	in.MCP = &providers.MCPServer{Command: "/bin/chant", Args: []string{"mcp"}}
	in.GitDir, in.Common = in.Home+"/.git/worktrees/abc", in.Home+"/.git"
	in.Environ = append(in.Environ, "HOME="+in.Home, "OPENAI_API_KEY=key-of-openai", "ANTHROPIC_API_KEY=key-of-anthropic", "GEMINI_API_KEY=key-of-gemini",
		"CLAUDECODE=1", "AWS_SECRET_ACCESS_KEY=key-of-aws", "GITLAB_TOKEN=key-of-gitlab", "RANDOM_THING=x")
	write(t, in.PromptFile, "The words of the prompt.\n", 0o600)
	return in
}

func prepare(t *testing.T, p providers.Provider, in providers.Invocation) providers.Launch {
	t.Helper()
	l, err := p.Prepare(in)
	assert.NoError(t, err, "%s", p.Name())
	return l
}

// TestProviders_conform holds what every provider has to do, whatever its CLI is.
func TestProviders_conform(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, in := must(t, name), ready(t, name)
			l := prepare(t, p, in)
			everything := strings.Join(l.Args, " ")
			assert.True(t, filepath.IsAbs(l.Path), "launch %+v", l)
			assert.Equal(t, in.Worktree, l.Dir)
			assert.True(t, l.NewDecoder != nil, "launch %+v", l)
			assert.NotContains(t, everything, "The words of the prompt", "the prompt is an argument")
			if name != ShellName && l.Stdin != in.PromptFile && !strings.Contains(everything, in.PromptFile) {
				t.Errorf("nothing leads to the prompt: stdin %q, %s", l.Stdin, everything)
			}
			assert.NotContains(t, everything, "key-of-", "a secret is an argument")
			for _, entry := range l.Env {
				if key, _, _ := strings.Cut(entry, "="); slices.Contains([]string{"CLAUDECODE", "AWS_SECRET_ACCESS_KEY", "GITLAB_TOKEN", "RANDOM_THING"}, key) && name != "kiro" {
					t.Errorf("it gets %s", key)
				}
			}
			assert.SliceContains(t, l.Env, "CHANT_SPEC_ID="+in.SpecID, "it does not know its run")
			assert.SliceContains(t, l.Env, "CHANT_RUN_ID="+in.RunID, "it does not know its run")
			onlyState(t, in)
		})
	}
}

// onlyState checks that nothing was written but to the state folder, and there for the
// owner alone.
func onlyState(t *testing.T, in providers.Invocation) {
	t.Helper()
	entries, _ := os.ReadDir(in.Worktree)
	assert.Zero(t, entries, "worktree holds %v", entries)
	entries, err := os.ReadDir(in.StateDir)
	assert.NoError(t, err)
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v, %v", entry.Name(), info.Mode(), err)
		}
	}
}

// TestProviders_missing holds that a program that is not there is named, before anything
// is made of it.
func TestProviders_missing(t *testing.T) {
	t.Parallel()
	for _, d := range catalog() {
		in := ready(t, d.Name)
		in.Environ = []string{"PATH=" + in.StateDir}
		var missing *providers.MissingError
		_, err := must(t, d.Name).Prepare(in)
		assert.True(t, errors.As(err, &missing), "%s: %v", d.Name, err)
		assert.Equal(t, d.Command, missing.Binary)
		assert.Equal(t, d.Name, missing.Provider)
	}
}

// TestProviders_sessions checks that a provider that can resume a session passes it to its
// CLI, and that all others refuse.
func TestProviders_sessions(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		p, in := must(t, name), ready(t, name)
		in.Session = "session-42"
		if c, ok := p.(providers.Continuer); !ok || !c.CanResume() {
			var config *providers.ConfigError
			_, err := p.Prepare(in)
			assert.False(t, name != ShellName && !errors.As(err, &config), "%s: %v", name, err)
			continue
		}
		l := prepare(t, p, in)
		told := strings.Contains(strings.Join(l.Args, " "), in.Session)
		if _, isLoop := p.(looper); isLoop {
			config, err := os.ReadFile(filepath.Join(in.StateDir, "loop.json"))
			told = err == nil && strings.Contains(string(config), in.Session)
		}
		assert.True(t, told, "%s: %q does not name the session", name, l.Args)
		argv, env := p.(providers.Continuer).ByHand(in)
		assert.False(t, argv != nil && !strings.Contains(strings.Join(argv, " "), in.Session), "%s: by hand %q, %q", name, argv, env)
		assert.Zero(t, env, "%s: by hand %q", name, env)
	}
}

// TestProviders_readOnly holds that an agent that may only read is started otherwise.
func TestProviders_readOnly(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		p, in := must(t, name), ready(t, name)
		in.MCP = nil
		before := prepare(t, p, in)
		config := stateOf(t, in)
		in.ReadOnly = true
		l := prepare(t, p, in)
		same := slices.Equal(l.Args, before.Args) && slices.Equal(l.Env, before.Env) && stateOf(t, in) == config
		held := name != ShellName && name != "kiro"
		assert.NotEqual(t, held, same, "%s: held to reading is %v", name, !same)
	}
}

// stateOf is all that a provider has written.
func stateOf(t *testing.T, in providers.Invocation) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(in.StateDir, "*"))
	assert.NoError(t, err)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		assert.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}

// TestDecoders_conform holds what every decoder has to do with an output that is none
// of its CLI's.
func TestDecoders_conform(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		l := prepare(t, must(t, name), ready(t, name))
		events, v := decode(l.NewDecoder(), "what is this\n{\"type\":\"something.new\"}\n[1]\n\x00\xff{\n\n", providers.Exit{Code: 3})
		assert.False(t, v.OK, "%s: ok %v, reason %q", name, v.OK, v.Reason)
		assert.NotEqual(t, "", v.Reason, "%s: ok", name)
		assert.True(t, slices.ContainsFunc(events, func(e providers.Event) bool {
			return e.Kind == providers.Output && strings.Contains(e.Text, "what is this")
		}), "%s: a line of no protocol is lost: %+v", name, events)
		listener, ok := l.NewDecoder().(providers.StderrListener)
		if !ok {
			t.Errorf("%s: it does not hear what stderr says", name)
			continue
		}
		listener.Stderr("the reason on stderr")
		assert.Contains(t, listener.(providers.Decoder).Finish(providers.Exit{Code: 3}).Reason, "the reason on stderr", "%s: reason", name)
	}
}
