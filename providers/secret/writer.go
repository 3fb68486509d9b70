package secret

import (
	"io"
	"strings"
)

// Writer returns a writer that takes the secrets out of what passes through it, also
// of one that comes in pieces. Flush writes what it holds back meanwhile, which is
// never more than the longest secret.
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{r: r, w: w} }

// Writer is a redacting writer. It is used by one goroutine.
type Writer struct {
	r    *Redactor
	w    io.Writer
	held string
}

// Write implements io.Writer; its error is that of the writer behind it.
func (w *Writer) Write(p []byte) (int, error) {
	if w.r == nil || w.r.longest == 0 {
		return w.w.Write(p)
	}
	text := w.r.Text(w.held + string(p))
	keep := w.r.beginning(text)
	w.held = text[len(text)-keep:]
	if _, err := io.WriteString(w.w, text[:len(text)-keep]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back.
func (w *Writer) Flush() error {
	held := w.held
	if w.held = ""; held == "" {
		return nil
	}
	_, err := io.WriteString(w.w, held)
	return err
}

// beginning is the length of the longest end of a text with which a secret begins.
func (r *Redactor) beginning(text string) int {
	for n := min(r.longest-1, len(text)); n > 0; n-- {
		end := text[len(text)-n:]
		for _, v := range r.values {
			if len(v.text) > n && strings.HasPrefix(v.text, end) {
				return n
			}
		}
	}
	return 0
}
