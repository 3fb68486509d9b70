package view

import (
	"bytes"
	"regexp"
	"strings"

	"chant/engine/search/find"
	"chant/markdown"
)

// Limits of the excerpts of one document.
const (
	maxExcerpts  = 2
	excerptWidth = 160 // characters of one
)

// excerpts returns the title of a Markdown text and the lines of its body that show best why a query found it: the first
// that contain it as it is written, otherwise those with the best of its words. The title is not one of them.
func excerpts(src []byte, q find.Query, whole *regexp.Regexp) (title string, list []Excerpt) {
	body, before := src, 0
	// A front matter that cannot be read is searched as text.
	if doc, err := markdown.Parse("", src); err == nil {
		title, body = doc.Title(), doc.Body()
		before = bytes.Count(src[:len(src)-len(body)], []byte("\n"))
	}
	// The result already shows the title.
	text := withoutTitle(strings.ToValidUTF8(string(body), "�"), title)
	lines := linesWith(text, whole)
	if len(lines) == 0 {
		lines = find.Excerpts(text, q, maxExcerpts)
	}
	for _, e := range lines {
		e = e.Cut(excerptWidth)
		one := Excerpt{Line: before + e.Line, Text: e.Text}
		for _, m := range e.Marks {
			one.Marks = append(one.Marks, Mark(m))
		}
		list = append(list, one)
	}
	return title, list
}

// linesWith returns the first lines of a text that contain something.
func linesWith(text string, whole *regexp.Regexp) (list []find.Excerpt) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		e := find.Excerpt{Line: number, Text: line}
		for _, at := range whole.FindAllStringIndex(line, -1) {
			e.Marks = append(e.Marks, find.Range{From: at[0], To: at[1]})
		}
		if len(e.Marks) > 0 {
			list = append(list, e)
		}
		if len(list) == maxExcerpts {
			break
		}
	}
	return list
}

// withoutTitle returns a text with an empty line in place of its first heading "# TITLE".
func withoutTitle(text, title string) string {
	for at := 0; title != "" && at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		if rest, ok := strings.CutPrefix(text[at:end], "# "); ok && strings.TrimSpace(rest) == title {
			return text[:at] + text[end:]
		}
		at = end + 1
	}
	return text
}
