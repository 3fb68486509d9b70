package spec

import (
	"strings"
	"testing"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "",
		"  a \n\t b  ":                 "a b",
		"a  b `$ grep \"a  b\"\tf`":    "a b `$ grep \"a  b\"\tf`",
		"x  ``a ` b  c``  y  `$ d  e`": "x ``a ` b  c`` y `$ d  e`",
		"open  ` and  on":              "open ` and on",
		"``  two  `one  more`":         "`` two `one  more`",
		"\\`  no  span\\`":             "\\` no span\\`",
		"`a\r\nb`  c":                  "`a b` c",
		"über  alles `ü  ß`":           "über alles `ü  ß`",
	} {
		assert.Equal(t, want, OneLine(text), "%q becomes", text)
		assert.Equal(t, want, OneLine(want))
	}
}

func TestBrokenCommand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a\nb": false, "a `b`\nc": false, "a\n`b`": false, "`a\nb`": true, "x `y` ``a\r\nb``": true, "open ` a\nb": false,
	} {
		assert.Equal(t, want, BrokenCommand(text), "%q", text)
	}
}

// White space in a command changes the id of a criterion; elsewhere it does not.
func TestTextID_commands(t *testing.T) {
	t.Parallel()
	if TextID("a  b `$ x`") != TextID("a b `$ x`") {
		t.Error("white space between words makes another criterion")
	}
	if TextID("a `$ grep 'x  y' f`") == TextID("a `$ grep 'x y' f`") {
		t.Error("another command is the same criterion")
	}
}

// Markdown reads the same command from a text before and after OneLine.
func FuzzOneLine(f *testing.F) {
	f.Add("it  holds", `grep "a  b" f`)
	f.Add("a\\", "printf 'a\tb' | cat")
	f.Fuzz(func(t *testing.T, text, command string) {
		if strings.ContainsAny(text+command, "`\n\r\x00<&\\[]!*_:@") || strings.TrimSpace(text) == "" || !isPrintable(text+command) {
			t.Skip()
		}
		line := OneLine(text + " `$ " + command + "`")
		doc, err := markdown.Parse("x.md", []byte("## Acceptance Criteria\n\n- [ ] "+line+"\n"))
		assert.NoError(t, err)
		all := Criteria(doc)
		if strings.TrimSpace(command) != "" && (len(all) != 1 || len(all[0].Commands) != 1 || all[0].Commands[0] != trimCommand(command)) {
			t.Errorf("%q is read as %+v", line, all)
		}
	})
}

func isPrintable(text string) bool {
	for _, r := range text {
		if r != '\t' && (r < ' ' || r > '~') {
			return false
		}
	}
	return true
}

func TestFenced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                  "```json\n\n```",
		"a\nb\n\n":          "```json\na\nb\n```",
		"a `` b ```` c":     "```````json\na `` b ```` c\n```````",
		"  indented\n```\n": "``````json\n  indented\n```\n``````",
	} {
		assert.Equal(t, want, Fenced("json", text), "%q becomes", text)
	}
}
