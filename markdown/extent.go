package markdown

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// maxComments bounds how many "#" of one line are tried as the start of its comment: each costs a parse.
const maxComments = 16

// entryEnd returns the offset behind the last line of an entry. Blank lines and comments below it are left to
// what follows, unless they turn out to be part of the value, as in a block scalar.
func (l layout) entryEnd(i int) int {
	first, next := l.root.key(i).Line, len(l.lines)
	if i+1 < l.root.len() {
		next = l.root.key(i+1).Line - 1
	}
	for next > first && l.lines[next-1] >= l.end {
		next--
	}
	indent := l.root.key(i).Column - 1
	bare := l.trimEnd(first, next, func(line []byte) bool { return isBlank(line) || isComment(line) })
	outer := l.trimEnd(first, next, func(line []byte) bool {
		return isBlank(line) || isComment(line) && indentOf(line) <= indent
	})
	kept := outer
	for kept < next && isBlank(l.line(kept)) {
		// A block scalar may keep its last line breaks.
		kept++
	}
	// The YAML parser decides where the value ends: the first of these lines up to which it reads the same.
	for _, last := range []int{bare, outer, kept} {
		if at := l.lineAt(last); l.readsUpTo(i, at) {
			return at
		}
	}
	return l.lineAt(next)
}

// trimEnd returns the line behind the last one that is not dropped, first at least.
func (l layout) trimEnd(first, next int, drop func([]byte) bool) int {
	for next > first && drop(l.line(next-1)) {
		next--
	}
	return next
}

// lineAt returns the offset where a line begins, the end for one behind the last.
func (l layout) lineAt(i int) int {
	if i < len(l.lines) {
		return l.lines[i]
	}
	return len(l.src)
}

// comment returns the text after a value on its line. The value may end on the line of the key, or be a
// block whose header or key has the comment.
func (l layout) comment(i int, e entry) []byte {
	value := l.root.value(i)
	header := e.value
	switch {
	case value.Kind == yaml.ScalarNode && value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && e.value > e.colon:
		return l.lineComment(header + 1 + countIndicators(l.src[header+1:]))
	case value.Line > l.root.key(i).Line:
		return l.lineComment(e.colon)
	}
	start := max(header, lineStart(l.src, e.lines.end-1))
	end := e.lines.end - len(l.breakAfter(e))
	return l.src[l.valueEnd(i, start, end):end]
}

// lineComment returns the comment on the rest of a line, with the blanks before it.
func (l layout) lineComment(at int) []byte {
	rest := bytes.TrimRight(l.src[at:lineEnd(l.src, at)], "\r\n")
	if isComment(rest) {
		return rest
	}
	return nil
}

// valueEnd returns where the blanks before the comment begin, between start and end; without a comment, the
// end of the value.
func (l layout) valueEnd(i, start, end int) int {
	tried := 0
	for at := start; at < end && tried < maxComments; at++ {
		// A "#" begins a comment only behind a blank.
		if l.src[at] != '#' || at == 0 || l.src[at-1] != ' ' && l.src[at-1] != '\t' {
			continue
		}
		tried++
		// It may also be within quotes, which only a parse shows.
		if l.readsUpTo(i, at) {
			end = at
			break
		}
	}
	return start + len(bytes.TrimRight(l.src[start:end], " \t"))
}

// readsUpTo reports whether the front matter up to an offset already gives the entry its value.
func (l layout) readsUpTo(i, end int) bool {
	m, err := decodeMapping(l.src[:end])
	return err == nil && m.len() == i+1 && same(m.value(i), l.root.value(i))
}

// breakAfter returns the line ending behind an entry, nothing at the end of a front matter without one.
func (l layout) breakAfter(e entry) []byte {
	lines := l.src[e.lines.start:e.lines.end]
	return lines[len(bytes.TrimRight(lines, "\r\n")):]
}

func isComment(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#"))
}

// countIndicators counts the characters of a block scalar's header, such as "2-".
func countIndicators(src []byte) int {
	return len(src) - len(bytes.TrimLeft(src, "+-123456789"))
}
