package providers

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Ends keeps the beginning and the end of an output, each up to half of Keep bytes: how a tool begins says what it did,
// and how it ends says what came of it. It is used by one goroutine.
type Ends struct {
	Keep int

	head  []byte
	tail  tail
	bytes int64
}

// Write never fails.
func (e *Ends) Write(p []byte) (int, error) {
	n := len(p)
	e.bytes += int64(n)
	if room := e.Keep/2 - len(e.head); room > 0 {
		taken := min(room, n)
		e.head = append(e.head, p[:taken]...)
		p = p[taken:]
	}
	e.tail.keep = max(e.Keep-e.Keep/2, 1)
	e.tail.write(p)
	return n, nil
}

// String is the output, with a line in place of what was left out of the middle.
func (e *Ends) String() string {
	if e.bytes <= int64(e.Keep) {
		return string(bytes.ToValidUTF8(append(bytes.Clone(e.head), e.tail.buf...), []byte("?")))
	}
	head := e.head
	for i := 1; i < utf8.UTFMax && i < len(head); i++ { // not a part of a character
		if r := len(head) - i; utf8.RuneStart(head[r]) {
			if !utf8.FullRune(head[r:]) {
				head = head[:r]
			}
			break
		}
	}
	begin, end := string(bytes.ToValidUTF8(head, []byte("?"))), e.tail.text()
	return fmt.Sprintf("%s\n... (%d bytes left out)\n%s", begin, e.bytes-int64(len(begin)+len(end)), end)
}
