package markdown

import (
	"slices"

	"github.com/yuin/goldmark/text"
)

// Heading is a heading of the document itself, not one inside a quote or a list.
type Heading struct {
	Level int    // 1 to 6
	Text  string // inline markup as written, lines joined by a space
	Line  int    // of the file, from 1
	Start int    // file offset of the line that the heading begins on
	End   int    // file offset where its section ends: the next heading of its level or higher, or the end
}

// Headings returns the outline in the order of the file.
func (d *Document) Headings() []Heading {
	var all []Heading
	for _, s := range d.parseOutline().sections {
		all = append(all, s.Heading)
	}
	return all
}

// outline is the structure of the body; the syntax tree itself is not kept.
type outline struct {
	sections []section
	tasks    []Task
	items    []Item
	blocks   []codeBlock
	quoted   []quotedBlock // code and HTML blocks, in order
	closer   string        // the line that closes what the file leaves open at its end, else ""
}

// section is a heading and where the text below it begins.
type section struct {
	Heading
	text int
}

// codeBlock is a fenced code block.
type codeBlock struct {
	offset int // of the file
	lang   string
	lines  *text.Segments // of the body
}

// parseOutline returns the outline; it parses the body at the first call.
func (d *Document) parseOutline() *outline {
	d.bodyOnce.Do(func() {
		w := walker{src: d.src, base: d.body, body: d.Body(), parsed: prepare(d.Body())}
		w.count.src = d.src
		root := newParser().Parse(text.NewReader(w.parsed))
		w.walk(root)
		w.outline.closer = w.closer(root.LastChild())
		endSections(w.outline.sections, len(d.src))
		d.outline = w.outline
	})
	return &d.outline
}

// endSections gives every section its end.
func endSections(sections []section, eof int) {
	var open []*section
	for i := range sections {
		next := &sections[i]
		// A heading ends all open sections of its level and below.
		for len(open) > 0 && open[len(open)-1].Level >= next.Level {
			open[len(open)-1].End = next.Start
			open = open[:len(open)-1]
		}
		open = append(open, next)
	}
	for _, s := range slices.Backward(open) {
		s.End = eof
	}
}
