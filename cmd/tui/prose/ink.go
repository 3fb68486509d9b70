package prose

import (
	"strings"
	"unicode"

	"chant/text"

	"github.com/charmbracelet/x/ansi"
)

// This file fits texts into the cells of a terminal and colours them.
//
// It never writes to a terminal. Widths are counted in cells, so that wide characters and
// combined ones do not shift what follows. What comes from files and agents is made printable by
// Clean first; styled text is made only by Paint.
//
// Decisions:
//
//   - 2026-11-26: a style is the parameters of one escape sequence, and the renderer drops the
//     colours that a terminal lacks. Rejected: lipgloss, which measures and aligns each piece
//     again; a frame has hundreds of them, and a key is to be answered at once.

// Style is the parameters of an SGR sequence; "" leaves text as it is.
type Style string

// The styles, in the colours of the terminal's own palette, which its owner has made readable.
const (
	None    Style = ""
	Bold    Style = "1"
	Faint   Style = "2"
	Italic  Style = "3"
	Reverse Style = "7"
	Red     Style = "31"
	Green   Style = "32"
	Yellow  Style = "33"
	Blue    Style = "34"
	Magenta Style = "35"
	Cyan    Style = "36"
)

// And returns both styles together.
func (s Style) And(other Style) Style {
	if s == "" || other == "" {
		return s + other
	}
	return s + ";" + other
}

// Paint returns printable text in a style.
func (s Style) Paint(text string) string {
	if s == "" || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[m"
}

// Width returns how many cells a text takes, styled or not.
func Width(text string) int { return ansi.StringWidth(text) }

// Fit cuts a text, styled or not, to a width between characters, and marks the cut.
func Fit(text string, width int) string {
	if width < 1 {
		return ""
	}
	return ansi.Truncate(text, width, "…")
}

// Fill is Fit with blanks behind the text, up to the width.
func Fill(text string, width int) string {
	text = Fit(text, width)
	if short := width - Width(text); short > 0 {
		return text + strings.Repeat(" ", short)
	}
	return text
}

// Clean returns what a terminal prints of a text in one line: no control sequences, no
// characters that move the cursor or change the direction, blanks for tabs and line ends.
func Clean(raw string) string {
	// Most texts are, and the rest takes much longer.
	if isPlain(raw) {
		return raw
	}
	clean := text.Printable(ansi.Strip(strings.ToValidUTF8(raw, "?")))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		// The joiner of emoji stays; other format characters can change the direction.
		case r != '\u200d' && unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, clean)
}

// isPlain reports whether a text has printable ASCII characters only.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// Lines divides a raw text into clean lines; tabs become four blanks.
func Lines(raw string) []string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(raw, "\r\n", "\n"), "\n"), "\n")
	for i, line := range lines {
		lines[i] = Clean(strings.ReplaceAll(line, "\t", "    "))
	}
	return lines
}

// Wrap divides a clean line into lines that fit a width, between words where that is possible.
func Wrap(line string, width int) []string {
	if width < 1 || Width(line) <= width {
		return []string{line}
	}
	var out []string
	for piece := range strings.SplitSeq(ansi.Wrap(line, width, ""), "\n") {
		out = append(out, strings.Trim(piece, " "))
	}
	return out
}

// Break divides a clean line into pieces that fit a width, between characters.
func Break(line string, width int) []string {
	if width < 1 || Width(line) <= width {
		return []string{line}
	}
	return strings.Split(ansi.Hardwrap(line, width, true), "\n")
}
