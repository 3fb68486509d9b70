// Package prose renders Markdown for a terminal: headings, lists with their boxes, quotes and
// code keep their shape, and paragraphs are wrapped.
//
// It reads nothing and writes nothing. No line of Render is wider than asked for, and text of the document
// reaches the terminal as printable characters alone.
//
// # Decisions
//
//   - 2026-11-26: goldmark's parser, which reads specs anyway, and a renderer of our own.
//     Rejected: glamour v2.0.1, whose highlighter and sanitizer take 15 to 40 ms of each start of
//     a program that imports them, also where it only prints its version (measured on two cores
//     with other work on them: lexers 17 ms, styles 15 ms; chant starts in 10 ms).
//
//   - 2026-11-26: tables are divided into cells here, from paragraphs that begin with a bar.
//     Rejected: goldmark's extension for them, whose tables of Unicode classes are built at each
//     start; and leaving them as they are written, since lines of a table are wider than a terminal.
package prose

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// minWidth is the width below which text is not wrapped any narrower.
const minWidth = 10

// Render returns a Markdown text as styled lines, none of which is wider than width.
func Render(source []byte, width int) []string {
	lines := render(source, width, false)
	for i := range lines {
		// Blocks in blocks may leave less room than the narrowest width.
		if Width(lines[i]) > width {
			lines[i] = Fit(lines[i], width)
		}
	}
	return lines
}

// Page is Render for what is printed and stays: prose is as wide as asked for, and lines of code and tables stay whole, as
// wide as they are, since people copy them.
func Page(source []byte, width int) []string { return render(source, width, true) }

func render(source []byte, width int, whole bool) []string {
	// Before the parser divides what belongs together.
	source = []byte(strings.Join(Lines(string(source)), "\n"))
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(inlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	r := renderer{source: source, whole: whole}
	return r.blocks(p.Parse(text.NewReader(source)), max(width, minWidth), 0)
}

func inlineParsers() []util.PrioritizedValue { return parser.DefaultInlineParsers() }

type renderer struct {
	source []byte
	whole  bool // lines of code are not broken
}

// maxDepth bounds how deep blocks are drawn; deeper ones would have no room.
const maxDepth = 12

// blocks draws the children of a node, with an empty line between them where the text has one.
func (r renderer) blocks(parent ast.Node, width, depth int) []string {
	var out []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		lines := r.block(n, width, depth)
		if len(out) > 0 && len(lines) > 0 && needsEmptyLine(parent, n) {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

// needsEmptyLine reports whether an empty line is drawn before a block.
func needsEmptyLine(parent, n ast.Node) bool {
	switch p := parent.(type) {
	case *ast.List:
		return !p.IsTight
	case *ast.ListItem:
		_, list := n.(*ast.List)
		return !list || n.HasBlankPreviousLines()
	}
	return true
}

func (r renderer) block(n ast.Node, width, depth int) []string {
	if depth > maxDepth {
		return []string{"…"}
	}
	switch n := n.(type) {
	case *ast.Heading:
		style := Bold
		if n.Level <= 2 {
			style = Bold.And(Cyan)
		}
		return wrap(append([]word{{strings.Repeat("#", n.Level), style, true}}, r.words(n, style)...), width)
	case *ast.List:
		return r.list(n, width, depth)
	case *ast.Blockquote:
		return indent(r.blocks(n, max(width-2, minWidth), depth+1), Faint.Paint("│")+" ", Faint.Paint("│")+" ")
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return r.code(n, width, Yellow)
	case *ast.HTMLBlock:
		return r.code(n, width, Faint)
	case *ast.ThematicBreak:
		return []string{Faint.Paint(strings.Repeat("─", min(width, 40)))}
	case *ast.LinkReferenceDefinition:
		return nil
	}
	if r.isTable(n) {
		if lines, ok := r.table(n, width); ok {
			return lines
		}
		// A table that does not fit stays as it is written.
		return r.code(n, width, None)
	}
	return wrap(r.words(n, None), width)
}

// isTable reports whether a paragraph is a table, by its first character.
func (r renderer) isTable(n ast.Node) bool {
	lines := n.Lines()
	return lines.Len() > 1 && bytes.HasPrefix(bytes.TrimLeft(lines.Value(r.source), " "), []byte("|"))
}

func (r renderer) list(n *ast.List, width, depth int) []string {
	var out []string
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if n.IsOrdered() {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		lines := r.blocks(item, max(width-Width(mark), minWidth), depth+1)
		if len(lines) == 0 {
			lines = []string{""}
		}
		if len(out) > 0 && !n.IsTight {
			out = append(out, "")
		}
		out = append(out, indent(lines, mark, strings.Repeat(" ", Width(mark)))...)
	}
	return out
}

// code draws lines as they are, broken where they do not fit.
func (r renderer) code(n ast.Node, width int, style Style) []string {
	if r.whole {
		width = 0
	}
	var out []string
	for _, line := range Lines(string(n.Lines().Value(r.source))) {
		for _, piece := range Break(line, codeWidth(width)) {
			out = append(out, "  "+style.Paint(piece))
		}
	}
	return out
}

// codeWidth is the width of a line of code, 0 for any.
func codeWidth(width int) int {
	if width == 0 {
		return 0
	}
	return max(width-2, minWidth)
}

// indent puts one text before the first line, and another before the others.
func indent(lines []string, first, rest string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if i == 0 {
			out[i] = first + line
		} else {
			out[i] = strings.TrimRight(rest+line, " ")
		}
	}
	return out
}
