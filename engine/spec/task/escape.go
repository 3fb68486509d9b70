package task

import (
	"strings"

	"chant/text"
)

// maxText bounds the text of a comment, in bytes.
const maxText = 16 << 10

// special lists the characters that are written behind a backslash: those with a meaning within a line of Markdown.
const special = "\\`*_[]<>#|~$"

// starting lists those that have one only at the beginning of a line.
const starting = "-+=>"

// Clean returns the text of a comment as it will be read again: without control characters, blanks at the ends of lines
// and empty lines around it, and not longer than comments may be.
func Clean(said string) string {
	lines := strings.Split(strings.ReplaceAll(said, "\r\n", "\n"), "\n")
	for i, line := range lines {
		// Printable would drop a tab, and with it the indentation of code.
		lines[i] = strings.TrimRight(text.Printable(strings.ReplaceAll(line, "\t", "    ")), " ")
	}
	return strings.Trim(text.ClipBytes(strings.Join(lines, "\n"), maxText), "\n")
}

// escape returns a line as plain words of Markdown.
func escape(line string) string {
	var out strings.Builder
	blank := true // so far
	for _, c := range text.Printable(line) {
		if strings.ContainsRune(special, c) || blank && strings.ContainsRune(starting, c) {
			out.WriteByte('\\')
		}
		out.WriteRune(c)
		blank = blank && c == ' '
	}
	return out.String()
}

// unescape reverses escape.
func unescape(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); i++ {
		// A backslash before another character was written by hand and is part of the text.
		if line[i] == '\\' && i+1 < len(line) && strings.IndexByte(special+starting, line[i+1]) >= 0 {
			i++
		}
		out.WriteByte(line[i])
	}
	return out.String()
}

// unquote returns a line without the mark of a quote and what escaped has added; a line without the mark stays.
func unquote(line string) string {
	rest, quoted := strings.CutPrefix(line, ">")
	if !quoted {
		return line
	}
	return unescape(strings.TrimPrefix(rest, " "))
}
