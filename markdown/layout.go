package markdown

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// layout records the positions of the keys of a front matter, as offsets in the front matter.
type layout struct {
	src   []byte
	root  mapping
	lines []int // where each line begins
	end   int   // behind the last line that belongs to the YAML document
}

// entry is the place of one key and its value.
type entry struct {
	lines   span   // whole lines
	colon   int    // just behind the colon, -1 if the colon was not found
	value   int    // where the value begins on the line of the key, else colon
	comment []byte // what follows a value of one line: blanks and a comment, no line ending
}

func newLayout(src []byte, root mapping) layout {
	l := layout{src: src, root: root, lines: yamlLines(src), end: len(src)}
	for i, at := range l.lines {
		// Such a line ends the YAML document before the fence.
		if line := l.line(i); bytes.HasPrefix(line, []byte("...")) && isBlank(line[3:]) {
			l.end = at
			break
		}
	}
	return l
}

// yamlLines returns where the lines begin as YAML counts them; it knows more line breaks than Markdown.
func yamlLines(src []byte) []int {
	lines := []int{0}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		i += size
		switch r {
		case '\r':
			if i < len(src) && src[i] == '\n' {
				i++
			}
			lines = append(lines, i)
		// YAML counts these as line breaks, and its positions are by its lines.
		case '\n', '\u0085', '\u2028', '\u2029':
			lines = append(lines, i)
		}
	}
	if n := len(lines); n > 1 && lines[n-1] == len(src) {
		lines = lines[:n-1]
	}
	return lines
}

// indent returns the number of columns before each key.
func (l layout) indent() int {
	if l.root.len() == 0 {
		return 0
	}
	return l.root.key(0).Column - 1
}

// line returns one line with its ending.
func (l layout) line(i int) []byte {
	if i+1 < len(l.lines) {
		return l.src[l.lines[i]:l.lines[i+1]]
	}
	return l.src[l.lines[i]:]
}

// offset turns a position of the YAML package into an offset. It counts columns in characters.
func (l layout) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(l.lines) {
		return len(l.src)
	}
	at := l.lines[n.Line-1]
	// The YAML package counts columns in characters.
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(l.src[at:])
		at += size
	}
	return at
}

// entry finds the place of a key; false if other text precedes it on its line.
func (l layout) entry(i int) (entry, bool) {
	key, value := l.root.key(i), l.root.value(i)
	start := l.lines[key.Line-1]
	// In a flow mapping, keys have no lines of their own.
	if l.root.node.Style&yaml.FlowStyle != 0 || !isBlank(l.src[start:l.offset(key)]) {
		return entry{}, false
	}
	e := entry{lines: span{start, l.entryEnd(i)}}
	e.colon = l.colon(key, value)
	e.value = e.colon
	if e.colon < 0 {
		return e, true
	}
	end := lineEnd(l.src, e.colon)
	if at := l.offset(value); at > e.colon && at < end {
		e.value = at
	}
	e.comment = l.comment(i, e)
	return e, true
}

// colon returns the offset behind the colon of a key, -1 if it is not found.
func (l layout) colon(key, value *yaml.Node) int {
	at := l.offset(key)
	if end := lineEnd(l.src, at); value.Line == key.Line && l.offset(value) <= end {
		before := bytes.TrimRight(l.src[at:l.offset(value)], " \t")
		if !bytes.HasSuffix(before, []byte(":")) {
			return -1
		}
		return at + len(before)
	}
	// A key is never shorter in the file than its text, and a block below it leaves little else on its line.
	at = min(at+len(key.Value), len(l.src))
	i := bytes.IndexByte(l.src[at:lineEnd(l.src, at)], ':')
	if i < 0 {
		return -1
	}
	return at + i + 1
}
