package climpt

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func TestFromPrompt(t *testing.T) {
	t.Parallel()
	at := Name{"git", "merge", "branch"}
	for src, want := range map[string]string{
		"---\nc1: git\nc2: merge\nc3: branch\ntitle: T\ndescription: D\nusage: U\nc3l_version: \"0.5\"\noptions:\n  edition: [default, bug]\n  stdin: true\nuv:\n  - b: two\n  - a: one\n---\nText.\n": "T|D|U|[default bug] true [{b two} {a one}]",
		"\ufeff---\r\ntitle: T\r\n---\r\nText.\r\n": "T|T||[] false []",
		"# Heading\n\nText.\n":                      "Heading|Heading||[] false []",
		"Text without a heading.\n":                 "||" + "|[] false []",
		"---\n---\n---\nA rule.\n":                  "||" + "|[] false []",
		"---\ntitle: T\nuv: []\n---\n":              "T|T||[] false []",
	} {
		c, warnings, err := FromPrompt("p.md", at, []byte(src))
		assert.NoError(t, err, "%q: %v", src, warnings)
		assert.Zero(t, warnings, "%q: %v", src, warnings)
		got := fmt.Sprintf("%s|%s|%s|%v %v %v", c.Title, c.Description, c.Usage, c.Editions(), c.TakesStdin(), c.Variables)
		assert.Equal(t, want, got, "%q", src)
		assert.Equal(t, at, c.Name, "%q", src)
	}
}

func TestFromPrompt_warnings(t *testing.T) {
	t.Parallel()
	c, warnings, err := FromPrompt("p.md", Name{"git", "merge", "branch"}, []byte("---\ntitle: T\nc2: other\ninput_text: x\nuv:\n  - help: x\n  - ok: y\n---\n"))
	want := "p.md:3: c2 is \"other\", but the file is that of \"git/merge/branch\"\np.md:4: unknown key \"input_text\" is ignored\np.md:5: variable \"help\" is reserved"
	got := strings.Join(warnings, "\n")
	assert.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Equal(t, 1, len(c.Variables))
	for src, want := range map[string]string{
		"---\ntitle: [T]\n---\n":          "p.md:2: ",
		"---\noptions:\n  file: 7\n---\n": "p.md:3: ",
		"---\noptions: yes\n---\n":        "p.md:2: ",
		"---\nuv: text\n---\n":            "p.md:2: ",
		"---\ntitle: T\n":                 "p.md:1: front matter has no closing line",
		"---\ntitle: T\ntitle: U\n---\n":  "p.md:3: ",
	} {
		_, _, err := FromPrompt("p.md", Name{"a", "b", "c"}, []byte(src))
		_, ok := errors.AsType[*markdown.SyntaxError](err)
		assert.True(t, ok, "%q: %v, want %s", src, err, want)
		assert.HasPrefix(t, err.Error(), want, "%q", src)
	}
}

// TestPrompt writes prompts that are read the same.
func TestPrompt(t *testing.T) {
	t.Parallel()
	c := Command{Name: Name{"a", "b", "c"}, Description: "Do: this #1", Variables: Variables{{"x", "an: x"}, {"y", ""}}}
	src, err := c.Prompt("Take {input_text} to {destination_path}: {uv-x}.\n")
	assert.NoError(t, err)
	back, warnings, err := FromPrompt("p.md", c.Name, src)
	assert.NoError(t, err, "%s: %v", src, warnings)
	assert.Zero(t, warnings, "%s: %v", src, warnings)
	assert.Equal(t, c.Description, back.Description, "%s: %v", src, warnings)
	assert.Equal(t, fmt.Sprint(c.Variables), fmt.Sprint(back.Variables), "%s: %v", src, warnings)
	assert.True(t, back.TakesStdin(), "%s", src)
	assert.True(t, back.TakesDestination(), "%s", src)
	assert.False(t, back.TakesFile(), "%s", src)
	assert.HasSuffix(t, string(src), "---\n\nTake {input_text} to {destination_path}: {uv-x}.\n")
}

// FuzzFromPrompt: any prompt is described or refused with its path.
func FuzzFromPrompt(f *testing.F) {
	for _, src := range []string{"", "---\nuv:\n - a: b\n---\n", "---\noptions: {edition: x}\n---\n", "\ufeff---\n", "# T"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, _, err := FromPrompt("p.md", Name{"a", "b", "c"}, src)
		if err != nil {
			assert.HasPrefix(t, err.Error(), "p.md:")
			return
		}
		for _, v := range c.Variables {
			assert.NoError(t, CheckVariable(v.Name))
		}
	})
}
