package cmd

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"unicode"
	"unicode/utf8"
)

// visibleWriter passes text on without anything that a terminal obeys instead of prints.
// Control characters other than line ends and tabs, characters that change the direction
// of text, and bytes that are not UTF-8 are spelled out. It is the one place where that
// happens: everything that a command prints goes through it, to a pipe as to a terminal.
// Help, the live view, an editor and the protocols on stdout write around it, since they
// need the terminal, or are not read by people.
//
// What JSON has not escaped itself is written so that it remains JSON.
type visibleWriter struct {
	to io.Writer

	mu   sync.Mutex
	rest []byte // the beginning of a character or of a line end whose other part is not here yet
}

// visibleTo makes a writer printable; nil stays nil.
func visibleTo(w io.Writer) io.Writer {
	if w == nil {
		return nil
	}
	return &visibleWriter{to: w}
}

// Write passes p on, but for an incomplete character at its end.
func (v *visibleWriter) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text := append(v.rest, p...)
	whole := len(text) - incomplete(text)
	v.rest = bytes.Clone(text[whole:])
	if _, err := v.to.Write(visible(text[:whole])); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush passes on what was left at the end.
func (v *visibleWriter) flush() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	rest := v.rest
	v.rest = nil
	if len(rest) == 0 {
		return nil
	}
	_, err := v.to.Write(visible(rest))
	return err
}

// incomplete is how many bytes at the end of text may belong to what follows.
func incomplete(text []byte) int {
	if bytes.HasSuffix(text, []byte("\r")) {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// visible is a text as a terminal can show it.
func visible(text []byte) []byte {
	if utf8.Valid(text) && !bytes.ContainsFunc(text, obeyed) {
		return text
	}
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case bytes.HasPrefix(text, []byte("\r\n")): // the line end follows
		case r == utf8.RuneError && size == 1, r < ' ' && obeyed(r):
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case obeyed(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(text[:size])
		}
		text = text[size:]
	}
	return b.Bytes()
}

// obeyed reports whether a terminal may do something else with a character than print it.
func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}
