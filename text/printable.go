package text

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isControl reports whether a terminal may do something else with a character than print it.
func isControl(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Printable returns a text without the characters that a terminal executes instead of printing:
// control characters other than line ends and tabs, and those that change the direction of
// text. Bytes that are not UTF-8 become question marks.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// Quote returns a text as it is, or quoted if it has control characters, line ends and tabs
// included.
func Quote(text string) string {
	if strings.ContainsFunc(text, unicode.IsControl) {
		return strconv.Quote(text)
	}
	return text
}

// Visible returns a text in which everything that Printable drops is spelled out instead. Line
// ends become "\n".
func Visible(text []byte) []byte {
	if utf8.Valid(text) && !bytes.ContainsFunc(text, isControl) {
		return text
	}
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		// The line end follows and is written.
		case bytes.HasPrefix(text, []byte("\r\n")):
		case r == utf8.RuneError && size == 1, r < ' ' && isControl(r):
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case isControl(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(text[:size])
		}
		text = text[size:]
	}
	return b.Bytes()
}
