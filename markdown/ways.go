package markdown

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// addFence writes a front matter before a document that has none.
func (c change) addFence() []byte {
	d, eol := c.doc, c.doc.eol()
	matter := reindent(encodeEntry(keyNode(c.key), styleLike(c.want, c.want)), 0, eol)
	return slices.Concat(d.src[:d.body], []byte("---"+eol), matter, []byte("---"+eol), d.src[d.body:])
}

// appendKey writes a new key behind the last line, yet before a line that ends the YAML document.
func (c change) appendKey() []byte {
	l := newLayout(c.doc.FrontMatter(), c.old)
	indent := l.indent()
	text := encodeEntry(keyNode(c.key), styleLike(c.want, &yaml.Node{}))
	text = slices.Concat(bytes.Repeat([]byte(" "), indent), reindent(text, indent, c.doc.eol()))
	return c.splice(span{l.end, l.end}, text)
}

// removeKey cuts the lines of the key out.
func (c change) removeKey() []byte {
	l := newLayout(c.doc.FrontMatter(), c.old)
	e, ok := l.entry(c.at)
	if !ok {
		return nil
	}
	return c.splice(e.lines, nil)
}

// removeWithBlanks cuts the blank lines below the key out too: a block scalar above would take them for its own.
func (c change) removeWithBlanks() []byte {
	l := newLayout(c.doc.FrontMatter(), c.old)
	e, ok := l.entry(c.at)
	if !ok {
		return nil
	}
	for e.lines.end < l.end && isBlank(l.src[e.lines.end:lineEnd(l.src, e.lines.end)]) {
		e.lines.end = lineEnd(l.src, e.lines.end)
	}
	return c.splice(e.lines, nil)
}

// editNested edits the keys of a map that is a block and stays one, so that the bytes of the others and all comments stay.
func (c change) editNested() []byte {
	was, want := mapping{c.old.value(c.at)}, mapping{c.want}
	if was.node.Kind != yaml.MappingNode || was.node.Style&yaml.FlowStyle != 0 || want.node.Kind != yaml.MappingNode || want.len() == 0 {
		return nil
	}
	l := newLayout(c.doc.FrontMatter(), c.old)
	e, ok := l.entry(c.at)
	if !ok || was.node.Line <= l.root.key(c.at).Line {
		return nil
	}
	// The lines below the key are a front matter themselves: one whose keys are indented.
	at, eol := span{lineEnd(l.src, e.lines.start), e.lines.end}, c.doc.eol()
	inner, err := parse(c.doc.path, slices.Concat([]byte("---"+eol), l.src[at.start:at.end], []byte("---"+eol)))
	if err != nil {
		return nil
	}
	var edits []Edit
	for i := range want.len() {
		edits = append(edits, Set(want.key(i).Value, want.value(i)))
	}
	// Last, since a map without a key left has no layout for new ones.
	for i := range was.len() {
		if key := was.key(i).Value; want.index(key) < 0 {
			edits = append(edits, Unset(key))
		}
	}
	// An alias, for example, has its anchor elsewhere in the file.
	if inner, err = inner.Apply(edits...); err != nil {
		return nil
	}
	return c.splice(at, inner.FrontMatter())
}

// replaceValue writes the value in the style of the old one.
func (c change) replaceValue() []byte { return c.replaceWith(styleLike(c.want, c.old.value(c.at))) }

// replaceQuoted writes the value with every string in double quotes.
func (c change) replaceQuoted() []byte { return c.replaceWith(quoteStrings(c.want)) }

func (c change) replaceWith(value *yaml.Node) []byte {
	l := newLayout(c.doc.FrontMatter(), c.old)
	e, ok := l.entry(c.at)
	if !ok || e.colon < 0 {
		return nil
	}
	text := reindent(encodeValue(value), l.indent(), c.doc.eol())
	if block, isBlock := bytes.CutPrefix(text, []byte(c.doc.eol())); isBlock {
		// The comment moves up to the line of the key, the only one that stays.
		return c.splice(span{e.colon, e.lines.end}, slices.Concat(e.comment, []byte(c.doc.eol()), block))
	}
	head := l.src[e.colon:e.value]
	if len(head) == 0 {
		head = []byte(" ")
	}
	text = bytes.TrimPrefix(text, []byte(" "))
	if first := bytes.TrimRight(text, "\r\n"); !bytes.Contains(first, []byte("\n")) {
		text = slices.Concat(first, e.comment, l.breakAfter(e))
	}
	return c.splice(span{e.colon, e.lines.end}, slices.Concat(head, text))
}

// rewriteKey writes key and value anew over their lines.
func (c change) rewriteKey() []byte {
	l := newLayout(c.doc.FrontMatter(), c.old)
	e, ok := l.entry(c.at)
	if !ok {
		return nil
	}
	indent := l.indent()
	text := reindent(encodeEntry(keyNode(c.key), quoteStrings(c.want)), indent, c.doc.eol())
	return c.splice(e.lines, slices.Concat(bytes.Repeat([]byte(" "), indent), text))
}

// rebuildTree writes the whole tree anew, where keys have no lines of their own: in a flow mapping, or for a key
// marked with "?". Order stays, layout does not.
func (c change) rebuildTree() []byte {
	// Where keys have lines of their own, writing everything anew would change the layout of the whole file.
	if c.old.node == nil || c.hasLines() {
		return nil
	}
	root := *c.old.node
	root.Content = slices.Clone(root.Content)
	switch {
	case c.want == nil:
		root.Content = slices.Delete(root.Content, 2*c.at, 2*c.at+2)
	case c.at < 0:
		root.Content = append(root.Content, keyNode(c.key), quoteStrings(c.want))
	default:
		root.Content[2*c.at+1] = quoteStrings(c.want)
	}
	text, err := encodeRoot(&root)
	if err != nil {
		return nil
	}
	whole := span{0, c.doc.matter.end - c.doc.matter.start}
	return c.splice(whole, []byte(strings.ReplaceAll(string(text), "\n", c.doc.eol())))
}

// hasLines reports whether the key has, or as a new one would get, lines of its own.
func (c change) hasLines() bool {
	if c.at < 0 {
		return c.old.node.Style&yaml.FlowStyle == 0
	}
	_, ok := newLayout(c.doc.FrontMatter(), c.old).entry(c.at)
	return ok
}

// keyNode returns a key as the YAML package would write it.
func keyNode(key string) *yaml.Node {
	node := new(yaml.Node)
	node.SetString(key)
	if strings.Contains(key, "\n") {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}
