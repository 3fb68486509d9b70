package author

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// TestAdd_template: keys of the template are those of the spec, below what the input says.
func TestAdd_template(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/templates/full.md", "\ufeff---\r\nname: full\r\ntype: research\r\nlabels: one\r\npriority: \"{{p}}\"\r\nmodel: m\r\n"+
		"limits:\r\n  time: 5m\r\n  cost: 2\r\napproval: {required: true}\r\nstatus: pending\r\nteam: \"{{team}}\"\r\n---\r\n\r\nTitle\r\nof two lines\r\n===\r\n\r\nText {{team}}.\r\n\r\n## Acceptance Criteria\r\n\r\n- [x] Done\r\n")
	r, err := Add(t.Context(), p, AddInput{Description: "Own title\nMore.", Template: "full", Vars: map[string]string{"p": "high", "team": "a\n---\nstatus: completed"}, Labels: []string{"two"}})
	assert.NoError(t, err)
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.Path)))
	want := "---\ntype: research\nstatus: pending\nlabels:\n- one\n- two\npriority: high\napproval:\n  required: true\n  status: pending\nmodel: m\nlimits:\n  time: 5m\n  cost: 2\nteam: \"a\\n---\\nstatus: completed\"\n---\n\n" +
		"# Own title\n\nMore.\n\nText a\n---\nstatus: completed.\n\n## Acceptance Criteria\n\n- [ ] Done\n"
	assert.NoError(t, err)
	assert.Equal(t, want, string(src))
}

// TestAdd_templateRefused: nothing is added with a template that cannot be used, or without the values that it needs.
func TestAdd_templateRefused(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.SpecAt(t, "pending", enginetest.StrictBody)
	for name, text := range map[string]string{
		"needs": "---\nvariables:\n- {name: a, required: true}\n- {name: b, default: x y}\n---\n# {{a}} {{c}}\n",
		"list":  "---\nprompt: [a]\n---\n# T\n", "labels": "---\nlabels: {a: b}\n---\n# T\n",
		"approval": "---\napproval: {required: \"{{x}}\"}\n---\n# T\n", "type": "---\ntype: \"{{x}}\"\n---\n# T\n",
		"limits": "---\nlimits: {time: soon}\n---\n# T\n", "torn": "---\ntype: code\n", "bare": "Text.\n",
		"open": "# T\n\n{{a}}\n\n## Acceptance Criteria\n\n- [ ] It holds\n",
	} {
		enginetest.Write(t, dir, ".chant/templates/"+name+".md", text)
	}
	assert.NoError(t, os.Mkdir(filepath.Join(dir, ".chant/templates/folder.md"), 0o755))
	before := enginetest.StateOf(t, dir)
	for _, tt := range []struct {
		in   AddInput
		want string
	}{
		{AddInput{Template: "needs"}, `usage | chant add --template needs --var a=... --var "b=x y" | template "needs" needs a value for "a"`},
		{AddInput{Template: "needs", Description: "T", Vars: map[string]string{"c": "d"}}, `usage | chant add T --template needs --var a=... --var "b=x y" --var c=d | template "needs" needs a value for "a"`},
		{AddInput{Template: "needs", Vars: map[string]string{"a": "b", "d": ""}}, `usage | chant add --template needs --var a=b --var "b=x y" | template "needs" has no variable "d" (it has a, b, c)`},
		{AddInput{Template: "needs", Vars: map[string]string{"a": "\x07"}}, "invalid | "},
		{AddInput{Template: "open", Vars: map[string]string{"a": "```"}}, "invalid | chant add --help | the values swallow criteria of the template: 0 of 1 are left"},
		{AddInput{Template: "list"}, "invalid | vi .chant/templates/list.md | .chant/templates/list.md:2: key \"prompt\" must be a text"},
		{AddInput{Template: "labels"}, "invalid | vi .chant/templates/labels.md | .chant/templates/labels.md:2: key \"labels\" must be a list of texts"},
		{AddInput{Template: "approval", Vars: map[string]string{"x": "perhaps"}}, "invalid | vi .chant/templates/approval.md | .chant/templates/approval.md:2: key \"approval\" must have true or false"},
		{AddInput{Template: "type", Vars: map[string]string{"x": "feature"}}, `usage | chant add --help | unknown type "feature"`},
		{AddInput{Template: "limits"}, `invalid | vi .chant/templates/limits.md | template "limits" makes an invalid spec: `},
		{AddInput{Template: "torn"}, "invalid | vi .chant/templates/torn.md | .chant/templates/torn.md:1: front matter has no closing line"},
		{AddInput{Template: "bare"}, `usage | chant add TITLE --template bare | template "bare" has no heading`},
		{AddInput{Template: "folder"}, "invalid | "},
		{AddInput{Template: "none"}, `not_found | chant template list | no template "none"`},
		{AddInput{Template: "../x"}, `not_found | chant template list | no template "../x"`},
		{AddInput{Description: "T", Vars: map[string]string{"a": "b"}}, "usage | chant template list | values of variables need a template"},
	} {
		if _, err := Add(t.Context(), p, tt.in); !strings.HasPrefix(enginetest.Refusal(err), tt.want) {
			t.Errorf("%+v: %s, want %s", tt.in, enginetest.Refusal(err), tt.want)
		}
	}
	assert.Equal(t, before, enginetest.StateOf(t, dir))
	missing, err := MissingVars(p, AddInput{Template: "needs", Vars: map[string]string{"b": "c"}})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(missing))
	assert.Equal(t, "a", missing[0].Name)
}

func TestVars(t *testing.T) {
	t.Parallel()
	got, err := Vars([]string{"a=b=c", "d="})
	want := map[string]string{"a": "b=c", "d": ""}
	assert.NoError(t, err)
	assert.Equal(t, want, got)
	for _, bad := range [][]string{{"a"}, {"=b"}, {"a=1", "a=2"}, {""}} {
		_, err := Vars(bad)
		assert.HasPrefix(t, enginetest.Refusal(err), "usage | ", "%q", bad)
	}
}

func TestRetitled(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"# Old\n\nText.\n":               "# New\n\nMore.\n\nText.\n",
		"Old\n===\nText.\n":              "# New\n\nMore.\nText.\n",
		"## Sub\n\n# Old #\nText\n# B\n": "## Sub\n\n# New\n\nMore.\nText\n# B\n",
		"Text.\n":                        "\n# New\n\nMore.\n\nText.\n",
		"# Old":                          "# New\n\nMore.\n",
		"":                               "\n# New\n\nMore.\n\n",
	} {
		doc, err := markdown.Parse("x.md", []byte("---\ntype: code\n---\n"+body))
		assert.NoError(t, err)
		if got := withTitle(doc, "New\nMore."); string(got.Body()) != want || got.Title() != "New" {
			t.Errorf("%q: %q, title %q", body, got.Body(), got.Title())
		}
		if got := withTitle(doc, " "); string(got.Body()) != body {
			t.Errorf("%q: %q", body, got.Body())
		}
	}
}

// FuzzRetitled: a description becomes the title of any text, which loses at most its own title.
func FuzzRetitled(f *testing.F) {
	for _, body := range []string{"# Old\n\nText.\n", "Old\ntitle\n===\nText", "> # Old\n\nkeep me\n\nText\n===\n", "- # Old\n  x\n", "```\n# Old\n", "<!-- x\n# Old\n", "# \n", "#\n"} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		doc, err := markdown.Parse("x.md", []byte("---\ntype: code\n---\n\n"+body))
		if err != nil {
			t.Skip("no document")
		}
		got := withTitle(doc, "New title")
		if got.Title() != "New title" {
			t.Errorf("%q: %q has the title %q", body, got.Body(), got.Title())
		}
		after := string(got.Body())
		for line := range strings.Lines(body) {
			if word := strings.TrimSpace(line); strings.HasPrefix(word, "keep") && !strings.Contains(after, word) && !strings.Contains(doc.Title(), word) {
				t.Errorf("%q: %q lost %q", body, after, word)
			}
		}
	})
}

// TestTemplates lists the project's templates above the user's, and why one cannot be used.
func TestTemplates(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	user := t.TempDir()
	o := p.Options
	o.Environ = append(o.Environ, "XDG_CONFIG_HOME="+user)
	p, err := engine.New(o, p.Repo, p.Store, p.Config)
	assert.NoError(t, err)
	if r, err := Templates(t.Context(), p, TemplatesInput{}); err != nil || r.Templates == nil || len(r.Templates) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	enginetest.Write(t, dir, ".chant/templates/b.md", "---\ndescription: ours\n---\n# T\n")
	enginetest.Write(t, dir, ".chant/templates/bad.md", "---\n")
	enginetest.Write(t, dir, ".chant/templates/note.txt", "x")
	enginetest.Write(t, user, "chant/templates/b.md", "---\ndescription: theirs\n---\n# T\n")
	enginetest.Write(t, user, "chant/templates/a.md", "# {{x}}\n")
	r, err := Templates(t.Context(), p, TemplatesInput{})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, 3, len(r.Templates), "%+v", r)
	a, b, bad := r.Templates[0], r.Templates[1], r.Templates[2]
	assert.Equal(t, "a", a.Name, "%+v", r)
	assert.Equal(t, "user", a.From, "%+v", r)
	assert.True(t, a.Variables != nil, "%+v", r)
	assert.Equal(t, "project", b.From, "%+v", r)
	assert.Equal(t, "ours", b.Description, "%+v", r)
	assert.Equal(t, ".chant/templates/b.md", b.Path, "%+v", r)
	assert.HasPrefix(t, bad.Invalid, ".chant/templates/bad.md:1: ", "%+v", r)
	got, err := Template(t.Context(), p, TemplateInput{Name: "a"})
	assert.NoError(t, err)
	assert.Equal(t, "# {{x}}\n", got.Source)
}
