package tui

import (
	"slices"
	"strings"
	"unicode"

	"chant/text"

	"github.com/charmbracelet/x/ansi"
)

const (
	maxText = 8 << 10 // bytes of one event's text that are looked at, from its end
	maxLine = 1000    // bytes of one line that are kept
)

// lastLines is the end of a text as at most n lines, blank ones left out, each
// without control characters and escape sequences.
func lastLines(said string, n int) []string {
	// Only the end is shown, and a text may be large.
	said = said[max(0, len(said)-maxText):]
	var found []string
	for part := range strings.SplitSeq(sanitize(said), "\n") {
		part = strings.TrimRight(part, " ")
		if strings.TrimSpace(part) == "" {
			continue
		}
		found = keepLast(append(found, clip(part)), n)
	}
	// A copy, so that the whole text is not kept.
	return slices.Clone(found)
}

// clip shortens a line to maxLine bytes.
func clip(line string) string { return text.ClipBytes(line, maxLine-len("…")) }

// sanitize removes control sequences, which a terminal executes instead of printing. Line ends of every kind become
// "\n". A sequence that is never finished ends at the line's end, so that it hides no more
// than that. Format characters are removed, since some of them reorder what follows; those
// that join emoji and letters stay.
func sanitize(said string) string {
	lines := strings.Split(strings.Map(normalizeLineEnd, strings.ToValidUTF8(said, "\uFFFD")), "\n")
	for i, line := range lines {
		// In each line by itself, so that a sequence that is never finished hides no more than that line.
		lines[i] = strings.Map(dropInvisible, ansi.Strip(shortForms().Replace(line)))
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\t", "    ")
}

// normalizeLineEnd makes a line end of what some systems and terminals take for one.
func normalizeLineEnd(r rune) rune {
	if strings.ContainsRune("\r\v\f\u0085\u2028\u2029", r) {
		return '\n'
	}
	return r
}

// shortForms spells the control characters of one byte as the library knows them.
func shortForms() *strings.Replacer {
	return strings.NewReplacer("\u0090", "\x1bP", "\u0098", "\x1bX", "\u009b", "\x1b[", "\u009c", "\x1b\\", "\u009d", "\x1b]", "\u009e", "\x1b^", "\u009f", "\x1b_")
}

// dropInvisible drops a character without a shape.
func dropInvisible(r rune) rune {
	// Some format characters reorder what follows; those that join emoji and letters stay.
	if r != '\t' && r != '\u200c' && r != '\u200d' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
		return -1
	}
	return r
}
