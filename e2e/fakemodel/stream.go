package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// pieceSize is how much of a text or an input one event carries, in bytes. It
// is small so that clients have to put pieces together.
const pieceSize = 48

// stream is an answer in the pieces in which it goes over the wire. It is made
// whole before the first is sent, so that a server knows where its middle is.
type stream struct {
	parts [][]byte
	err   error // the first
}

// named adds a server-sent event; its data repeats the name as "type".
func (s *stream) named(name string, data map[string]any) {
	data["type"] = name
	s.add("event: "+name+"\ndata: ", data, "\n\n")
}

// data adds a server-sent event without a name.
func (s *stream) data(v any) { s.add("data: ", v, "\n\n") }

// line adds a line of JSON.
func (s *stream) line(v any) { s.add("", v, "\n") }

func (s *stream) add(before string, v any, after string) {
	src, err := json.Marshal(v)
	// The first error is the cause of the others.
	if err != nil && s.err == nil {
		s.err = err
	}
	s.parts = append(s.parts, fmt.Appendf(nil, "%s%s%s", before, src, after))
}

// send writes all parts, each at once.
func (s *stream) send(w http.ResponseWriter) error {
	to := http.NewResponseController(w)
	for _, part := range s.parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
		if err := to.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// sendHalf writes the first half, in the midst of a line, and closes the
// connection. It does not return.
func (s *stream) sendHalf(w http.ResponseWriter) {
	half := &stream{parts: s.parts[:len(s.parts)/2]}
	part := s.parts[len(half.parts)]
	half.parts = append(half.parts, part[:len(part)/2])
	// It is lost either way.
	_ = half.send(w)
	panic(http.ErrAbortHandler)
}

// pieces cuts a text at rune borders.
func pieces(text string) []string {
	var out []string
	from := 0
	for at := range text {
		// At the border of a character, because each piece has to be valid JSON text.
		if at-from >= pieceSize {
			out = append(out, text[from:at])
			from = at
		}
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}
