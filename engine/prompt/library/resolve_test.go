package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/format/climpt"

	"github.com/alecthomas/assert/v2"
)

// TestText finds the prompt of a command by the settings of its domain, and of an edition and adaptation by what there
// is.
func TestText(t *testing.T) {
	t.Parallel()
	const usual = ".agent/climpt/prompts/git/merge/branch/"
	all := map[string]string{usual + "f_default.md": "d", usual + "f_bug.md": "b", usual + "f_bug_short.md": "bs", usual + "f_default_short.md": "ds"}
	app := func(dir string) string { return "working_dir: " + dir + "\napp_prompt:\n  base_dir: lib\n" }
	for name, tc := range map[string]struct {
		files map[string]string
		agent string
		given climpt.Given
		want  string // body, or the error
		from  string // edition and adaptation
	}{
		"the default":             {all, "", climpt.Given{}, "d", "default "},
		"an edition":              {all, "", climpt.Given{Edition: "bug"}, "b", "bug "},
		"both":                    {all, "", climpt.Given{Edition: "bug", Adaptation: "short"}, "bs", "bug short"},
		"no such adaptation":      {map[string]string{usual + "f_default.md": "---\noptions:\n  adaptation: [x]\n---\nd", usual + "f_bug.md": "b"}, "", climpt.Given{Edition: "bug", Adaptation: "x"}, "b", "bug "},
		"no such edition":         {map[string]string{usual + "f_default_short.md": "ds", usual + "f_default.md": "---\noptions:\n  edition: [x]\n---\nd"}, "", climpt.Given{Edition: "x", Adaptation: "short"}, "ds", "default short"},
		"neither":                 {map[string]string{usual + "f_default.md": "---\noptions:\n  edition: [x]\n  adaptation: [y]\n---\nd"}, "", climpt.Given{Edition: "x", Adaptation: "y"}, "d", "default "},
		"an unknown edition":      {all, "", climpt.Given{Edition: "x"}, `! unknown edition "x" (one of bug, default)`, ""},
		"an unknown adaptation":   {all, "", climpt.Given{Adaptation: "x"}, `! unknown adaptation "x" (one of short)`, ""},
		"a path as an edition":    {all, "", climpt.Given{Edition: "../x"}, `! invalid edition "../x"`, ""},
		"settings of the domain":  {map[string]string{".agent/climpt/config/git-app.yml": app("x"), "x/lib/merge/branch/f_default.md": "x"}, "", climpt.Given{}, "x", "default "},
		"settings of all domains": {map[string]string{".agent/climpt/config/default-app.yml": app("x"), "x/lib/git/merge/branch/f_default.md": "x"}, "", climpt.Given{}, "x", "default "},
		"one folder for all":      {map[string]string{".agent/climpt/config/default-app.yml": app("x"), "x/lib/merge/branch/f_default.md": "x"}, "", climpt.Given{}, "x", "default "},
		"settings of an agent":    {map[string]string{".agent/climpt/config/iterator-git-app.yml": app(".agent/iterator"), ".agent/iterator/lib/merge/branch/f_default.md": "i"}, "iterator", climpt.Given{}, "i", "default "},
		"of an agent":             {map[string]string{".agent/iterator/prompts/git/merge/branch/f_default.md": "i"}, "iterator", climpt.Given{}, "i", "default "},
		"settings that lead away": {map[string]string{".agent/climpt/config/git-app.yml": app("../x")}, "", climpt.Given{}, "! ../x/lib/merge/branch/f_default.md: leads out of the project", ""},
		"broken settings":         {map[string]string{".agent/climpt/config/git-app.yml": "- x"}, "", climpt.Given{}, "! .agent/climpt/config/git-app.yml:1: has no keys", ""},
		"no prompt":               {nil, "", climpt.Given{}, "! no prompt file; looked for .agent/climpt/prompts/git/merge/branch/f_default.md", ""},
		"broken front matter":     {map[string]string{usual + "f_default.md": "---\nuv: x\n---\n"}, "", climpt.Given{}, "! " + usual + "f_default.md:2: ", ""},
		"byte order mark":         {map[string]string{usual + "f_default.md": "\ufeff---\r\ntitle: x\r\n---\r\n\r\nd\r\n---\r\n"}, "", climpt.Given{}, "d\r\n---\r\n", "default "},
		"a mark alone":            {map[string]string{usual + "f_default.md": "\ufeffd\r\n"}, "", climpt.Given{}, "d\r\n", "default "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir, _ := enginetest.ProjectWith(t, tc.files)
			if tc.agent == "" {
				tc.agent = DefaultAgent
			}
			options := ""
			if strings.HasPrefix(name, "an unknown") {
				options = `, "options": {"edition": ["bug", "default"], "adaptation": ["short"]}`
			}
			enginetest.Write(t, dir, registryFile(tc.agent), registry(`{"c1": "git", "c2": "merge", "c3": "branch", "description": "d"`+options+`}`))
			l, err := Open(t.Context(), p, tc.agent)
			assert.NoError(t, err)
			text, err := l.Text(p, climpt.Name{C1: "git", C2: "merge", C3: "branch"}, tc.given)
			got, from := text.Body, text.Edition+" "+text.Adaptation
			if err != nil {
				failed, ok := err.(*ExecutionError)
				assert.True(t, ok, "%v", err)
				assert.Equal(t, tc.agent+"-git merge branch", failed.Command)
				got, from = "! "+failed.Stderr, ""
			}
			assert.False(t, got != tc.want && (err == nil || !strings.HasPrefix(got, tc.want)), "%q from %q, want %q from %q", got, from, tc.want, tc.from)
			assert.Equal(t, tc.from, from)
		})
	}
}

// TestText_rules applies user.yml to what is rendered.
func TestText_rules(t *testing.T) {
	t.Parallel()
	p, dir, _ := enginetest.ProjectWith(t, map[string]string{
		".agent/climpt/prompts/git/merge/branch/f_default.md": "x", ".agent/climpt/prompts/git/list/branch/f_default.md": "x",
		".agent/climpt/config/git-user.yml": "options: {destination: {prefix: out/}}\nparams:\n  two:\n    directiveType:\n      pattern: ^merge$\n",
	})
	l, err := Open(t.Context(), p, "")
	assert.NoError(t, err)
	text, err := l.Text(p, climpt.Name{C1: "git", C2: "merge", C3: "branch"}, climpt.Given{})
	assert.NoError(t, err)
	assert.Equal(t, "out/", text.Prefix)
	list := climpt.Name{C1: "git", C2: "list", C3: "branch"}
	_, err = l.Text(p, list, climpt.Given{})
	assert.Error(t, err)
	assert.Contains(t, err.Error(), `git-user.yml:5: c2 "list" does not match the pattern "^merge$"`)
	assert.Equal(t, 1, len(l.records(list)), "a command that the rules refuse is not described")
	// A command that is not there is not found, whatever the rules say.
	_, err = l.Text(p, climpt.Name{C1: "git", C2: "no", C3: "branch"}, climpt.Given{})
	assert.Error(t, err)
	assert.Equal(t, "no command climpt-git/no/branch", err.Error())
	outside := filepath.Join(t.TempDir(), "secret.md")
	assert.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	enginetest.Write(t, dir, ".agent/climpt/prompts/git/merge/out/x", "")
	if err := os.Symlink(outside, filepath.Join(dir, ".agent/climpt/prompts/git/merge/out/f_default.md")); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	text, err = l.Text(p, climpt.Name{C1: "git", C2: "merge", C3: "out"}, climpt.Given{})
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "f_default.md: is a link that leads out of the project")
	assert.Equal(t, "", text.Body)
}

// TestText_chant renders the prompts of chant by their names as commands, the project's own before the shipped ones.
func TestText_chant(t *testing.T) {
	t.Parallel()
	p, _, _ := enginetest.ProjectWith(t, map[string]string{
		".chant/prompts/standard.md": "---\nextends: standard\n---\nFirst.\n{{> parent}}", ".chant/prompts/mine.md": "---\npurpose: Mine\n---\nMine {{spec.id}}.\n",
		".chant/prompts/named.md": "---\nc1: go\nc2: review\nc3: package\ndescription: Named\n---\nNamed.\n", ".chant/prompts/no.name.md": "Odd.\n",
	})
	l, err := Open(t.Context(), p, "")
	assert.NoError(t, err)
	for name, want := range map[string]string{"spec/work/standard": "First.\n# {{spec.title}}", "spec/work/mine": "Mine {{spec.id}}.", "go/review/package": "Named.", "spec/split/large-spec": "# Split"} {
		n, err := climpt.ParseName(name)
		assert.NoError(t, err)
		text, err := l.Text(p, n, climpt.Given{})
		assert.NoError(t, err, "%s", name)
		assert.HasPrefix(t, text.Body, want, "%s", name)
		assert.Equal(t, 1, len(l.records(n)), "%s", name)
	}
	_, err = Open(t.Context(), p, "other")
	assert.Error(t, err, "another agent has the prompts of chant")
}
