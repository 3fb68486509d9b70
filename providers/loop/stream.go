package loop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Bounds of an answer, in bytes. A model that loops would fill the memory.
const (
	maxLine   = 4 << 20
	maxAnswer = 8 << 20
)

// eachLine calls take for the lines of a stream until it ends or take says that the
// answer is whole. A stream that ends before is broken.
func eachLine(stream io.Reader, take func(line []byte) (whole bool, err error)) error {
	// A model that repeats itself would fill the memory.
	bounded := &io.LimitedReader{R: stream, N: maxAnswer}
	lines := bufio.NewScanner(bounded)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for lines.Scan() {
		whole, err := take(lines.Bytes())
		if err != nil && bounded.N <= 0 {
			// The last line is only half of one, so its error says nothing.
			return errTooLong
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
		return brokenOffError(err)
	}
	return errEnded
}

// errEnded is a stream that was read to its end, and had none.
var errEnded = &brokenError{why: "the answer broke off: the stream ended before it did"}

// brokenOffError is the error of an answer that could not be read to its end.
func brokenOffError(err error) error {
	if errors.Is(err, errPrint) {
		return err
	}
	return brokenErrorf("the answer broke off: %s", rootOf(err))
}

// errTooLong is an answer of a size that no model gives on purpose.
var errTooLong = errors.New("the model's answer is longer than 8 MiB")

// eachEvent is eachLine for server-sent events: take gets the data of each. Where a server
// does not stream, as some do not when they refuse, take gets the document that it sent.
func eachEvent(stream io.Reader, take func(data []byte) (whole bool, err error)) error {
	answer := withoutByteOrderMark(stream)
	// Some servers do not stream when they refuse.
	if first, err := firstOf(answer); err == nil && bytes.IndexByte([]byte("{[<"), first) >= 0 {
		return document(answer, take)
	}
	var e events
	err := eachLine(answer, func(line []byte) (bool, error) { return e.line(line, take) })
	switch {
	case !errors.Is(err, errEnded):
		return err
	case len(e.failure) > 0:
		return streamedError(e.failure)
	case len(e.strange) > 0:
		return brokenErrorf("%s, with the message: %s", err, words(e.strange))
	}
	return err
}

// events are the lines of server-sent events, of which those matter that are no piece of
// an answer.
type events struct {
	failed  bool   // the event is named "error"
	failure []byte // its data
	strange []byte // lines that are of no event, the first of them
}

// maxStrange bounds what is kept for its words, in bytes.
const maxStrange = 64 << 10

func (e *events) line(line []byte, take func(data []byte) (whole bool, err error)) (whole bool, err error) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch string(bytes.TrimSpace(field)) {
	case "data":
		if !e.failed {
			return take(value)
		}
		e.failure = append(append(e.failure, value...), '\n')
	case "event":
		e.failed = string(value) == "error"
	case "":
		// An empty line ends the event.
		if len(line) == 0 && e.failed {
			return false, streamedError(e.failure)
		}
	case "id", "retry":
	default:
		if len(e.strange)+len(line) < maxStrange {
			e.strange = append(append(e.strange, line...), '\n')
		}
	}
	return false, nil
}

// eachObject is eachLine for objects of JSON, one a line. Like eachEvent, it takes
// documents too.
func eachObject(stream io.Reader, take func(line []byte) (whole bool, err error)) error {
	answer := withoutByteOrderMark(stream)
	if first, err := firstOf(answer); err == nil {
		begin, err := answer.Peek(2)
		// A document may begin with a brace as well, but on a line of its own.
		if first != '{' || err == nil && (begin[1] == '\n' || begin[1] == '\r') {
			return document(answer, take)
		}
	}
	return eachLine(answer, take)
}

// withoutByteOrderMark is an answer without the mark of its byte order, which the form of events
// allows at its beginning and which would be part of the first line.
func withoutByteOrderMark(stream io.Reader) *bufio.Reader {
	const mark = "\ufeff"
	answer := bufio.NewReader(stream)
	if begin, err := answer.Peek(1); err != nil || begin[0] != mark[0] {
		return answer
	}
	// The form of events allows this mark, which would be part of the first line.
	if begin, err := answer.Peek(len(mark)); err == nil && string(begin) == mark {
		_, _ = answer.Discard(len(mark)) // they are there
	}
	return answer
}

// firstOf peeks at the first byte of an answer that is not a blank.
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

// document reads an answer in one piece. One that is not an object is a message of the
// server, or of a proxy on the way.
func document(answer io.Reader, take func(data []byte) (whole bool, err error)) error {
	src, err := io.ReadAll(io.LimitReader(answer, maxAnswer+1))
	switch {
	case err != nil:
		return brokenOffError(err)
	case len(src) > maxAnswer:
		return errTooLong
	case len(src) > 0 && src[0] != '{':
		return streamedError(src)
	}
	whole, err := take(src)
	if err == nil && !whole {
		err = brokenErrorf("the answer is not a stream and has no end: %q", words(src))
	}
	return err
}

// decode reads one piece of an answer. A piece that makes no sense breaks it.
func decode(src []byte, into any) error {
	if err := json.Unmarshal(src, into); err != nil {
		return brokenErrorf("invalid answer: %s in %q", err, words(src))
	}
	return nil
}
