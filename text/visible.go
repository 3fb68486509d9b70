package text

import (
	"bytes"
	"io"
	"sync"
	"unicode/utf8"
)

// VisibleWriter passes text on as Visible spells it, also if a character arrives in two parts.
// What JSON has not escaped itself is written so that it remains JSON.
type VisibleWriter struct {
	to io.Writer

	mu   sync.Mutex
	rest []byte // the beginning of a character or of a line end whose other part is not here yet
}

// NewVisibleWriter returns a VisibleWriter that writes to another writer; nil stays nil.
func NewVisibleWriter(to io.Writer) io.Writer {
	if to == nil {
		return nil
	}
	return &VisibleWriter{to: to}
}

// Write passes p on, but for an incomplete character at its end.
func (v *VisibleWriter) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text := append(v.rest, p...)
	whole := len(text) - incomplete(text)
	// The caller may use its bytes again after the call.
	v.rest = bytes.Clone(text[whole:])
	if _, err := v.to.Write(Visible(text[:whole])); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush passes on what was left at the end.
func (v *VisibleWriter) Flush() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	rest := v.rest
	v.rest = nil
	if len(rest) == 0 {
		return nil
	}
	_, err := v.to.Write(Visible(rest))
	return err
}

// incomplete returns the number of bytes at the end of text that may belong to a longer sequence.
func incomplete(text []byte) int {
	// The line end that belongs to it may be in the next write.
	if bytes.HasSuffix(text, []byte("\r")) {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
