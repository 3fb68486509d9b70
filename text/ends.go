package text

import (
	"fmt"
	"io"
	"strings"
)

// EndsWriter keeps the beginning and the end of what is written to it. What lies between is
// counted.
type EndsWriter struct {
	limit int // bytes kept; a third of them is the beginning

	head, tail []byte
	all        int
}

// NewEndsWriter returns an EndsWriter that keeps so many bytes.
func NewEndsWriter(limit int) *EndsWriter { return &EndsWriter{limit: limit} }

// Write takes everything.
func (k *EndsWriter) Write(p []byte) (int, error) {
	n := len(p)
	k.all += n
	room := min(len(p), k.limit/3-len(k.head))
	k.head, p = append(k.head, p[:room]...), p[room:]
	k.tail = append(k.tail, p...)
	// It is cut at twice the size, so that many small writes copy little.
	if keep := k.limit - k.limit/3; len(k.tail) > 2*keep {
		k.tail = append(k.tail[:0], k.tail[len(k.tail)-keep:]...)
	}
	return n, nil
}

// LeftOut is the note where bytes are missing, with their number.
const LeftOut = "\n[… %d bytes left out …]\n"

// String is valid UTF-8.
func (k *EndsWriter) String() string {
	tail := k.tail[max(0, len(k.tail)-(k.limit-k.limit/3)):]
	gap := ""
	if lost := k.all - len(k.head) - len(tail); lost > 0 {
		gap = fmt.Sprintf(LeftOut, lost)
	}
	return strings.ToValidUTF8(string(k.head)+gap+string(tail), "?")
}

// Ends returns a text, or limit bytes of its beginning and its end with a note between them.
func Ends(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	k := NewEndsWriter(limit)
	// It takes everything.
	_, _ = io.WriteString(k, text)
	return k.String()
}
