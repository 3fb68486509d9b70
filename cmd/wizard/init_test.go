package wizard

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/setup"
	"chant/providers/cli"
)

// surveyed is what a machine with codex has.
func surveyed(home string) setup.SurveyResult {
	return setup.SurveyResult{
		Home: home, Commands: []string{"make check"}, CI: "github",
		Providers: []setup.Provider{
			{Name: "claude", Program: "claude", Login: cli.NoLogin},
			{Name: "codex", Program: "codex", Installed: true, Login: cli.LoggedIn, Sign: "CODEX_API_KEY"},
			{Name: "shell", Installed: true, Login: cli.NeedsNoKey},
		},
	}
}

// TestInit asks in plain lines. The agents that are installed come first.
func TestInit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  setup.InitInput
		step  string
	}{
		"what is proposed": {
			[]string{"1", "", "0", "", "0", "1", "0", "2", "y"},
			setup.InitInput{Provider: "codex", Verify: []string{"make check"}, Agents: []string{"codex"}, CI: "github"},
			`chant init --provider codex --verify "make check" --agent codex --ci github`,
		},
		"something else": {
			[]string{"3", "m1", "1", "0", "test -e x", "1", "2", "7", "0", "1", "1", "2", "0", "1", "y"},
			setup.InitInput{Provider: "shell", Model: "m1", Verify: []string{"test -e x"}, Agents: []string{"claude", "kiro"}, GitIgnore: true, Hooks: true},
			`chant init --provider shell --model m1 --verify "test -e x" --agent claude --agent kiro --gitignore --hooks`,
		},
		"specs of this machine, without a question about CI": {
			[]string{"1", "", "1", "0", "", "0", "2", "0", "y"},
			setup.InitInput{Provider: "codex", Agents: []string{"codex"}, Silent: true},
			"chant init --provider codex --agent codex --silent",
		},
	} {
		var out strings.Builder
		in, err := Init(t.Context(), answers(&out, c.lines...), surveyed(t.TempDir()))
		if len(in.Verify) == 0 { // nil and empty are the same
			in.Verify = nil
		}
		if len(in.Agents) == 0 {
			in.Agents = nil
		}
		if err != nil || !reflect.DeepEqual(in, c.want) {
			t.Errorf("%s: %+v, %v\n%s", name, in, err, out.String())
		}
		if got := InitStep(in).String(); got != c.step {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestInit_left: no is no, and so is an input that ends.
func TestInit_left(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{nil, {"1"}, {"1", "", "0", "", "0", "1", "0", "1", "n"}} {
		var out strings.Builder
		var failure *engine.Error
		if _, err := Init(t.Context(), answers(&out, lines...), surveyed(t.TempDir())); !errors.As(err, &failure) || failure.Code != engine.Canceled {
			t.Errorf("%q: %v", lines, err)
		}
	}
}

func TestFirstUsable(t *testing.T) {
	t.Parallel()
	all := surveyed("").Providers
	installed := func(p setup.Provider) setup.Provider { p.Installed = true; return p }
	for name, c := range map[string]struct {
		providers []setup.Provider
		want      string
	}{
		"the one that is installed":    {all, "codex"},
		"none":                         {all[:1], "claude"},
		"a login before the order":     {[]setup.Provider{installed(all[0]), all[1]}, "codex"},
		"without a login, still there": {[]setup.Provider{installed(all[0]), all[2]}, "claude"},
	} {
		if got := firstUsable(c.providers); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestAboutAgent(t *testing.T) {
	t.Parallel()
	p := surveyed("").Providers
	for i, want := range []string{"not installed: no claude on PATH", "installed, logged in (CODEX_API_KEY)", "runs the script in a spec, without a model"} {
		if got := aboutAgent(p[i]); got != want {
			t.Errorf("%q", got)
		}
	}
	if got := aboutAgent(setup.Provider{Name: "openai", Installed: true, Login: cli.NoLogin}); got != "chant asks this model itself; no login found" {
		t.Errorf("%q", got)
	}
}
