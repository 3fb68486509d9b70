package syntax

import "strings"

// docText returns the documentation of a declaration: the comments above, and the docstring of Python.
func (w *nodes) docText(c, body int, comments []int) string {
	var lines []string
	for _, i := range comments {
		lines = append(lines, commentLines(w.text(i))...)
	}
	if w.lang == Python && body >= 0 {
		if text := w.docstring(body); text != "" {
			lines = append(lines, commentLines(text)...)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// docstring returns the string with which a block starts, without its quotes.
func (w *nodes) docstring(block int) string {
	for c := block + 1; c < w.next(block); c = w.next(c) {
		if w.tree.Kind(c) == "comment" {
			continue
		}
		// Anything but a string before the first statement means that there is no docstring.
		if w.tree.Kind(c) != "expression_statement" || c+1 >= w.next(c) || w.tree.Kind(c+1) != "string" {
			return ""
		}
		text := strings.TrimLeft(w.text(c+1), "rRuUbB")
		return strings.Trim(text, `"'`)
	}
	return ""
}

// commentLines returns the lines of a comment without its marks.
func commentLines(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	block := strings.HasPrefix(lines[0], "/*")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "//"):
			line = strings.TrimLeft(line, "/")
			line = strings.TrimPrefix(line, "!")
		case strings.HasPrefix(line, "#"):
			line = strings.TrimLeft(line, "#")
		case line == "=begin", line == "=end":
			line = ""
		case block:
			line = strings.TrimPrefix(line, "/")
			line = strings.TrimSuffix(line, "*/")
			line = strings.TrimLeft(line, "*")
			line = strings.TrimPrefix(line, "!")
		}
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}
