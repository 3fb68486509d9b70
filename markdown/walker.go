package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// walker collects the outline from the tree.
type walker struct {
	src     []byte
	base    int // file offset of the body
	body    []byte
	parsed  []byte // the body as it was parsed
	items   int    // list items around the node
	parent  int    // offset of the box of the innermost task around the node, or 0
	count   lineCounter
	outline outline
}

// walk visits the blocks below a node. Its depth is bounded by [prepared].
func (w *walker) walk(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			// A heading in a quote or a list is no part of the outline.
			if parent.Kind() == ast.KindDocument {
				w.heading(n)
			}
		case *ast.FencedCodeBlock:
			block := codeBlock{offset: w.base + n.Pos(), lang: string(n.Language(w.parsed)), lines: n.Lines()}
			w.outline.blocks = append(w.outline.blocks, block)
			w.quote(n)
		case *ast.CodeBlock, *ast.HTMLBlock:
			w.quote(n)
		case *ast.ListItem:
			item, tasks := w.item(n), len(w.outline.tasks)
			outer := w.parent
			w.parent = w.task(n)
			w.items++
			w.walk(n)
			w.items--
			w.parent = outer
			if item >= 0 {
				w.outline.items[item].Tasks = len(w.outline.tasks) > tasks
			}
		case *ast.List, *ast.Blockquote:
			w.walk(n)
		}
	}
}

// heading adds a heading; its end is known later.
func (w *walker) heading(n *ast.Heading) {
	start := lineStart(w.src, w.base+n.Pos())
	s := section{text: lineEnd(w.src, start)}
	s.Heading = Heading{Level: n.Level, Text: joinLines(n.Lines(), w.body), Line: w.count.lineOf(start), Start: start}
	if lines := n.Lines(); lines.Len() > 0 && !isATX(w.src[start:], w.base+lines.At(0).Start-start) {
		last := lineEnd(w.src, w.base+lines.At(lines.Len()-1).Start)
		// The text begins behind the underline.
		s.text = lineEnd(w.src, last)
	}
	w.outline.sections = append(w.outline.sections, s)
}

// isATX reports whether a heading whose text begins at offset text of its line is marked with "#" before it.
func isATX(line []byte, text int) bool {
	return len(bytes.Trim(line[:text], " \t")) > 0
}

// joinLines returns the source of lines as one.
func joinLines(lines *text.Segments, src []byte) string {
	var parts []string
	for _, line := range lines.Sliced(0, lines.Len()) {
		if part := strings.TrimSpace(string(line.Value(src))); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

// closer returns what closes the last block of the document where nothing does.
func (w *walker) closer(last ast.Node) string {
	switch n := last.(type) {
	case *ast.FencedCodeBlock:
		open := n.Pos()
		end := lineEnd(w.body, open)
		if n.Lines().Len() > 0 {
			end = n.Lines().At(n.Lines().Len() - 1).Stop
		}
		if len(bytes.TrimSpace(w.body[end:])) == 0 {
			return string(opensFence(bytes.Trim(w.body[open:lineEnd(w.body, open)], " \t\r\n")))
		}
	case *ast.HTMLBlock:
		if !n.HasClosure() {
			return closerOf(n.HTMLBlockType)
		}
	}
	return ""
}

// closerOf returns what ends a block of HTML that a blank line does not end.
func closerOf(kind ast.HTMLBlockType) string {
	switch kind {
	case ast.HTMLBlockType1:
		// Any other of its tags ends it as well.
		return "</pre>"
	case ast.HTMLBlockType2:
		return "-->"
	case ast.HTMLBlockType3:
		return "?>"
	case ast.HTMLBlockType4:
		return ">"
	case ast.HTMLBlockType5:
		return "]]>"
	}
	// The others end at a blank line.
	return ""
}
