package prose

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// nodeRenderer renders the nodes for which goldmark's own renderer is not strict enough, and those that it does not know.
type nodeRenderer struct {
	options Options
	ids     map[string]bool // of headings
}

// RegisterFuncs implements goldmark's node renderer.
func (r *nodeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHTMLBlock, r.htmlBlock)
	reg.Register(ast.KindRawHTML, r.rawHTML)
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindAutoLink, r.autoLink)
	reg.Register(ast.KindImage, r.image)
	reg.Register(ast.KindFencedCodeBlock, r.code)
	reg.Register(ast.KindCodeBlock, r.code)
	reg.Register(extast.KindTaskCheckBox, r.box)
	reg.Register(extast.KindTable, r.element("<table>\n", "</tbody>\n</table>\n"))
	reg.Register(extast.KindTableHeader, r.element("<thead>\n<tr>\n", "</tr>\n</thead>\n<tbody>\n"))
	reg.Register(extast.KindTableRow, r.element("<tr>\n", "</tr>\n"))
	reg.Register(extast.KindTableCell, r.cell)
}

// element returns a renderer of a node that only has a beginning and an end.
func (r *nodeRenderer) element(begin, end string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		text := end
		if entering {
			text = begin
		}
		_, err := w.WriteString(text)
		return ast.WalkContinue, err
	}
}

func (r *nodeRenderer) cell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	name, attribute := "td", ""
	if n.Parent().Kind() == extast.KindTableHeader {
		name, attribute = "th", ` scope="col"`
	}
	if align := n.(*extast.TableCell).Alignment; align != extast.AlignNone {
		attribute += ` class="align-` + align.String() + `"`
	}
	return r.element("<"+name+attribute+">", "</"+name+">\n")(w, nil, n, entering)
}

func (r *nodeRenderer) box(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text := `<span class="box" role="img" aria-label="open">☐</span> `
	if n.(*extast.TaskCheckBox).IsChecked {
		text = `<span class="box" role="img" aria-label="done">☑</span> `
	}
	_, err := w.WriteString(text)
	return ast.WalkContinue, err
}

// htmlBlock shows a block of HTML as code.
func (r *nodeRenderer) htmlBlock(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.HTMLBlock)
	var text strings.Builder
	for _, line := range block.Lines().Sliced(0, block.Lines().Len()) {
		text.Write(line.Value(src))
	}
	if block.HasClosure() {
		text.Write(block.ClosureLine.Value(src))
	}
	// Shown as text: what an agent reads, a person sees, and none of it is markup.
	_, err := fmt.Fprintf(w, "<pre class=\"raw\"><code>%s</code></pre>\n", html.EscapeString(text.String()))
	return ast.WalkSkipChildren, err
}

// rawHTML shows a tag as code.
func (r *nodeRenderer) rawHTML(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	var text strings.Builder
	segments := n.(*ast.RawHTML).Segments
	for i := range segments.Len() {
		segment := segments.At(i)
		text.Write(segment.Value(src))
	}
	_, err := w.WriteString(`<code class="raw">` + html.EscapeString(text.String()) + `</code>`)
	return ast.WalkSkipChildren, err
}

func (r *nodeRenderer) code(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(fenced.Language(src))
	}
	var text strings.Builder
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		text.Write(line.Value(src))
	}
	_, err := fmt.Fprintf(w, "<pre class=\"code\"><code>%s</code></pre>\n", Highlight(text.String(), language))
	return ast.WalkSkipChildren, err
}

func (r *nodeRenderer) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return r.anchor(w, string(n.(*ast.Link).Destination), entering)
}

func (r *nodeRenderer) image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return r.anchor(w, string(n.(*ast.Image).Destination), entering)
}

// anchor begins or ends what links to a target: a link if it may be followed, else the target as text behind it.
func (r *nodeRenderer) anchor(w util.BufWriter, target string, entering bool) (ast.WalkStatus, error) {
	// Entities may spell a scheme.
	target = string(util.URLEscape([]byte(target), true))
	address, ok := r.address(target)
	var err error
	switch {
	case ok && entering:
		_, err = fmt.Fprintf(w, `<a href="%s"%s>`, html.EscapeString(address), relOf(address))
	case ok:
		_, err = w.WriteString("</a>")
	case !entering && target != "":
		_, err = fmt.Fprintf(w, " <code>%s</code>", html.EscapeString(target))
	}
	return ast.WalkContinue, err
}

func (r *nodeRenderer) autoLink(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := n.(*ast.AutoLink)
	target, label := string(link.URL(src)), html.EscapeString(string(link.Label(src)))
	if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(target), "mailto:") {
		target = "mailto:" + target
	}
	if address, ok := r.address(target); ok {
		label = fmt.Sprintf(`<a href="%s"%s>%s</a>`, html.EscapeString(address), relOf(address), label)
	}
	_, err := w.WriteString(label)
	return ast.WalkContinue, err
}

// address returns where a link leads, false if it may lead nowhere.
func (r *nodeRenderer) address(target string) (address string, ok bool) {
	u, err := url.Parse(target)
	switch {
	case err != nil || target == "":
		return "", false
	case slices.Contains([]string{"http", "https"}, u.Scheme):
		return u.String(), u.Host != ""
	case u.Scheme == "mailto":
		return u.String(), true
	// Such as javascript: and data:, which could run a script.
	case u.Scheme != "" || u.Host != "" || strings.HasPrefix(target, "//"):
		return "", false
	case strings.HasPrefix(target, "#"):
		id := idPrefix + u.Fragment
		// Only headings of the same text, because other ids belong to the page around it.
		return "#" + url.PathEscape(id), r.ids[id]
	case r.options.Resolve != nil:
		return r.options.Resolve(target)
	}
	return "", false
}

// relOf returns the attribute rel of a link to an address.
func relOf(address string) string {
	if strings.HasPrefix(address, "http") {
		// Pages elsewhere must not learn where a reader comes from.
		return ` rel="noreferrer nofollow"`
	}
	return ""
}
