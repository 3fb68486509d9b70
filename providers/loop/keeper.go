package loop

import (
	"fmt"
	"io"
	"strings"
)

// keeper keeps the beginning and the end of what is written to it. What lies between is
// counted.
type keeper struct {
	limit int // bytes kept; a third of them is the beginning

	head, tail []byte
	all        int
}

// Write takes everything.
func (k *keeper) Write(p []byte) (int, error) {
	n := len(p)
	k.all += n
	room := min(len(p), k.limit/3-len(k.head))
	k.head, p = append(k.head, p[:room]...), p[room:]
	k.tail = append(k.tail, p...)
	if keep := k.limit - k.limit/3; len(k.tail) > 2*keep {
		k.tail = append(k.tail[:0], k.tail[len(k.tail)-keep:]...)
	}
	return n, nil
}

// leftOut is the note where something is missing.
const leftOut = "\n[… %d bytes left out …]\n"

// String is valid UTF-8.
func (k *keeper) String() string {
	tail := k.tail[max(0, len(k.tail)-(k.limit-k.limit/3)):]
	gap := ""
	if lost := k.all - len(k.head) - len(tail); lost > 0 {
		gap = fmt.Sprintf(leftOut, lost)
	}
	return strings.ToValidUTF8(string(k.head)+gap+string(tail), "?")
}

// ends keeps the beginning and the end of a long text, and says what is missing.
func ends(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	k := keeper{limit: limit}
	_, _ = io.WriteString(&k, text) // a keeper takes everything
	return k.String()
}
