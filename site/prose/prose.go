// Package prose turns the Markdown of specs into HTML that is safe to show: agents write it, and people decide by it. It
// is pure.
//
// # Rules
//
//   - HTML in Markdown is shown as text, comments too: what an agent reads, a person sees, and none of it is markup.
//   - Links lead to http, https and mailto addresses, to headings of the same text, and to what the caller resolves.
//     Every other target is shown as text. Images are links: no page loads anything from elsewhere.
//   - Ids of headings have a prefix, so that no text can take an id of the page around it.
//   - Levels of headings leave none out, whatever the text does.
//   - A line that opens more than 128 containers is overwritten, see markdown.Bounded.
//
// # Decisions
//
// 2026-11-29: tables have a parser of their own, and the nodes of goldmark. Rejected: goldmark/extension of goldmark v1.8.7,
// whose expressions cost every start of the program 0.5 to 0.9 ms of its 3.5 ms of initialization, and 264 kB; its package
// ast costs nothing.
package prose

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"chant/markdown"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Options say how a text is rendered.
type Options struct {
	Top     int  // the level of its highest headings, 1 to 6
	NoTitle bool // leave out the first heading of level 1, which the page shows itself
	// Resolve returns the address of a relative link target, such as the name of a file; ok is false if it has none. It
	// may be nil.
	Resolve func(target string) (address string, ok bool)
}

// HTML renders a text.
func HTML(src string, o Options) string {
	body := markdown.Bounded([]byte(strings.ToValidUTF8(src, string(utf8.RuneError))))
	ids := &headingIDs{used: map[string]bool{}}
	doc := blocks().Parse(text.NewReader(body), parser.WithContext(parser.NewContext(parser.WithIDs(ids))))
	if o.NoTitle {
		removeTitle(doc)
	}
	arrangeHeadings(doc, o.Top)
	return render(doc, body, o, ids.used)
}

// Line renders a text as one line: links, emphasis and code, but no blocks.
func Line(src string, o Options) string {
	body := []byte(strings.ToValidUTF8(strings.TrimSpace(src), string(utf8.RuneError)))
	doc := inlines().Parse(text.NewReader(body))
	out := strings.TrimSpace(render(doc, body, o, nil))
	return strings.TrimSuffix(strings.TrimPrefix(out, "<p>"), "</p>")
}

// blocks returns the parser of whole texts.
var blocks = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(markdown.TaskBoxParser{}, 0))...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(tableTransformer{}, 200))...),
		parser.WithAutoHeadingID(),
	)
})

// inlines returns the parser of single lines.
var inlines = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	)
})

func render(doc ast.Node, body []byte, o Options, ids map[string]bool) string {
	own := &nodeRenderer{options: o, ids: ids}
	r := renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(html.NewRenderer(), 1000),
		// In place of those above.
		util.Prioritized(own, 500),
	))
	var out bytes.Buffer
	// A buffer takes everything.
	if err := r.Render(&out, body, doc); err != nil {
		return string(util.EscapeHTML(body))
	}
	return out.String()
}

// removeTitle removes the first heading of level 1.
func removeTitle(doc ast.Node) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			doc.RemoveChild(doc, n)
			return
		}
	}
}

// arrangeHeadings moves headings so that the highest one has the level top, and each is at most one level below the one
// before it.
func arrangeHeadings(doc ast.Node, top int) {
	highest := 6
	eachHeading(doc, func(h *ast.Heading) { highest = min(highest, h.Level) })
	last := top - 1
	eachHeading(doc, func(h *ast.Heading) {
		// A level that is left out confuses those who move through a page by its headings.
		h.Level = min(6, h.Level-highest+top, last+1)
		last = h.Level
	})
}

func eachHeading(doc ast.Node, do func(*ast.Heading)) {
	// The function returns no error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			do(h)
		}
		return ast.WalkContinue, nil
	})
}
