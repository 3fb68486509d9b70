package spec

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chant/text"
)

// OneLine replaces each run of white space in a text by one space, but not in code spans, where it can be part of a
// command. A line break in a code span becomes a space, as in Markdown.
func OneLine(text string) string {
	var out strings.Builder
	spans(text, func(words, span string) bool {
		writeWords(&out, words)
		// In a command, several spaces in a row can matter.
		out.WriteString(strings.NewReplacer("\r\n", " ", "\n", " ").Replace(span))
		return true
	})
	return strings.TrimSpace(out.String())
}

// BrokenCommand reports whether a code span of a text contains a line break. Markdown joins the lines, which would make
// it another command.
func BrokenCommand(text string) bool {
	broken := false
	spans(text, func(_, span string) bool {
		broken = strings.Contains(span, "\n")
		return !broken
	})
	return broken
}

// writeWords writes the words of src with one space between them, and one space at each end that had white space.
func writeWords(out *strings.Builder, src string) {
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

// spans calls do with each code span of a text and the words before it, and finally with the words after the last one.
// It stops when do returns false.
func spans(text string, do func(words, span string) bool) {
	from := 0 // of the words
	for at := 0; at < len(text); {
		span := codeSpan(text[at:])
		switch {
		case text[at] == '\\' && at+1 < len(text):
			// An escaped backtick opens no span.
			at += 2
		case span > 0 && !do(text[from:at], text[at:at+span]):
			return
		case span > 0:
			at += span
			from = at
		default:
			// A run of backticks that nothing closes is text, all of it.
			at += max(1, ticks(text[at:]))
		}
	}
	do(text[from:], "")
}

// codeSpan returns the length of the code span at the beginning of a text, 0 if there is none.
func codeSpan(text string) int {
	open := ticks(text)
	if open == 0 {
		return 0
	}
	for at := open; at < len(text); {
		run := ticks(text[at:])
		at += max(1, run)
		// A shorter or longer run of backticks is part of the code.
		if run == open {
			return at
		}
	}
	return 0
}

// ticks returns the number of backticks at the beginning of a text.
func ticks(text string) int { return len(text) - len(strings.TrimLeft(text, "`")) }

// Fenced returns a text as a fenced code block in a language, "" for none. The fence has more backticks than any run of
// them in the text, so the text cannot close it.
func Fenced(lang, text string) string {
	// Three backticks are the least that Markdown takes for a fence.
	fence := strings.Repeat("`", longestTicks(text)+3)
	return fence + lang + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// longestTicks returns the length of the longest run of backticks in a text.
func longestTicks(text string) int {
	longest, run := 0, 0
	for _, c := range text {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
