package providers

import (
	"bytes"
	"cmp"
	"unicode/utf8"
)

// tail keeps the end of an output. Its zero value is ready.
type tail struct {
	buf  []byte
	cut  bool // something before buf was dropped
	keep int  // how much, in bytes; 0 = tailSize
}

func (t *tail) size() int { return cmp.Or(t.keep, tailSize) }

func (t *tail) write(p []byte) {
	t.buf = append(t.buf, p...)
	// Trimmed at twice the size, so that many small writes copy little.
	if len(t.buf) > 2*t.size() {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.size():]...)
		t.cut = true
	}
}

// text returns the last bytes, as many as are kept, as valid UTF-8. A cut text
// begins at a line, or at a rune when that would lose more than half.
func (t *tail) text() string {
	kept, cut := t.buf, t.cut
	if len(kept) > t.size() {
		kept, cut = kept[len(kept)-t.size():], true
	}
	if cut {
		kept = fromBorder(kept)
	}
	// Not U+FFFD, whose three bytes could make the text longer than allowed.
	return string(bytes.ToValidUTF8(kept, []byte("?")))
}

func fromBorder(p []byte) []byte {
	if i := bytes.IndexByte(p, '\n'); i >= 0 && i < len(p)/2 {
		return p[i+1:]
	}
	for i := 0; i < len(p) && i < utf8.UTFMax; i++ {
		if utf8.RuneStart(p[i]) {
			return p[i:]
		}
	}
	return p
}
