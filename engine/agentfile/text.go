package agentfile

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// FileError says what is wrong in which line of a file.
type FileError struct {
	Name string
	Line int // from 1
	Msg  string
}

// Error is "name:line: what".
func (e *FileError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Msg) }

func notValid(name string, line int, what string) *FileError { return &FileError{name, line, what} }

// CheckText refuses a file that is no UTF-8 text.
func CheckText(name string, src []byte) error {
	if at := invalidUTF8(src); at >= 0 {
		return notValid(name, lineOf(src, at), "this is not UTF-8 text")
	}
	return nil
}

// byteOrderMark may stand before a text, and is kept there.
const byteOrderMark = "\ufeff"

// lineOf is the number of the line, from 1, that an offset lies in.
func lineOf(src []byte, at int) int { return 1 + bytes.Count(src[:at], []byte("\n")) }

// invalidUTF8 is the offset of the first byte that is no UTF-8, or -1. A NUL byte
// counts: it means UTF-16 far more often than text.
func invalidUTF8(src []byte) int {
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// newlineOf is the line end of a text, that of its first line.
func newlineOf(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
