package versions

import (
	"bytes"
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// matter is a front matter taken apart into the bytes that belong to each of its keys.
type matter struct {
	parts map[string][]byte // the comments and blank lines above a key, the key and its value
	tail  []byte            // comments and blank lines below the last key
}

// matterOf takes a front matter apart, in the line endings given; ok is false where keys
// share a line.
func matterOf(doc *markdown.Document, eol string) (m matter, ok bool) {
	keys, err := doc.Keys()
	if err != nil {
		return m, false
	}
	lines := slices.Collect(bytes.Lines(inEnds(doc.FrontMatter(), eol)))
	m.parts = map[string][]byte{}
	end := tailOf(lines, len(lines))
	m.tail = bytes.Join(lines[end:], nil)
	for i := len(keys) - 1; i >= 0; i-- {
		at := doc.KeyLine(keys[i]) - 2 // behind the fence, counted from 0
		if at < 0 || at >= end {
			return m, false
		}
		begin := 0
		if i > 0 {
			begin = tailOf(lines, at)
		}
		m.parts[keys[i]] = bytes.Join(lines[begin:end], nil)
		end = begin
	}
	return m, end == 0 || len(keys) == 0
}

// tailOf is where the comments at the margin and blank lines that lead up to a line begin.
func tailOf(lines [][]byte, to int) int {
	for to > 0 {
		line := lines[to-1]
		if line[0] != '#' && len(bytes.TrimSpace(line)) > 0 {
			break
		}
		to--
	}
	return to
}

// inEnds is a text with the line endings given, where its first line ends otherwise.
func inEnds(text []byte, eol string) []byte {
	if lineEnd(text) == eol {
		return text
	}
	return bytes.ReplaceAll(spec.UnixLineEnds(text), []byte("\n"), []byte(eol))
}

// marks puts both sides between the marks of a conflict.
func marks(ours, theirs []byte, eol string) []byte {
	return slices.Concat([]byte("<<<<<<< ours"+eol), ours, []byte("======="+eol), theirs, []byte(">>>>>>> theirs"+eol))
}

// headOf is what stands above a body.
func headOf(doc *markdown.Document) []byte {
	src := doc.Bytes()
	return src[:len(src)-len(doc.Body())]
}

// withMatter is the head of a document around another front matter.
func withMatter(doc *markdown.Document, text []byte) []byte {
	head := headOf(doc)
	if !doc.HasFrontMatter() {
		return slices.Concat(head, []byte("---\n"), text, []byte("---\n"))
	}
	open := bytes.IndexByte(head, '\n') + 1
	return slices.Concat(head[:open], text, head[open+len(doc.FrontMatter()):])
}
