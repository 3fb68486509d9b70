package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newParser returns goldmark with all of its blocks, task boxes, and of the inlines only those that decide
// what a code span is, and those only at the beginning of list items. Links and emphasis are left out: nothing here asks for them,
// and they are most of the work.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		// Links and emphasis are left out: nothing here asks for them, and they are most of the work.
		parser.WithInlineParsers(
			util.Prioritized(TaskBoxParser{}, 0),
			util.Prioritized(inItemParser{parser.NewCodeSpanParser()}, 100),
			util.Prioritized(inItemParser{parser.NewAutoLinkParser()}, 300),
			util.Prioritized(inItemParser{parser.NewRawHTMLParser()}, 400),
		),
	)
}

// inItemParser lets an inline parser work in the first block of a list item only.
type inItemParser struct{ parser.InlineParser }

// Parse implements goldmark's inline parser.
func (p inItemParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if item, ok := parent.Parent().(*ast.ListItem); !ok || item.FirstChild() != parent {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// maxDepth bounds the containers (quotes, list items) that a line may open or continue.
const maxDepth = 128

// prepare returns the body as it is parsed, every byte at its offset. "\r\n" becomes " \n", since goldmark
// does not take a lone marker before "\r" for a list item. A line that goes deeper than maxDepth becomes text.
func prepare(body []byte) []byte {
	// goldmark does not take a lone marker before "\r" for a list item. The replacement keeps every byte at its offset.
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte(" \n")) // a copy, free to change
	for at := 0; at < len(body); {
		end := lineEnd(body, at)
		// goldmark recurses for each level, and a line of ten million ">" would end the process.
		if end-at > maxDepth && isDeep(body[at:end]) {
			flatten(body[at:end])
		}
		at = end
	}
	return body
}

// Bounded returns a copy of a body in which a line that opens more containers than may be followed is overwritten, for
// programs that parse it with goldmark themselves: goldmark recurses per level. "\r\n" becomes " \n".
func Bounded(body []byte) []byte { return prepare(body) }

// isDeep reports whether a line has more markers or more levels of indent in front than may be followed.
func isDeep(line []byte) bool {
	depth, blanks := 0, 0
	for i, c := range line {
		switch {
		case c == ' ':
			blanks++
		case c == '\t':
			blanks += 4
		case c == '>', strings.IndexByte("-*+.)", c) >= 0 && isBlank(line[i+1:min(i+2, len(line))]):
			depth++
		case c < '0' || c > '9':
			return depth+blanks/2 > maxDepth
		}
		if depth > maxDepth {
			return true
		}
	}
	return false // blank, or digits
}

// flatten overwrites a line with letters, its line ending aside.
func flatten(line []byte) {
	for i := range bytes.TrimRight(line, "\r\n") {
		line[i] = 'x'
	}
}
