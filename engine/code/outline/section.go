package outline

import (
	"bytes"
	"strings"

	"chant/engine/code/chunk"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// sections divides Markdown at its headings.
func sections(src []byte) []chunk.Chunk {
	d := divider{src: src}
	body := frontMatter(src)
	if body > 0 {
		d.add(0, body, chunk.Document, "")
	}
	var titles []string // of the headings around, by level
	from, title := body, ""
	for _, h := range headings(src, body) {
		d.add(from, h.at, chunk.Section, title, titles...)
		titles = append(titles[:min(len(titles), h.level-1)], h.title)
		from, title = h.at, h.title
	}
	d.add(from, len(src), chunk.Section, title, titles...)
	return d.chunks
}

// heading is a heading of a document.
type heading struct {
	at, level int
	title     string
}

// headings returns the headings of a document, each with the start of its line. What stands before body is no Markdown.
func headings(src []byte, body int) []heading {
	var list []heading
	root := goldmark.DefaultParser().Parse(text.NewReader(src[body:]))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		first := h.Lines().At(0)
		last := h.Lines().At(h.Lines().Len() - 1)
		at := body + bytes.LastIndexByte(src[body:body+first.Start], '\n') + 1
		title := strings.Join(strings.Fields(string(src[body+first.Start:body+last.Stop])), " ")
		list = append(list, heading{at: at, level: h.Level, title: strings.Trim(title, "# ")})
	}
	return list
}

// frontMatter returns where the front matter of a document ends; 0 if there is none.
func frontMatter(src []byte) int {
	start := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	line, rest, ok := bytes.Cut(src[start:], []byte("\n"))
	if !ok || string(bytes.TrimRight(line, "\r")) != "---" {
		return 0
	}
	at := len(src) - len(rest)
	for line := range bytes.Lines(rest) {
		at += len(line)
		if string(bytes.TrimRight(line, "\r\n")) == "---" {
			return at
		}
	}
	return 0
}
