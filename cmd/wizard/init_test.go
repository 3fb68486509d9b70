package wizard

import (
	"errors"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/setup"
	"chant/providers/cli"

	"github.com/alecthomas/assert/v2"
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
			[]string{"3", "m1", "1", "0", "test -e x", "1", "2", "7", "0", "1", "1", "2", "3", "0", "1", "y"},
			setup.InitInput{Provider: "shell", Model: "m1", Verify: []string{"test -e x"}, Agents: []string{"claude", "kiro"}, GitIgnore: true, Hooks: true, Rules: true},
			`chant init --provider shell --model m1 --verify "test -e x" --agent claude --agent kiro --gitignore --hooks --rules`,
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
		assert.NoError(t, err, "%s: %s", name, out.String())
		assert.Equal(t, c.want, in, "%s: %s", name, out.String())
		assert.Equal(t, c.step, InitStep(in).String(), "%s", name)
	}
}

// TestInit_left: no is no, and so is an input that ends.
func TestInit_left(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{nil, {"1"}, {"1", "", "0", "", "0", "1", "0", "1", "n"}} {
		var out strings.Builder
		var failure *engine.Error
		_, err := Init(t.Context(), answers(&out, lines...), surveyed(t.TempDir()))
		assert.True(t, errors.As(err, &failure), "%q: %v", lines, err)
		assert.Equal(t, engine.Canceled, failure.Code, "%q", lines)
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
		assert.Equal(t, c.want, firstUsable(c.providers), "%s", name)
	}
}

func TestAboutAgent(t *testing.T) {
	t.Parallel()
	p := surveyed("").Providers
	for i, want := range []string{"not installed: no claude on PATH", "installed, logged in (CODEX_API_KEY)", "runs the script in a spec, without a model"} {
		assert.Equal(t, want, aboutAgent(p[i]))
	}
	assert.Equal(t, "chant asks this model itself; no login found", aboutAgent(setup.Provider{Name: "openai", Installed: true, Login: cli.NoLogin}))
}
