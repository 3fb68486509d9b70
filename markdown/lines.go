package markdown

import "bytes"

// byteOrderMark returns the UTF-8 byte order mark that src begins with, or nothing.
func byteOrderMark(src []byte) []byte {
	const mark = "\uFEFF"
	if bytes.HasPrefix(src, []byte(mark)) {
		return src[:len(mark)]
	}
	return nil
}

// encodingError says why the bytes of a file would be read as something else than their writer sees, "" if they are
// text in an encoding that ASCII is a part of.
func encodingError(src []byte) string {
	head := src[:min(len(src), 512)]
	switch {
	// Without a mark, many NULs show an encoding of two or four bytes.
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}), bytes.HasPrefix(src, []byte{0xfe, 0xff}), bytes.Count(head, []byte{0}) > len(head)/4:
		return "the file is in UTF-16 or UTF-32: save it in UTF-8"
	case bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(src, '\n') < 0 && bytes.Count(head, []byte{'\r'}) > 1:
		return "the lines of the file end in CR alone: save it with LF or CRLF"
	}
	return ""
}

// opensMatter reports whether a file begins with a front matter.
func opensMatter(src []byte) bool {
	at := len(byteOrderMark(src))
	return isFence(src[at:lineEnd(src, at)])
}

// isFence reports whether a line is "---", blanks and the line ending after it aside.
func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && isBlank(line[3:])
}

// isBlank reports whether a line has nothing but white space.
func isBlank(line []byte) bool {
	return len(bytes.TrimRight(line, " \t\r\n")) == 0
}

// lineEnd returns the offset behind the line that holds offset at, its line ending included.
func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// lineStart returns the offset where the line that holds offset at begins.
func lineStart(src []byte, at int) int {
	return bytes.LastIndexByte(src[:at], '\n') + 1
}

// indentOf returns how many spaces a line begins with, -1 if it is blank. A tab counts as four, which is
// all that Markdown's "less than four" needs.
func indentOf(line []byte) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		case '\r', '\n':
			return -1
		default:
			return n
		}
	}
	return -1
}

// lineCounter numbers offsets of a file, cheaply when they come in rising order.
type lineCounter struct {
	src  []byte
	at   int
	line int // breaks before at
}

// lineOf returns the line of an offset, from 1.
func (c *lineCounter) lineOf(offset int) int {
	if offset < c.at {
		c.line -= bytes.Count(c.src[offset:c.at], []byte("\n"))
	} else {
		c.line += bytes.Count(c.src[c.at:offset], []byte("\n"))
	}
	c.at = offset
	return c.line + 1
}
