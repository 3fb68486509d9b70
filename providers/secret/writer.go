package secret

import (
	"io"
	"strings"
)

// Writer returns a writer that takes the secrets out of what passes through it, also
// of one that comes in pieces. Flush writes what it holds back meanwhile, which is
// always less than the longest secret.
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{r: r, w: w} }

// Writer is a redacting writer. It is used by one goroutine.
type Writer struct {
	r    *Redactor
	w    io.Writer
	held string
	told cover // of what is held
}

// Write implements io.Writer; its error is that of the writer behind it.
func (w *Writer) Write(p []byte) (int, error) {
	if w.r == nil || len(w.r.values()) == 0 {
		return w.w.Write(p)
	}
	text := w.held + string(p)
	if err := w.pass(text, w.r.begins(text)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back.
func (w *Writer) Flush() error { return w.pass(w.held, len(w.held)) }

// pass writes a text up to a border, and holds back the rest. What begins behind the
// border is looked for again once more has come.
func (w *Writer) pass(text string, border int) error {
	found := w.r.matches(text)
	for i, m := range found {
		// What begins behind the border may be the beginning of a longer value.
		if m.start >= border {
			found = found[:i]
			break
		}
	}
	var b strings.Builder
	told := w.told.writeUntil(&b, text, found)
	if told.end < border {
		b.WriteString(text[told.end:border])
		told.end = border
	}
	w.held, w.told = text[border:], cover{told.end - border, told.place}
	if b.Len() == 0 {
		return nil
	}
	_, err := io.WriteString(w.w, b.String())
	return err
}
