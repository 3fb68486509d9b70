package prompt

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func TestParseRules(t *testing.T) {
	t.Parallel()
	command := func(run, name string) spec.Command {
		return spec.Command{Run: run, Name: name, Rule: ".chant/rules.md"}
	}
	for name, tc := range map[string]struct {
		src  string
		want spec.Rule
	}{
		"text alone": {"# Rules\n\nBe brief.\n", spec.Rule{Text: "# Rules\n\nBe brief."}},
		"items, boxed or not": {
			"- No TODO `$ ! grep -r TODO .`\n- [ ] Vet is quiet `$ go vet ./...`\n- [x] By hand\n  1. Below `$ true`.\n",
			spec.Rule{
				Text: "- No TODO `$ ! grep -r TODO .`\n- [ ] Vet is quiet `$ go vet ./...`\n- [x] By hand\n  1. Below `$ true`.",
				Commands: []spec.Command{
					command("! grep -r TODO .", "No TODO `$ ! grep -r TODO .`"), command("go vet ./...", "Vet is quiet `$ go vet ./...`"), command("true", "Below `$ true`."),
				},
			},
		},
		"no commands": {
			"Run `$ make` often.\n\n- `$ make` is how\n- Use `make`\n\n```\n- x `$ make`\n```\n",
			spec.Rule{Text: "Run `$ make` often.\n\n- `$ make` is how\n- Use `make`\n\n```\n- x `$ make`\n```"},
		},
		"one glob":   {"---\npaths: src/**/*.go\n---\nGo.\n", spec.Rule{Paths: spec.StringList{"src/**/*.go"}, Text: "Go."}},
		"more globs": {"---\n# of the web\npaths:\n  - web\n  - \"*.{ts,js}\"\n---\nWeb.\n", spec.Rule{Paths: spec.StringList{"web", "*.{ts,js}"}, Text: "Web."}},
		"empty":      {"", spec.Rule{}},
	} {
		got, err := ParseRules(".chant/rules.md", []byte(tc.src))
		assert.NoError(t, err, "%s", name)
		tc.want.Path = ".chant/rules.md"
		assert.Equal(t, tc.want, got, "%s", name)
	}
}

func TestParseRules_refused(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"---\npaths: a\n":                            "r.md:1: front matter has no closing line",
		"---\npaths: [a\n---\n":                      "r.md:2: ",
		"---\npaths: a\nglobs: b\n---\n":             `r.md:3: unknown key "globs" (one of paths)`,
		"---\npath: a\n---\n":                        `r.md:2: unknown key "path" (one of paths); did you mean "paths"?`,
		"---\npaths: a\npaths: b\n---\n":             "r.md:3: ",
		"---\npaths: {a: b}\n---\n":                  "r.md:2: paths: use a glob such as src/**/*.go, or a list of globs",
		"---\npaths: []\n---\n":                      "r.md:2: paths is empty",
		"---\npaths:\n---\n":                         "r.md:2: paths",
		"---\npaths: ['!a']\n---\n":                  `r.md:2: paths: "!a" begins with "!"`,
		"---\npaths: ../a\n---\n":                    `r.md:2: paths: "../a" `,
		"---\npaths: a\n---\n\n- One\n- Two `$  `\n": "r.md:6: the command of this rule is empty",
	} {
		_, err := ParseRules("r.md", []byte(src))
		assert.Error(t, err, "%q", src)
		assert.True(t, strings.HasPrefix(err.Error(), want), "%q: %v, want %s", src, err, want)
	}
}

// TestReadRules reads rules.md first, then the folder by name; a broken file hides no other.
func TestReadRules(t *testing.T) {
	t.Parallel()
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	rules, broken := ReadRules(fstest.MapFS{
		".chant/rules/b.md": text("B."), ".chant/rules/a.md": text("---\npath: x\n---\nA."), ".chant/rules/c.md": text("---\n"),
		".chant/rules/notes.txt": text("No."), ".chant/rules/deep/x.md": text("No."), ".chant/rules/z.md": text("\n"),
		".chant/rules.md": text("First."), ".chant/other.md": text("No."),
		".chant/rules/link.md": {Data: []byte("b.md"), Mode: fs.ModeSymlink}, ".chant/rules/large.md": text(strings.Repeat("x", maxRules+1)),
	})
	var got []string
	for _, r := range rules {
		got = append(got, r.Path+": "+r.Text)
	}
	for _, err := range broken {
		got = append(got, err.Error())
	}
	assert.Equal(t, []string{
		".chant/rules.md: First.", ".chant/rules/b.md: B.",
		`.chant/rules/a.md:2: unknown key "path" (one of paths); did you mean "paths"?`,
		`.chant/rules/c.md:1: front matter has no closing line "---"`,
		".chant/rules/deep:1: is a folder; rules are files of .chant/rules itself",
		".chant/rules/large.md:1: has more than 256 KiB, which every agent would have to read",
		".chant/rules/link.md:1: is not a regular file; rules are read from no link",
	}, got)
	for name, files := range map[string]fstest.MapFS{"nothing": {}, "no rules": {".chant/config.md": text("")}} {
		rules, broken := ReadRules(files)
		assert.Equal(t, 0, len(rules)+len(broken), "%s", name)
	}
	_, broken = ReadRules(fstest.MapFS{".chant/rules": {Data: []byte("../x"), Mode: fs.ModeSymlink}})
	assert.Equal(t, ".chant/rules:1: is not a folder; rules are read from no link", broken[0].Error())
}

// TestRules_For selects by target files.
func TestRules_For(t *testing.T) {
	t.Parallel()
	all := spec.Rules{{Path: "all"}, {Path: "go", Paths: spec.StringList{"**/*.go"}}, {Path: "web", Paths: spec.StringList{"web/**", "*.css"}}}
	for name, tc := range map[string]struct {
		files []string
		want  string
	}{
		"no target files": {nil, "all go web"},
		"another file":    {[]string{"README.md"}, "all"},
		"a file":          {[]string{"a/b.go"}, "all go"},
		"a folder":        {[]string{"web"}, "all go web"},
		"a glob":          {[]string{"[a-z].css"}, "all web"},
		"two files":       {[]string{"main.go", "web/index.html"}, "all go web"},
	} {
		var got []string
		for _, r := range all.For(tc.files) {
			got = append(got, r.Path)
		}
		assert.Equal(t, tc.want, strings.Join(got, " "), "%s", name)
	}
}

func TestQuoteRules(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "", QuoteRules(nil))
	got := QuoteRules(spec.Rules{{Path: ".chant/rules.md", Text: "One."}, {Path: ".chant/rules/go.md", Paths: spec.StringList{"**/*.go", "go.mod"}, Text: "Two."}})
	assert.HasPrefix(t, got, "\n## Rules of this project\n")
	assert.HasSuffix(t, got, "\nFrom `.chant/rules.md`:\n\nOne.\n\nFrom `.chant/rules/go.md`, about **/*.go, go.mod:\n\nTwo.\n")
}

func FuzzParseRules(f *testing.F) {
	f.Add([]byte("---\npaths: [a, b]\n---\n- x `$ true`\n"))
	f.Add([]byte("---\npaths:\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := ParseRules("r.md", src)
		if err != nil {
			assert.HasPrefix(t, err.Error(), "r.md:")
			return
		}
		for _, c := range r.Commands {
			assert.NotEqual(t, "", strings.TrimSpace(c.Run), "%q", src)
		}
	})
}
