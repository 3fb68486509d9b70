package spec

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chant/providers/text"
)

// OneLine evens the white space of a text and keeps every byte of its code spans: there it can be part of a command. A
// line break in a span becomes a space, as Markdown reads it.
func OneLine(text string) string {
	var out strings.Builder
	spans(text, func(words, span string) bool {
		evenSpace(&out, words)
		out.WriteString(strings.NewReplacer("\r\n", " ", "\n", " ").Replace(span))
		return true
	})
	return strings.TrimSpace(out.String())
}

// BrokenCommand reports whether a code span of a text goes over a line break. Markdown joins the lines, which makes
// another command of it.
func BrokenCommand(text string) bool {
	broken := false
	spans(text, func(_, span string) bool {
		broken = strings.Contains(span, "\n")
		return !broken
	})
	return broken
}

// evenSpace writes words with one space between them, and one at either end that had some.
func evenSpace(out *strings.Builder, src string) {
	words := text.OneLine(src)
	first, _ := utf8.DecodeRuneInString(src)
	last, _ := utf8.DecodeLastRuneInString(src)
	if unicode.IsSpace(first) {
		out.WriteByte(' ')
	}
	out.WriteString(words)
	if words != "" && unicode.IsSpace(last) {
		out.WriteByte(' ')
	}
}

// spans calls do with each code span of a text and the words before it, and with the words behind the last one, until it
// returns false.
func spans(text string, do func(words, span string) bool) {
	from := 0 // of the words
	for at := 0; at < len(text); {
		span := codeSpan(text[at:])
		switch {
		case text[at] == '\\' && at+1 < len(text):
			at += 2
		case span > 0 && !do(text[from:at], text[at:at+span]):
			return
		case span > 0:
			at += span
			from = at
		default:
			at += max(1, ticks(text[at:]))
		}
	}
	do(text[from:], "")
}

// codeSpan is the length of the code span with which a text begins, 0 when it begins with none.
func codeSpan(text string) int {
	open := ticks(text)
	if open == 0 {
		return 0
	}
	for at := open; at < len(text); {
		run := ticks(text[at:])
		at += max(1, run)
		if run == open {
			return at
		}
	}
	return 0
}

// ticks is the length of the run of backticks with which a text begins.
func ticks(text string) int { return len(text) - len(strings.TrimLeft(text, "`")) }
