package agentfile

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// FileError says what is wrong on which line of a file.
type FileError struct {
	Name string
	Line int // from 1
	Msg  string
}

// Error is "name:line: what".
func (e *FileError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Msg) }

func invalidFile(name string, line int, what string) *FileError { return &FileError{name, line, what} }

// CheckText refuses a file that is not UTF-8 text.
func CheckText(name string, src []byte) error {
	if at := invalidUTF8(src); at >= 0 {
		return invalidFile(name, lineOf(src, at), "this is not UTF-8 text")
	}
	return nil
}

// byteOrderMark may begin a file, and is kept.
const byteOrderMark = "\ufeff"

// lineOf is the number of the line at an offset, from 1.
func lineOf(src []byte, at int) int { return 1 + bytes.Count(src[:at], []byte("\n")) }

// invalidUTF8 is the offset of the first byte that is not UTF-8, or a NUL, or -1.
func invalidUTF8(src []byte) int {
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		// A NUL byte usually means UTF-16.
		if r == 0 || r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// newlineOf is the line end of the first line of a text.
func newlineOf(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
