// Package text makes texts fit for one line, for a limit and for a terminal, and writes JSON for people. It is the only
// place where chant does that, and every package may import it.
//
// It never decides what a text means, reads nothing and imports no package of ours.
//
// # Rules
//
//   - A text is cut between characters, never within one.
//   - A limit counts characters, unless the function's name says bytes.
//
// # Decisions
//
// 2026-11-23: one package that every other one may import, the leaves included. Ten packages
// had their own version of each function, and each version made other mistakes. Rejected: a
// package at the top level, since its domain is not new; and functions in engine/spec, which
// the leaves cannot import.
package text

import "strings"

// OneLine returns the words of a text with one space between them.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// FirstLine returns the first line that is not blank, without white space at its ends.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// Line returns a line of a program's output as valid UTF-8, without a carriage return at its
// end.
func Line(raw []byte) string {
	return strings.ToValidUTF8(strings.TrimSuffix(string(raw), "\r"), "\uFFFD")
}

// Head returns the first characters of a text, at most limit.
func Head(text string, limit int) string {
	n := 0
	for at := range text {
		if n++; n > limit {
			return text[:at]
		}
	}
	return text
}

// Clip returns a text, or its first limit characters and an ellipsis.
func Clip(text string, limit int) string {
	if head := Head(text, limit); len(head) < len(text) {
		return head + "…"
	}
	return text
}

// ClipBytes returns a text, or what fits into limit bytes of it and an ellipsis.
func ClipBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	// The cut may be within a character, whose beginning is dropped.
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
