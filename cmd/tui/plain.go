package tui

import (
	"slices"
	"strings"
	"unicode"
)

const (
	maxText = 8 << 10 // bytes of one event's text that are looked at, from its end
	maxLine = 1000    // bytes of one line that are kept
)

// lastLines is the end of a text as at most n lines, blank ones left out, each
// without control characters and escape sequences.
func lastLines(text string, n int) []string {
	text = text[max(0, len(text)-maxText):]
	var found []string
	for part := range strings.SplitSeq(plain(text), "\n") {
		part = strings.TrimRight(part, " ")
		if strings.TrimSpace(part) == "" {
			continue
		}
		found = keepLast(append(found, clip(part)), n)
	}
	return slices.Clone(found)
}

// clip shortens a line to maxLine bytes without leaving half a character.
func clip(text string) string {
	if len(text) <= maxLine {
		return text
	}
	return strings.ToValidUTF8(text[:maxLine], "")
}

// scan is where plain stands relative to escape sequences.
type scan int

const (
	inText   scan = iota
	inEscape      // after ESC
	inCSI         // parameters of a control sequence
	inString      // the content of a control string: a title, a link, an image
)

// plain removes from text what a terminal would obey instead of print, by the
// grammar of ECMA-48. Line ends of every kind become "\n". A sequence that is
// never finished ends at the line's end, so that it hides no more than that.
func plain(text string) string {
	var b strings.Builder
	at := inText
	for _, r := range text {
		var printed bool
		if at, printed = at.next(r); printed {
			writePlain(&b, r)
		}
	}
	return b.String()
}

// next is the state after r, and whether r is text.
func (at scan) next(r rune) (scan, bool) {
	switch {
	case r == '\x1b':
		return inEscape, false
	case r == '\u009b':
		return inCSI, false
	case r == '\u0090' || r == '\u0098' || r >= '\u009d' && r <= '\u009f':
		return inString, false
	case r == '\n' || r == '\r':
		return inText, true
	}
	switch at {
	case inEscape:
		return afterEscape(r)
	case inCSI:
		if r >= 0x20 && r < 0x40 {
			return inCSI, false
		}
		return inText, r >= 0x7f // ASCII ends the sequence, all else is none of its parts
	case inString:
		if r == '\a' || r == '\u009c' {
			return inText, false
		}
		return inString, false
	}
	return inText, true
}

// afterEscape tells which sequence the character after ESC begins or ends.
func afterEscape(r rune) (scan, bool) {
	switch {
	case r == '[':
		return inCSI, false
	case strings.ContainsRune("]PX^_", r):
		return inString, false
	case r >= 0x20 && r < 0x30:
		return inEscape, false
	}
	return inText, r >= 0x7f
}

// writePlain writes a character if it has a shape or ends a line. Format
// characters go, since some of them reorder what follows; those that join emoji
// and letters stay.
func writePlain(b *strings.Builder, r rune) {
	switch {
	case strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r):
		b.WriteByte('\n')
	case r == '\t':
		b.WriteString("    ")
	case r == '\u200c' || r == '\u200d':
		b.WriteRune(r)
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
	default:
		b.WriteRune(r)
	}
}
