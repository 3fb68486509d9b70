package screen

import (
	"bytes"
	"io"
	"strings"

	"chant/text"
)

// Writer passes on text and the styles of this package. Everything else that a terminal would execute is spelled out. It
// is not for concurrent use.
type Writer struct {
	to    io.Writer
	plain *text.VisibleWriter
	rest  []byte // the beginning of a sequence whose end is not here yet
}

// NewWriter returns a Writer that writes to another writer.
func NewWriter(to io.Writer) *Writer {
	plain, _ := text.NewVisibleWriter(to).(*text.VisibleWriter)
	return &Writer{to: to, plain: plain}
}

// Write passes p on, but for the beginning of a style or of a character at its end.
func (w *Writer) Write(p []byte) (int, error) {
	all := append(w.rest, p...)
	w.rest = nil
	for len(all) > 0 {
		at := bytes.IndexByte(all, '\x1b')
		if at < 0 {
			at = len(all)
		}
		if _, err := w.plain.Write(all[:at]); err != nil {
			return 0, err
		}
		if all = all[at:]; len(all) == 0 {
			break
		}
		size, whole := sequence(all)
		// A sequence may be divided between two writes.
		if !whole {
			w.rest = bytes.Clone(all)
			break
		}
		if err := w.writeStyle(all, size); err != nil {
			return 0, err
		}
		all = all[max(size, 1):]
	}
	return len(p), nil
}

// writeStyle writes a style of this size, or the escape that begins none.
func (w *Writer) writeStyle(all []byte, size int) error {
	if size == 0 {
		_, err := w.plain.Write(all[:1])
		return err
	}
	// What the plain writer holds back comes before the style.
	if err := w.plain.Flush(); err != nil {
		return err
	}
	_, err := w.to.Write(all[:size])
	return err
}

// sequence returns the size of the style that a text begins with, 0 for none; whole is false if more text may make it one.
func sequence(all []byte) (size int, whole bool) {
	whole = true
	for _, s := range sequences() {
		if bytes.HasPrefix(all, []byte(s)) {
			return len(s), true
		}
		if strings.HasPrefix(s, string(all[:min(len(all), len(s))])) {
			whole = false
		}
	}
	return 0, whole
}

// Flush passes on what was left at the end.
func (w *Writer) Flush() error {
	rest := w.rest
	w.rest = nil
	if _, err := w.plain.Write(rest); err != nil {
		return err
	}
	return w.plain.Flush()
}
