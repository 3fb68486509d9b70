package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// pieceSize is how much of a text or an input one event carries, in bytes. It
// is small so that clients have to put pieces together.
const pieceSize = 48

// stream writes a message as server-sent events, in the order the API fixes:
// message_start, each block as start, deltas and stop, message_delta with the
// final usage, message_stop.
type stream struct {
	w   http.ResponseWriter
	err error // the first; nothing is written after it
}

func (s *stream) message(m message) error {
	start := m
	start.Content, start.StopReason, start.Usage.Output = []replyBlock{}, nil, 1
	s.event("message_start", map[string]any{"message": start})
	s.event("ping", map[string]any{})
	for i, b := range m.Content {
		s.block(i, b)
	}
	s.event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": m.StopReason, "stop_sequence": m.StopSequence},
		"usage": m.Usage,
	})
	s.event("message_stop", map[string]any{})
	return s.err
}

func (s *stream) block(i int, b replyBlock) {
	head := b
	kind, field, whole := "input_json_delta", "partial_json", string(b.Input)
	if b.Text != nil {
		kind, field, whole = "text_delta", "text", *b.Text
		head.Text = new(string)
	} else {
		head.Input = json.RawMessage("{}")
	}
	s.event("content_block_start", map[string]any{"index": i, "content_block": head})
	for _, piece := range pieces(whole) {
		s.event("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": kind, field: piece}})
	}
	s.event("content_block_stop", map[string]any{"index": i})
}

// pieces cuts text at rune borders, for each piece has to be valid JSON text.
func pieces(text string) []string {
	var out []string
	from := 0
	for at := range text {
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

// event writes one event; its data repeats the name as "type".
func (s *stream) event(name string, data map[string]any) {
	if s.err != nil {
		return
	}
	data["type"] = name
	src, err := json.Marshal(data)
	if err == nil {
		_, err = fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", name, src)
	}
	if f, ok := s.w.(http.Flusher); ok && err == nil {
		f.Flush()
	}
	s.err = err
}
