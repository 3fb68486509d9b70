package openspec

import (
	"strings"
)

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
func readPage(text string) page { return splitPage(strings.TrimPrefix(text, BOM)) }

// splitPage is readPage for a text whose byte order mark counts: a heading after one is
// not seen.
func splitPage(text string) page {
	texts := strings.Split(UnixLineEnds(text), "\n")
	p := make(page, len(texts))
	for i, fenced := range Fences(texts) {
		p[i] = line{text: texts[i], fenced: fenced}
		if !fenced {
			p[i].level, p[i].title, p[i].named = headingOf(texts[i])
		}
	}
	return p
}

// headingOf reads a heading that starts in the first column. Its number signs are followed
// by a blank.
func headingOf(text string) (level int, title string, named bool) {
	rest := strings.TrimLeft(text, "#")
	level = len(text) - len(rest)
	if level == 0 || level > 6 {
		return 0, "", false
	}
	after := CutBlank(rest)
	if len(after) == len(rest) {
		return 0, "", false
	}
	return level, Trim(rest), after != ""
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
		if l.named && SameTitle(l.title, title) {
			return i
		}
	}
	return -1
}

// sectionAt returns the lines between the heading at i and the next one of its level or above.
func (p page) sectionAt(i int) page {
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
