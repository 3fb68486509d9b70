package text

import (
	"strings"
	"testing"
	"unicode/utf8"
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
			if got := test.do(text); got != want {
				t.Errorf("%s of %q is %q, want %q", name, text, got, want)
			}
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
		if got := Head(text, limit); utf8.RuneCountInString(got) > limit || !strings.HasPrefix(text, got) {
			t.Errorf("the head of %q is %q", text, got)
		}
		if got := Clip(text, limit); got != text && got != Head(text, limit)+"…" {
			t.Errorf("%q is clipped to %q", text, got)
		}
		if got := ClipBytes(text, limit); len(got) > limit+len("…") || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q is clipped to %q", text, got)
		}
		if got := OneLine(text); strings.ContainsAny(got, "\r\n\t\v\f") || OneLine(got) != got {
			t.Errorf("%q in one line is %q", text, got)
		}
		if got := FirstLine(text); strings.Contains(got, "\n") || strings.TrimSpace(got) != got {
			t.Errorf("the first line of %q is %q", text, got)
		}
		for name, got := range map[string]string{"Printable": Printable(text), "Visible": string(Visible([]byte(text)))} {
			if !utf8.ValidString(got) || strings.ContainsFunc(got, isControl) {
				t.Errorf("%s of %q is %q", name, text, got)
			}
		}
	})
}
