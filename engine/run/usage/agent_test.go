package usage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/prompt/library"
	"chant/engine/run/usage"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// project opens a project with these settings and files.
func project(t *testing.T, settings string, files map[string]string) *engine.Project {
	t.Helper()
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\n"+settings+"---\n")
	for name, text := range files {
		enginetest.Write(t, dir, ".chant/"+name, text)
	}
	p, err := engine.Open(dir, enginetest.Options())
	assert.NoError(t, err)
	return p
}

const usual = "defaults: {provider: shell, prompt: standard, model: small, main_branch: main}\n"

// TestPromptName: a requested prompt comes before the spec's own, that before the one of its type, and that before the
// project's; origin counts before informed_by.
func TestPromptName(t *testing.T) {
	t.Parallel()
	p := project(t, usual, nil)
	for name, tc := range map[string]struct {
		asked, front, want string
	}{
		"the project's":        {"", "", "standard"},
		"of documentation":     {"", "type: documentation\n", "documentation"},
		"of an analysis":       {"", "type: research\norigin: [a.csv]\n", "research-analysis"},
		"of a synthesis":       {"", "type: research\ninformed_by: [a.md]\n", "research-synthesis"},
		"of both":              {"", "type: research\ninformed_by: [a.md]\norigin: [a.csv]\n", "research-analysis"},
		"of research, neither": {"", "type: research\n", "standard"},
		"the spec's own":       {"", "type: documentation\nprompt: mine\n", "mine"},
		"asked for":            {"yours", "type: documentation\nprompt: mine\n", "yours"},
	} {
		s, err := spec.Parse("001", "001.md", []byte("---\nstatus: pending\n"+tc.front+"---\n# A\n"))
		assert.NoError(t, err)
		assert.Equal(t, tc.want, strings.ReplaceAll(usage.PromptName(p, tc.asked, &s.Spec), "_", "-"), "%s", name)
	}
}

// TestWorkPrompt: the extensions of the project and of the spec follow the prompt, in that order, each once.
func TestWorkPrompt(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"prompts/mine.md": "---\npurpose: x\n---\nMine.\n", "prompts/extensions/a.md": "Of A.\n", "prompts/extensions/b.md": "Of B.\n",
		"prompts/extensions/child.md": "---\nextends: standard\n---\n{{> parent}}\n", "prompts/empty.md": "---\npurpose: x\n---\n \n",
	}
	p := project(t, strings.Replace(usual, "prompt: standard", "prompt: mine, prompt_extensions: [a]", 1), files)
	for name, tc := range map[string]struct {
		asked string
		more  []string
		want  string
		bad   string
	}{
		"the project's":      {"", nil, "Mine.\n\nOf A.", ""},
		"the spec's too":     {"", []string{"b"}, "Mine.\n\nOf A.\n\nOf B.", ""},
		"each once":          {"", []string{"b", "a", "b"}, "Mine.\n\nOf A.\n\nOf B.", ""},
		"unknown extension":  {"", []string{"none"}, "", `not_found | chant guide prompts | prompt extension "none" does not exist: there is no .chant/prompts/extensions/none.md`},
		"a path":             {"", []string{"../mine"}, "", `invalid | chant guide prompts | prompt extension "../mine" has no valid name`},
		"it extends":         {"", []string{"child"}, "", "invalid | chant guide prompts | .chant/prompts/extensions/child.md extends a prompt"},
		"an unknown prompt":  {"none", nil, "", `not_found | chant prompt list | no prompt "none"`},
		"an empty prompt":    {"empty", nil, "", `invalid | chant guide prompts | prompt "empty" is empty`},
		"a name of a prompt": {"../config", nil, "", "not_found | chant prompt list"},
	} {
		s := &spec.Spec{ID: "001", Status: spec.Pending}
		s.Fields.Extensions = tc.more
		w, err := usage.WorkPrompt(t.Context(), p, tc.asked, "", s)
		got := w.Text
		assert.Equal(t, tc.want, strings.TrimSpace(got), "%v", name)
		assert.HasPrefix(t, enginetest.Refusal(err), tc.bad, "%v", name)
		assert.Equal(t, tc.bad == "", err == nil, "%v", name)
	}
}

// TestPromptText_links: a prompt that is a link to a file outside the repository is refused, since its text would be
// sent to a model.
func TestPromptText_links(t *testing.T) {
	t.Parallel()
	p := project(t, usual, map[string]string{"prompts/mine.md": "Mine.\n"})
	outside := filepath.Join(t.TempDir(), "secret.md")
	assert.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	prompts := filepath.Join(engine.Home(p), ".chant", "prompts")
	if err := os.Symlink(outside, filepath.Join(prompts, "out.md")); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	text, err := library.PromptText(p, "out")
	got := enginetest.Refusal(err)
	assert.Equal(t, "", text)
	assert.HasPrefix(t, got, "invalid | ls -l .chant/prompts/out.md | .chant/prompts/out.md is a link that leads out")
}

// TestProvider finds a provider in the project's files, in the pool and among the built-in ones, in this order.
func TestProvider(t *testing.T) {
	t.Parallel()
	p := project(t, usual+"parallel:\n  agents:\n    - {name: spare, command: my-claude}\n", map[string]string{
		"providers/mine.md": "---\ncommand: my-agent\n---\n", "providers/claude.md": "---\nlike: claude\ncommand: other-claude\n---\n",
		"providers/a.md": "---\nlike: b\n---\n", "providers/b.md": "---\nlike: a\n---\n", "providers/lost.md": "---\nlike: nothing\n---\n", "providers/pooled.md": "---\nlike: spare\n---\n",
		"providers/second.md": "---\nlike: mine\n---\n",
	})
	for name, want := range map[string]string{"mine": "my-agent", "claude": "other-claude", "spare": "my-claude", "codex": "codex", "second": "my-agent", "shell": ""} {
		d, err := usage.Describe(p, name)
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case want == "" && (d.Cli != nil || d.Loop != nil):
			t.Errorf("%s is made of %+v", name, d)
		case want != "" && (d.Cli == nil || d.Cli.Command != want || d.Cli.Name != name):
			t.Errorf("%s: %+v, want the command %q", name, d.Cli, want)
		}
		_, err = usage.Provider(p, name)
		assert.NoError(t, err, "%s", name)
	}
	for name, want := range map[string]string{
		"nobody":  `not_found | chant init --provider claude | no provider "nobody" in .chant/providers, and none of that name is built in (`,
		"../mine": `invalid | chant work --help | provider "../mine" has no valid name`,
		"":        "invalid | chant work --help",
		"a":       "invalid | chant config --validate | providers are like each other in a circle",
		"lost":    `invalid | chant guide agents | .chant/providers/lost.md: like: no provider "nothing" that can be described`,
		"pooled":  `invalid | chant guide agents | .chant/providers/pooled.md: like: "spare" is an agent of the pool`,
	} {
		if _, err := usage.Provider(p, name); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%q: %q, want %q", name, enginetest.Refusal(err), want)
		}
	}
}

// TestProviderOf: the spec's own provider and model come before the project's.
func TestProviderOf(t *testing.T) {
	t.Parallel()
	p := project(t, usual, nil)
	plain, own := &spec.Spec{ID: "001"}, &spec.Spec{ID: "002"}
	own.Fields.Provider, own.Fields.Model = "claude", "big"
	got := []string{usage.ProviderOf(p, plain), usage.ModelOf(p, plain), usage.ProviderOf(p, own), usage.ModelOf(p, own)}
	assert.Equal(t, []string{"shell", "small", "claude", "big"}, got)
}
