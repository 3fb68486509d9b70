package markdown

import (
	"bytes"
	"strings"
)

// Title returns the text of the first level-1 heading, with "#" before it or "=" below it, with its inline markup, or "".
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
	item    int      // content column of the list item, 0 outside of one
	lazy    bool     // the text belongs to a list item or a quote, until a blank line
	text    []string // of the paragraph
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
	if underlined := s.paragraph(indent, text); underlined != "" {
		return underlined, true
	}
	if indent < 0 || s.item > 0 && indent >= s.item || indent > 3 {
		return "", false
	}
	s.item = 0
	if !isRule(text) {
		s.item = itemColumn(indent, text)
	}
	switch {
	case bytes.HasPrefix(text, []byte("<!--")):
		s.comment = !bytes.Contains(text, []byte("-->"))
	default:
		s.fence = opensFence(text)
	}
	title := atxText(text)
	return title, title != ""
}

// paragraph takes the next line outside of code and comments, and returns the paragraph above it if it is the line below a
// level-1 heading. indent is that of [indentOf].
func (s *titleScanner) paragraph(indent int, text []byte) string {
	switch {
	case len(text) == 0:
		s.lazy, s.text = false, nil
	case len(s.text) > 0 && indent <= 3 && len(bytes.Trim(text, "=")) == 0:
		return strings.Join(s.text, " ")
	case len(s.text) > 0 && indent <= 3 && len(bytes.Trim(text, "-")) == 0: // the line below a level-2 heading
		s.text = nil
	case indent <= 3 && (isHeading(text) || isRule(text) || opensFence(text) != nil || bytes.HasPrefix(text, []byte("<!--"))):
		s.lazy, s.text = false, nil
	case indent <= 3 && (itemColumn(0, text) > 0 || text[0] == '>' || text[0] == '<'): // or HTML, to the next blank line
		inner := bytes.TrimLeft(text, "> ")
		s.lazy, s.text = len(inner) > 0 && !isHeading(inner), nil
	case s.lazy || len(s.text) == 0 && indent > 3:
	default:
		s.text = append(s.text, string(text))
	}
	return ""
}

// isHeading reports whether a line is a heading with "#" before it.
func isHeading(text []byte) bool {
	rest := bytes.TrimLeft(text, "#")
	level := len(text) - len(rest)
	return 1 <= level && level <= 6 && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}

// isRule reports whether a line is a thematic break.
func isRule(text []byte) bool {
	marks := bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(" "), nil), []byte("\t"), nil)
	return len(marks) >= 3 && bytes.IndexByte([]byte("-*_"), marks[0]) >= 0 && len(bytes.Trim(marks, string(marks[:1]))) == 0
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
