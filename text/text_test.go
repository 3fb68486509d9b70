package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func TestText(t *testing.T) {
	t.Parallel()
	head := func(limit int) func(string) string { return func(s string) string { return Head(s, limit) } }
	clip := func(limit int) func(string) string { return func(s string) string { return Clip(s, limit) } }
	clipBytes := func(limit int) func(string) string { return func(s string) string { return ClipBytes(s, limit) } }
	for name, test := range map[string]struct {
		do    func(string) string
		cases map[string]string
	}{
		"OneLine":   {OneLine, map[string]string{"": "", " a\t b\r\n\u2028c ": "a b c", "日本": "日本"}},
		"FirstLine": {FirstLine, map[string]string{"": "", "\n \n": "", "\n one \r\ntwo": "one", "one": "one"}},
		"Line":      {func(s string) string { return Line([]byte(s)) }, map[string]string{"a\r": "a", "a\r\r": "a\r", "a\xffb": "a\ufffdb", "": ""}},
		"Head":      {head(3), map[string]string{"": "", "äöü": "äöü", "äöüß": "äöü"}},
		"Head 0":    {head(0), map[string]string{"": "", "a": ""}},
		"Clip":      {clip(3), map[string]string{"": "", "äöü": "äöü", "äöüß": "äöü…"}},
		"ClipBytes": {clipBytes(3), map[string]string{"abc": "abc", "abcd": "abc…", "abä": "ab…", "ääää": "ä…"}},
		"Printable": {Printable, map[string]string{"a\tb\nc": "a\tb\nc", "\x1b[31ma\x00\r\u009b": "[31ma", "a\u202eb\u200f": "ab", "a\u2028b": "ab", "a\xff": "a?", "👩\u200d💻": "👩\u200d💻"}},
		"Quote":     {Quote, map[string]string{"a b": "a b", "a\nb": `"a\nb"`, "a\x1b": `"a\x1b"`}},
	} {
		for text, want := range test.cases {
			assert.Equal(t, want, test.do(text), "%s of %q", name, text)
		}
	}
}

// FuzzText: whatever a text has in it, what is made of it keeps within its bounds.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a\nb", "\x1b[31mred", "\u009b1m\u202e", "a\xff\xf0\x9f", "👩\u200d💻\r\n\t"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = max(0, min(limit, 1000))
		got := Head(text, limit)
		assert.True(t, utf8.RuneCountInString(got) <= limit, "the head of %q is %q", text, got)
		assert.HasPrefix(t, text, got)
		got = Clip(text, limit)
		assert.False(t, got != text && got != Head(text, limit)+"…", "%q is clipped to %q", text, got)
		if got := ClipBytes(text, limit); len(got) > limit+len("…") || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q is clipped to %q", text, got)
		}
		got = OneLine(text)
		assert.False(t, strings.ContainsAny(got, "\r\n\t\v\f"), "%q in one line is %q", text, got)
		assert.Equal(t, got, OneLine(got), "%q in one line", text)
		got = FirstLine(text)
		assert.NotContains(t, got, "\n", "the first line of %q", text)
		assert.Equal(t, got, strings.TrimSpace(got), "the first line of %q", text)
		for name, got := range map[string]string{"Printable": Printable(text), "Visible": string(Visible([]byte(text)))} {
			assert.True(t, utf8.ValidString(got), "%s of %q is %q", name, text, got)
			assert.False(t, strings.ContainsFunc(got, isControl), "%s of %q is %q", name, text, got)
		}
	})
}
