package events

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

const (
	// beatEvery is how often a silent stream shows that it lives, well within the
	// patience of proxies and of HTTP clients.
	beatEvery = 15 * time.Second
	// comeBack is how soon a client that lost a stream shall come back for the rest.
	comeBack = time.Second
)

// Patience is how long a client may take over a request, and over reading what it
// is sent at a time.
const Patience = time.Minute

// Patiently limits what is written to a client until done: one that does not read
// holds nothing for ever.
func Patiently(out *http.ResponseController) (done func()) {
	_ = out.SetWriteDeadline(time.Now().Add(Patience)) // not every connection knows deadlines
	return func() { _ = out.SetWriteDeadline(time.Time{}) }
}

// Writer writes server-sent events until one cannot be written.
type Writer struct {
	to  http.ResponseWriter
	err error
}

// NewWriter begins a reply of events.
func NewWriter(w http.ResponseWriter) *Writer {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	out := &Writer{to: w}
	out.flush("")
	return out
}

func (w *Writer) event(id string, data []byte) {
	var text strings.Builder
	if id != "" {
		fmt.Fprintf(&text, "id: %s\n", id)
	}
	if len(data) == 0 {
		fmt.Fprintf(&text, "retry: %d\ndata:\n\n", comeBack.Milliseconds())
	} else {
		fmt.Fprintf(&text, "event: message\ndata: %s\n\n", data)
	}
	w.flush(text.String())
}

// beat is a comment, which clients skip.
func (w *Writer) beat() { w.flush(":\n\n") }

func (w *Writer) flush(text string) {
	if w.err != nil {
		return
	}
	out := http.NewResponseController(w.to)
	defer Patiently(out)()
	if _, w.err = w.to.Write([]byte(text)); w.err == nil {
		w.err = out.Flush()
	}
}

// WriteNotes writes notifications until ctx is done or one cannot be written.
func (w *Writer) WriteNotes(ctx context.Context, notes <-chan mcpgo.JSONRPCNotification) {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for w.err == nil {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			w.beat()
		case n := <-notes:
			if data, err := json.Marshal(n); err == nil {
				w.event("", data)
			}
		}
	}
}
