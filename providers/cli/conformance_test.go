package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/providers"
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
	if err != nil {
		t.Fatalf("%s: %s", p.Name(), err)
	}
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
			if !filepath.IsAbs(l.Path) || l.Dir != in.Worktree || l.NewDecoder == nil {
				t.Errorf("launch %+v", l)
			}
			if strings.Contains(everything, "The words of the prompt") {
				t.Errorf("the prompt is an argument: %s", everything)
			}
			if name != ShellName && l.Stdin != in.PromptFile && !strings.Contains(everything, in.PromptFile) {
				t.Errorf("nothing leads to the prompt: stdin %q, %s", l.Stdin, everything)
			}
			if strings.Contains(everything, "key-of-") {
				t.Errorf("a secret is an argument: %s", everything)
			}
			for _, entry := range l.Env {
				if key, _, _ := strings.Cut(entry, "="); slices.Contains([]string{"CLAUDECODE", "AWS_SECRET_ACCESS_KEY", "GITLAB_TOKEN", "RANDOM_THING"}, key) && name != "kiro" {
					t.Errorf("it gets %s", key)
				}
			}
			if !slices.Contains(l.Env, "CHANT_SPEC_ID="+in.SpecID) || !slices.Contains(l.Env, "CHANT_RUN_ID="+in.RunID) {
				t.Error("it does not know its run")
			}
			onlyState(t, in)
		})
	}
}

// onlyState checks that nothing was written but to the state folder, and there for the
// owner alone.
func onlyState(t *testing.T, in providers.Invocation) {
	t.Helper()
	if entries, _ := os.ReadDir(in.Worktree); len(entries) != 0 {
		t.Errorf("worktree holds %v", entries)
	}
	entries, err := os.ReadDir(in.StateDir)
	if err != nil {
		t.Fatal(err)
	}
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
		if _, err := must(t, d.Name).Prepare(in); !errors.As(err, &missing) || missing.Binary != d.Command || missing.Provider != d.Name {
			t.Errorf("%s: %v", d.Name, err)
		}
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
			if _, err := p.Prepare(in); name != ShellName && !errors.As(err, &config) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		l := prepare(t, p, in)
		told := strings.Contains(strings.Join(l.Args, " "), in.Session)
		if _, isLoop := p.(looper); isLoop {
			config, err := os.ReadFile(filepath.Join(in.StateDir, "loop.json"))
			told = err == nil && strings.Contains(string(config), in.Session)
		}
		if !told {
			t.Errorf("%s: %q does not name the session", name, l.Args)
		}
		if argv, env := p.(providers.Continuer).ByHand(in); argv != nil && !strings.Contains(strings.Join(argv, " "), in.Session) || len(env) > 0 {
			t.Errorf("%s: by hand %q, %q", name, argv, env)
		}
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
		if held := name != ShellName && name != "kiro"; same == held {
			t.Errorf("%s: held to reading is %v, want %v", name, !same, held)
		}
	}
}

// stateOf is all that a provider has written.
func stateOf(t *testing.T, in providers.Invocation) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(in.StateDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
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
		if v.OK || v.Reason == "" {
			t.Errorf("%s: ok %v, reason %q", name, v.OK, v.Reason)
		}
		if !slices.ContainsFunc(events, func(e providers.Event) bool {
			return e.Kind == providers.Output && strings.Contains(e.Text, "what is this")
		}) {
			t.Errorf("%s: a line of no protocol is lost: %+v", name, events)
		}
		listener, ok := l.NewDecoder().(providers.StderrListener)
		if !ok {
			t.Errorf("%s: it does not hear what stderr says", name)
			continue
		}
		listener.Stderr("the reason on stderr")
		if v := listener.(providers.Decoder).Finish(providers.Exit{Code: 3}); !strings.Contains(v.Reason, "the reason on stderr") {
			t.Errorf("%s: reason %q", name, v.Reason)
		}
	}
}
