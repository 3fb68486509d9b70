package markdown

import (
	"bytes"
	"strings"
)

// Title returns the text of the first level-1 heading written with "#", with its inline markup, or "".
// Headings in fenced or indented code, in list items and in HTML comments do not count, nor do empty ones.
//
// It scans lines and stops at the heading, since lists of thousands of files need nothing else of the body.
// In rare places the syntax tree of [Document.Headings] sees more: HTML blocks other than comments, and text
// that continues a list item without its indentation.
func (d *Document) Title() string {
	var s titleScanner
	src := d.Body()
	for at := 0; at < len(src); {
		end := lineEnd(src, at)
		if text, ok := s.heading(src[at:end]); ok {
			return text
		}
		at = end
	}
	return ""
}

// titleScanner is the state after the lines so far.
type titleScanner struct {
	fence   []byte // the run that opened the code block
	comment bool
	item    int // content column of the list item, 0 outside of one
}

// heading takes the next line and returns its text if it is the title.
func (s *titleScanner) heading(line []byte) (string, bool) {
	indent := indentOf(line)
	if s.comment {
		s.comment = !bytes.Contains(line, []byte("-->"))
		return "", false
	}
	text := bytes.Trim(line, " \t\r\n")
	if s.fence != nil {
		if indent >= 0 && indent < 4 && closesFence(text, s.fence) {
			s.fence = nil
		}
		return "", false
	}
	if indent < 0 || s.item > 0 && indent >= s.item || indent > 3 {
		return "", false
	}
	s.item = itemColumn(indent, text)
	switch {
	case bytes.HasPrefix(text, []byte("<!--")):
		s.comment = !bytes.Contains(text, []byte("-->"))
	default:
		s.fence = opensFence(text)
	}
	title := atxText(text)
	return title, title != ""
}

// opensFence returns the run of a line that opens a fenced code block, nil if it opens none.
func opensFence(text []byte) []byte {
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return nil
	}
	rest := bytes.TrimLeft(text, string(text[:1]))
	run := text[:len(text)-len(rest)]
	if len(run) < 3 || run[0] == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return nil
	}
	return run
}

// closesFence reports whether a line is a run at least as long as the one that opened the block.
func closesFence(text, open []byte) bool {
	return len(text) >= len(open) && len(bytes.TrimLeft(text, string(open[:1]))) == 0
}

// itemColumn returns the column where the content of a list item begins, 0 if the line begins no item.
func itemColumn(indent int, text []byte) int {
	marker := bytes.TrimLeft(text, "0123456789")
	digits := len(text) - len(marker)
	if len(marker) == 0 || digits > 9 {
		return 0
	}
	marks := "-*+"
	if digits > 0 {
		marks = ".)"
	}
	if strings.IndexByte(marks, marker[0]) < 0 {
		return 0
	}
	content := bytes.TrimLeft(marker[1:], " ")
	blanks := len(marker) - 1 - len(content)
	switch {
	case len(content) == 0 || blanks > 4:
		blanks = 1
	case content[0] == '\t':
		blanks = 1
	case blanks == 0:
		return 0
	}
	return indent + digits + 1 + blanks
}

// atxText returns the text of a level-1 heading without its closing run, "" if the line is none.
func atxText(text []byte) string {
	rest, ok := bytes.CutPrefix(text, []byte("#"))
	if !ok || len(rest) == 0 || rest[0] != ' ' && rest[0] != '\t' {
		return ""
	}
	rest = bytes.Trim(rest, " \t")
	open := bytes.TrimRight(rest, "#")
	if len(open) == 0 {
		return ""
	}
	if len(open) < len(rest) && (open[len(open)-1] == ' ' || open[len(open)-1] == '\t') {
		rest = bytes.TrimRight(open, " \t")
	}
	return string(rest)
}
