package versions

import (
	"bytes"
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// matter is a front matter split into the bytes that belong to each of its keys.
type matter struct {
	parts map[string][]byte // the comments and blank lines above a key, the key and its value
	tail  []byte            // the comments and blank lines below the last key
}

// splitMatter splits a front matter by keys and converts its line ends; ok is false if keys share a line.
func splitMatter(doc *markdown.Document, eol string) (m matter, ok bool) {
	keys, err := doc.Keys()
	if err != nil {
		return m, false
	}
	lines := slices.Collect(bytes.Lines(withLineEnds(doc.FrontMatter(), eol)))
	m.parts = map[string][]byte{}
	end := tailOf(lines, len(lines))
	m.tail = bytes.Join(lines[end:], nil)
	// The comments above a key belong to it, so the keys are read from the end.
	for i := len(keys) - 1; i >= 0; i-- {
		// Lines are counted from 0, after the opening fence.
		at := doc.KeyLine(keys[i]) - 2
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
	// Lines above the first key that belong to no key would be lost.
	return m, end == 0 || len(keys) == 0
}

// tailOf returns where the blank lines and unindented comments directly above a line begin.
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

// withLineEnds returns a text with the given line ends. It converts the text only if its first line has another one.
func withLineEnds(text []byte, eol string) []byte {
	// Converting would change a text with mixed line ends.
	if lineEnd(text) == eol {
		return text
	}
	return bytes.ReplaceAll(spec.UnixLineEnds(text), []byte("\n"), []byte(eol))
}

// conflictMarks returns both sides between git's conflict marks.
func conflictMarks(ours, theirs []byte, eol string) []byte {
	return slices.Concat([]byte("<<<<<<< ours"+eol), ours, []byte("======="+eol), theirs, []byte(">>>>>>> theirs"+eol))
}

// headOf returns the bytes above a body.
func headOf(doc *markdown.Document) []byte {
	src := doc.Bytes()
	return src[:len(src)-len(doc.Body())]
}

// withMatter returns the head of a document with another front matter.
func withMatter(doc *markdown.Document, text []byte) []byte {
	head := headOf(doc)
	if !doc.HasFrontMatter() {
		return slices.Concat(head, []byte("---\n"), text, []byte("---\n"))
	}
	open := bytes.IndexByte(head, '\n') + 1
	return slices.Concat(head[:open], text, head[open+len(doc.FrontMatter()):])
}
