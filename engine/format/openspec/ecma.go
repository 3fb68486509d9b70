package openspec

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// This file reads text as the tool openspec does, which is written for ECMAScript: what is
// white space, how long a text is, where code starts and ends. It is pure.

// BOM is the byte order mark that some editors write at the start of a file.
const BOM = "\uFEFF"

// Fence is the run of characters that opens or closes a code block. Its size is zero if a
// line has none.
type Fence struct {
	mark byte
	Size int
	// bare says that nothing follows it.
	bare bool
}

// FenceOf reads the fence of a line: at least three backquotes or tildes, after any blanks.
func FenceOf(line string) Fence {
	line = TrimLeft(line)
	if line == "" || line[0] != '`' && line[0] != '~' {
		return Fence{}
	}
	rest := strings.TrimLeft(line, line[:1])
	if len(line)-len(rest) < 3 {
		return Fence{}
	}
	return Fence{mark: line[0], Size: len(line) - len(rest), bare: Trim(rest) == ""}
}

// Closes reports whether a fence closes the block that another one opened.
func (f Fence) Closes(open Fence) bool { return f.mark == open.mark && f.Size >= open.Size && f.bare }

// Fences marks the lines of code blocks, with those that open and close them.
func Fences(lines []string) []bool {
	fenced := make([]bool, len(lines))
	var open Fence
	for i, l := range lines {
		f := FenceOf(l)
		fenced[i] = open.Size > 0 || f.Size > 0
		switch {
		case open.Size == 0:
			open = f
		case f.Closes(open):
			open = Fence{}
		}
	}
	return fenced
}

// SameTitle compares the title of a heading with a known one, which is ASCII, without regard
// to case. The long s, which Unicode folds to an s, is none here.
func SameTitle(title, known string) bool {
	return strings.EqualFold(title, known) && !strings.ContainsRune(title, 'ſ')
}

// UnixLineEnds makes every line end in a line feed.
func UnixLineEnds(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// IsBlank reports what counts as white space in the tool's documents: that of ECMAScript, which
// includes the byte order mark.
func IsBlank(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', 0xFEFF, 0x2028, 0x2029:
		return true
	}
	return unicode.Is(unicode.Zs, r)
}

// Trim removes blanks from both ends of a text.
func Trim(s string) string { return strings.TrimFunc(s, IsBlank) }

// TrimLeft removes them from its start.
func TrimLeft(s string) string { return strings.TrimLeftFunc(s, IsBlank) }

// TrimRight removes them from its end.
func TrimRight(s string) string { return strings.TrimRightFunc(s, IsBlank) }

// CutBlank removes one blank from the start of a text.
func CutBlank(s string) string {
	for i, r := range s {
		if i > 0 {
			return s[i:]
		}
		if !IsBlank(r) {
			return s
		}
	}
	return ""
}

// Length counts as the tool does: in units of UTF-16.
func Length(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// CutFold removes a prefix in whatever case it is written. Only ASCII has case here.
func CutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) || !ascii(s[:len(prefix)]) {
		return s, false
	}
	return s[len(prefix):], true
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// CutBullet removes the marker of an item of a list: a sign, or up to nine digits and a
// delimiter.
func CutBullet(text string) (rest string, ok bool) {
	if text == "" {
		return "", false
	}
	if strings.IndexByte("-*+", text[0]) >= 0 {
		return text[1:], true
	}
	rest = strings.TrimLeft(text, "0123456789")
	digits := len(text) - len(rest)
	if digits == 0 || digits > 9 || rest == "" || rest[0] != '.' && rest[0] != ')' {
		return "", false
	}
	return rest[1:], true
}

// Column is the width of the spaces and tabs at the start of a text, with tab stops of four.
func Column(text string) int {
	return Width(text[:len(text)-len(strings.TrimLeft(text, " \t"))])
}

// Width is the width of a text with tab stops of four.
func Width(text string) int {
	n := 0
	for _, c := range text {
		if c == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}
