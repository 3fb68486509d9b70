package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Line is one line of a document.
type Line struct {
	Number int    // of the file, from 1
	Text   string // without the line ending
}

// Item is an item of a list, a task or not.
type Item struct {
	Line  int      // of the file, from 1
	Text  string   // source of its first block, lines joined by a space; a box is part of it
	Code  []string // code spans that end it, as of a [Task]
	Top   bool     // no item is around it
	Tasks bool     // it is a task, or tasks are below it
}

// Quoted is a block that is not read as text: code, fenced or indented, or HTML.
type Quoted struct {
	Line, Last int // the lines of the file that it takes, from 1
	Comment    bool
	Fenced     bool
	Closed     bool // a comment or a fence has its end; nothing ends the others
}

// Quoted returns the blocks that are not read as text, in the order of the file.
func (d *Document) Quoted() []Quoted {
	count := lineCounter{src: d.src}
	var out []Quoted
	for _, q := range d.parseOutline().quoted {
		one := q.Quoted
		one.Line = count.lineOf(q.start)
		one.Last = max(one.Line, count.lineOf(q.end-1))
		out = append(out, one)
	}
	return out
}

// quotedBlock is a block that is not read as text, and its place in the file.
type quotedBlock struct {
	span
	Quoted
}

// Prose returns the lines of the body that people read as text: those of code blocks, fenced or indented, and
// of HTML blocks and comments are left out.
func (d *Document) Prose() []Line {
	quoted := d.parseOutline().quoted
	number := bytes.Count(d.src[:d.body], []byte("\n")) + 1
	var out []Line
	for at := d.body; at < len(d.src); number++ {
		end := lineEnd(d.src, at)
		for len(quoted) > 0 && quoted[0].end <= at {
			quoted = quoted[1:]
		}
		if len(quoted) == 0 || quoted[0].start >= end {
			out = append(out, Line{number, strings.TrimRight(string(d.src[at:end]), "\r\n")})
		}
		at = end
	}
	return out
}

// Items returns the items of all lists in the order of the file. One without text is left out.
func (d *Document) Items() []Item { return d.parseOutline().items }

// item adds a list item whose first block is text, and returns its number, -1 for others.
func (w *walker) item(n *ast.ListItem) int {
	first := n.FirstChild()
	if first == nil || first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph || first.Lines().Len() == 0 {
		return -1
	}
	text := joinLines(first.Lines(), w.body)
	if text == "" {
		return -1
	}
	w.outline.items = append(w.outline.items, Item{
		Line: w.count.lineOf(w.base + first.Lines().At(0).Start), Text: text, Code: w.trailingCode(first), Top: w.items == 0,
	})
	return len(w.outline.items) - 1
}

// quote adds the lines of a block that is not text, its fences or its end included.
func (w *walker) quote(n ast.Node) {
	start := w.base + n.Pos()
	end := lineEnd(w.src, start)
	if lines := n.Lines(); lines.Len() > 0 {
		end = max(end, w.base+lines.At(lines.Len()-1).Stop)
	}
	q := quotedBlock{}
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		q.Fenced = true
		// An unclosed fence has no line of its own at the end.
		if next := lineEnd(w.src, end); opensFence(bytes.TrimLeft(w.src[end:next], "> \t")) != nil {
			end, q.Closed = next, true
		}
	case *ast.HTMLBlock:
		if n.HasClosure() {
			end = max(end, w.base+n.ClosureLine.Stop)
		}
		if q.Comment = n.HTMLBlockType == ast.HTMLBlockType2; q.Comment {
			q.Closed = n.HasClosure() || bytes.Contains(w.src[start:end], []byte("-->"))
		}
	}
	q.span = span{lineStart(w.src, start), end}
	w.outline.quoted = append(w.outline.quoted, q)
}
