package tui

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"text", "naïve 日本 🙂", "naïve 日本 🙂"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"cursor and erase", "a\x1b[2J\x1b[10;1Hb", "ab"},
		{"private mode", "\x1b[?1049ha\x1b[?25l", "a"},
		{"colon parameters", "\x1b[4:3ma", "a"},
		{"title, ended by BEL", "\x1b]0;owned\aa", "a"},
		{"link, ended by ST", "\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\", "a"},
		{"clipboard", "\x1b]52;c;cm0gLXJm\x1b\\a", "a"},
		{"device control", "\x1bPq#0;2\x1b\\a", "a"},
		{"charset", "\x1b(Ba", "a"},
		{"reset", "\x1bca", "a"},
		{"C1 forms", "\u009b31ma\u009d0;t\u009cb", "ab"},
		{"sequence cut short by another", "\x1b[31\x1b[32ma", "a"},
		{"unfinished string hides one line only", "\x1b]0;a\nb", "\nb"},
		{"unfinished at the end", "a\x1b[31", "a"},
		{"ESC before a letter of another script", "\x1b日", "日"},
		{"CSI broken by text", "\x1b[3日", "日"},
		{"controls", "a\x00\x07\b\x7fb", "ab"},
		{"line ends", "a\r\nb\rc\u2028d\ve", "a\n\nb\nc\nd\ne"},
		{"tab", "\ta", "    a"},
		{"reordering", "a\u202eb\u2066c\u200fd", "abcd"},
		{"joined emoji", "👩\u200d💻", "👩\u200d💻"},
		{"broken UTF-8", "a\xffb", "a\ufffdb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, sanitize(tt.text), "plain(%q)", tt.text)
		})
	}
}

func TestLastLines_hugeText(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("日本", maxText) + "\nlast"
	got := lastLines(text, 2)
	assert.Equal(t, 2, len(got))
	assert.Equal(t, "last", got[1])
	if len(got[0]) > maxLine || !utf8.ValidString(got[0]) {
		t.Errorf("long line has %d bytes, valid UTF-8 %v", len(got[0]), utf8.ValidString(got[0]))
	}
}

func FuzzLastLines(f *testing.F) {
	for _, seed := range []string{"", "a\nb", "\x1b[31mred", "\x1b]0;t\aa", "\u009b1m", "a\xff\x1b", "👩\u200d💻\r\n\t"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := lastLines(text, 3)
		assert.True(t, len(lines) <= 3, "%d lines, want at most 3", len(lines))
		for _, l := range lines {
			assert.True(t, utf8.ValidString(l), "line %q of %q is not fit for a terminal", l, text)
			assert.True(t, len(l) <= maxLine, "line %q of %q is not fit for a terminal", l, text)
			assert.False(t, strings.ContainsFunc(l, unicode.IsControl), "line %q of %q is not fit for a terminal", l, text)
			assert.Equal(t, sanitize(l), l, "line %q", text)
		}
	})
}
