package loop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"chant/providers"
)

// Bounds of an answer, in bytes. A model that loops would fill the memory.
const (
	longestLine   = 4 << 20
	longestAnswer = 8 << 20
)

// eachLine calls take for the lines of a stream until it ends or take says that the
// answer is whole. A stream that ends before is broken.
func eachLine(stream io.Reader, take func(line []byte) (whole bool, err error)) error {
	bounded := &io.LimitedReader{R: stream, N: longestAnswer}
	lines := bufio.NewScanner(bounded)
	lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	for lines.Scan() {
		whole, err := take(lines.Bytes())
		if err != nil && bounded.N <= 0 {
			return errTooLong // the last line is half of one
		}
		if err != nil || whole {
			return err
		}
	}
	err := lines.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong), bounded.N <= 0:
		return errTooLong
	case err != nil:
		return brokenOff(err)
	}
	return broken("the answer broke off: the stream ended before it did")
}

// brokenOff is the error of an answer that could not be read to its end.
func brokenOff(err error) error {
	if errors.Is(err, errPrint) {
		return err
	}
	return broken("the answer broke off: %s", rootOf(err))
}

// errTooLong is an answer of a size that no model gives on purpose.
var errTooLong = errors.New("the model's answer is longer than 8 MiB")

// eachEvent is eachLine for server-sent events: take gets the data of each. Where a server
// does not stream, as some do not when they refuse, take gets the document that it sent.
func eachEvent(stream io.Reader, take func(data []byte) (whole bool, err error)) error {
	answer := bufio.NewReader(stream)
	if first, err := firstOf(answer); err == nil && first == '{' {
		return document(answer, take)
	}
	return eachLine(answer, func(line []byte) (bool, error) {
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			return false, nil // names of events, comments, blank lines
		}
		return take(bytes.TrimSpace(data))
	})
}

// firstOf is the first byte of an answer that is no blank; it stays to be read.
func firstOf(answer *bufio.Reader) (byte, error) {
	for {
		c, err := answer.ReadByte()
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsRune([]byte(" \t\r\n"), rune(c)) {
			return c, answer.UnreadByte()
		}
	}
}

// document reads an answer that is one piece.
func document(answer io.Reader, take func(data []byte) (whole bool, err error)) error {
	src, err := io.ReadAll(io.LimitReader(answer, longestAnswer+1))
	switch {
	case err != nil:
		return brokenOff(err)
	case len(src) > longestAnswer:
		return errTooLong
	}
	whole, err := take(src)
	if err == nil && !whole {
		err = broken("the answer was no stream, and says of no end: %q", providers.Clip(string(src), 80))
	}
	return err
}

// decode reads one piece of an answer. A piece that makes no sense breaks it.
func decode(src []byte, into any) error {
	if err := json.Unmarshal(src, into); err != nil {
		return broken("the answer makes no sense: %s in %q", err, providers.Clip(string(src), 80))
	}
	return nil
}
