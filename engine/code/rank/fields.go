package rank

import (
	"path"
	"strings"

	"chant/engine/code/chunk"
	"chant/engine/search/find"
)

const docField = 3 // among the fields

// Fields returns the fields of chunks with their weights, in the order of Texts.
func Fields() find.Fields {
	return find.Fields{
		{Name: "name", Weight: 8}, {Name: "signature", Weight: 2}, {Name: "path", Weight: 8}, {Name: "doc", Weight: 3},
		{Name: "body", Weight: 1},
	}
}

// Texts returns the texts of the fields of a chunk. The path is that of its file, with slashes, and body its bytes.
func Texts(file string, c chunk.Chunk, body string) []string {
	name := strings.Join(c.Symbols, " ")
	if c.Breadcrumb != "" {
		name += " " + c.Breadcrumb
	}
	return []string{name, c.Signature, PathText(file), c.Doc, WithoutDoc(body, c.Doc)}
}

// PathText returns the words of a path: without the extension, which all files of a language have.
func PathText(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// WithoutDoc returns a body without the lines of its doc comment.
func WithoutDoc(body, doc string) string {
	if doc == "" {
		return body
	}
	lines := map[string]bool{}
	for line := range strings.Lines(doc) {
		lines[bare(line)] = true
	}
	var b strings.Builder
	b.Grow(len(body))
	for line := range strings.Lines(body) {
		if text := bare(line); text == "" || !lines[text] {
			b.WriteString(line)
		}
	}
	return b.String()
}

// bare returns a line without what marks comments.
func bare(line string) string {
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "/*#!-;\"'"))
}
