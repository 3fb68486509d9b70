package tree

import "bytes"

// longLine bounds what is kept of a line without an end, in bytes.
const longLine = 64 << 10

// lineWriter passes on what is written to it line by line, until that fails.
type lineWriter struct {
	line func(string) error
	full func() bool // whether no line is wanted any more; nil = all are
	rest []byte
	err  error // the first one
}

// Write returns the first error of passing on a line.
func (w *lineWriter) Write(p []byte) (int, error) {
	if w.full != nil && w.full() { // output without end must not cost a call for each line
		w.rest = w.rest[:0]
		return len(p), w.err
	}
	for part := range bytes.Lines(p) {
		w.rest = append(w.rest, part...)
		if bytes.HasSuffix(part, []byte("\n")) || len(w.rest) >= longLine {
			w.pass()
		}
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

func (w *lineWriter) pass() {
	text := string(bytes.TrimRight(w.rest, "\r\n"))
	w.rest = w.rest[:0]
	if w.err == nil {
		w.err = w.line(text)
	}
}

// end passes on a last line without a newline, and returns the first error.
func (w *lineWriter) end() error {
	if len(w.rest) > 0 {
		w.pass()
	}
	return w.err
}
