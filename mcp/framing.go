package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// This file reads and writes messages on a stream, each on a line or behind a header with its length.

// maxMessage is the longest message that is read, in bytes.
const maxMessage = 16 << 20

// What is wrong with a frame; the messages behind it can still be read.
var (
	errTooLarge = fmt.Errorf("message is longer than %d bytes", maxMessage)
	ErrHeader   = errors.New("header has no valid Content-Length")
)

// frameReader reads messages that are on a line each or behind a header with their
// length, in any mixture.
type frameReader struct {
	in    *bufio.Reader
	limit int
}

// newFrameReader returns a reader of the messages in a stream.
func newFrameReader(in io.Reader) *frameReader {
	return &frameReader{in: bufio.NewReaderSize(in, 64<<10), limit: maxMessage}
}

// Next returns the next message and whether it had a header. Errors: ErrTooLarge
// and ErrHeader for one message, else those of the stream. A last line needs no
// newline.
func (f *frameReader) Next() (body []byte, framed bool, err error) {
	for {
		line, err := f.line()
		if err != nil {
			return nil, false, err
		}
		// A byte order mark at the beginning of a stream would make the first message invalid.
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		switch {
		case len(line) == 0:
			continue
		case header(line):
			body, err := f.readFramed(string(line))
			return body, true, err
		}
		return line, false, nil
	}
}

// line reads up to a newline, skipping what is over the limit.
func (f *frameReader) line() ([]byte, error) {
	var line []byte
	for tooLong := false; ; {
		part, err := f.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > f.limit; tooLong {
			// What is too long is skipped to its end, so that the next message can be read.
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong:
			return nil, errTooLarge
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}

// header reports whether a line is part of a frame's header; JSON cannot begin like one.
func header(line []byte) bool {
	const word = "content-"
	return len(line) >= len(word) && strings.EqualFold(string(line[:len(word)]), word)
}

// readFramed reads the rest of a header and the message behind it.
func (f *frameReader) readFramed(line string) ([]byte, error) {
	length := int64(-1)
	for line != "" {
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil || n < 0 {
				return nil, ErrHeader
			}
			length = n
		}
		next, err := f.line()
		if err != nil {
			return nil, err
		}
		line = string(bytes.TrimSpace(next))
	}
	if length < 0 {
		return nil, ErrHeader
	}
	if length > int64(f.limit) {
		if _, err := io.CopyN(io.Discard, f.in, length); err != nil {
			return nil, err
		}
		return nil, errTooLarge
	}
	// Grown as it comes: a length alone must not claim memory.
	return io.ReadAll(io.LimitReader(f.in, length))
}

// messageFrame puts a message into the form that its receiver uses.
func messageFrame(body []byte, framed bool) []byte {
	if framed {
		return append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...)
	}
	return append(body, '\n')
}
