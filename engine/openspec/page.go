package openspec

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// bom is the byte order mark that some editors write at the start of a file.
const bom = "\uFEFF"

// line is one line of a document. Level is zero in code and for everything that is not a
// heading.
type line struct {
	text   string
	fenced bool
	level  int
	title  string
	// named says that something follows the blank after the number signs: "##" with a
	// single blank ends a section, but is not one.
	named bool
}

// page is a document or a part of one.
type page []line

// readPage divides a text into lines, whatever they end in, and drops a byte order mark.
func readPage(text string) page { return splitPage(strings.TrimPrefix(text, bom)) }

// splitPage is readPage for a text whose byte order mark counts: a heading after one is
// not seen.
func splitPage(text string) page {
	texts := strings.Split(unixLines(text), "\n")
	p := make(page, len(texts))
	for i, fenced := range fencesOf(texts) {
		p[i] = line{text: texts[i], fenced: fenced}
		if !fenced {
			p[i].level, p[i].title, p[i].named = headingOf(texts[i])
		}
	}
	return p
}

// fencesOf marks the lines of code blocks, with those that open and close them.
func fencesOf(lines []string) []bool {
	fenced := make([]bool, len(lines))
	var open fence
	for i, l := range lines {
		f, rest := fenceOf(l)
		fenced[i] = open.size > 0 || f.size > 0
		switch {
		case open.size == 0:
			open = f
		case f.mark == open.mark && f.size >= open.size && trim(rest) == "":
			open = fence{}
		}
	}
	return fenced
}

// fence is the run of characters that opens or closes a code block.
type fence struct {
	mark byte
	size int
}

func fenceOf(text string) (f fence, rest string) {
	text = trimLeft(text)
	if text == "" || text[0] != '`' && text[0] != '~' {
		return fence{}, ""
	}
	f.mark = text[0]
	rest = strings.TrimLeft(text, string(f.mark))
	if f.size = len(text) - len(rest); f.size < 3 {
		return fence{}, ""
	}
	return f, rest
}

// headingOf reads a heading that starts in the first column. Its number signs are followed
// by a blank.
func headingOf(text string) (level int, title string, named bool) {
	rest := strings.TrimLeft(text, "#")
	level = len(text) - len(rest)
	if level == 0 || level > 6 {
		return 0, "", false
	}
	after := cutBlank(rest)
	if len(after) == len(rest) {
		return 0, "", false
	}
	return level, trim(rest), after != ""
}

// text joins the lines again.
func (p page) text() string {
	var b strings.Builder
	for i, l := range p {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
	}
	return b.String()
}

// section returns the index of the first heading with the title, or -1. A title of any
// level counts, and case does not.
func (p page) section(title string) int {
	for i, l := range p {
		if l.named && sameTitle(l.title, title) {
			return i
		}
	}
	return -1
}

// below returns the lines between the heading at i and the next one of its level or above.
func (p page) below(i int) page {
	end := i + 1
	for end < len(p) && (p[end].level == 0 || p[end].level > p[i].level) {
		end++
	}
	return p[i+1 : end]
}

// children returns the indexes of the headings directly below the one at i: levels may be
// left out.
func (p page) children(i int) []int {
	var found []int
	level := 7
	for j := i + 1; j < len(p); j++ {
		if !p[j].named {
			continue
		}
		if p[j].level <= p[i].level {
			break
		}
		if p[j].level <= level {
			found = append(found, j)
			level = p[j].level
		}
	}
	return found
}

func sameTitle(a, b string) bool { return strings.ToLower(a) == strings.ToLower(b) }

// unixLines makes every line end in a line feed.
func unixLines(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// blank is what counts as white space in the tool's documents: that of ECMAScript, which
// includes the byte order mark.
func blank(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', 0xFEFF, 0x2028, 0x2029:
		return true
	}
	return unicode.Is(unicode.Zs, r)
}

func trim(s string) string      { return strings.TrimFunc(s, blank) }
func trimLeft(s string) string  { return strings.TrimLeftFunc(s, blank) }
func trimRight(s string) string { return strings.TrimRightFunc(s, blank) }

// cutBlank removes one blank from the start of a text.
func cutBlank(s string) string {
	for i, r := range s {
		if i > 0 {
			return s[i:]
		}
		if !blank(r) {
			return s
		}
	}
	return ""
}

// length counts as the tool does: in units of UTF-16.
func length(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// cutFold removes a prefix in whatever case it is written.
func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) || !ascii(s[:len(prefix)]) {
		return s, false
	}
	return s[len(prefix):], true
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}
