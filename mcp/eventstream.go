package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// This file writes server-sent events: the stream of what one request is answered with over HTTP, which a client
// that has lost its connection can read on from.

// eventStream is what one request is answered with over HTTP, event by event. In a
// session it outlives the connection that it is written to: a client that lost
// that comes back for the rest.
type eventStream struct {
	Name   string // begins the ids of its events; empty where clients cannot come back
	mu     sync.Mutex
	events [][]byte // an empty one is there for its id
	ended  bool
	grown  chan struct{} // closed once there is more
}

// newEventStream begins a stream. name begins the ids of its events; it is empty where clients cannot come back.
func newEventStream(name string) *eventStream {
	return &eventStream{Name: name, grown: make(chan struct{})}
}

// Add adds an event; an empty one only has an id.
func (s *eventStream) Add(event []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, event)
	// Closing wakes all who wait; a new channel is for the next event.
	close(s.grown)
	s.grown = make(chan struct{})
}

// End records that nothing follows.
func (s *eventStream) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	close(s.grown)
	s.grown = make(chan struct{})
}

// Whole reports whether nothing follows.
func (s *eventStream) Whole() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Length is the number of events so far.
func (s *eventStream) Length() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.events)
}

// eventsFrom returns the events from one on, and whether they are the last or else
// what to wait for.
func (s *eventStream) eventsFrom(n int) (events [][]byte, ended bool, grown <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[min(n, len(s.events)):], s.ended, s.grown
}

// Fill adds the notifications of a request and then its reply, if it has one.
func (s *eventStream) Fill(notes <-chan mcpgo.JSONRPCNotification, reply <-chan []byte) {
	note := func(n mcpgo.JSONRPCNotification) {
		if data, err := json.Marshal(n); err == nil {
			s.Add(data)
		}
	}
	defer s.End()
	for {
		select {
		case n := <-notes:
			note(n)
		case body := <-reply:
			// Notifications that were sent before the reply must not come after it.
			for range len(notes) {
				note(<-notes)
			}
			if body != nil {
				s.Add(body)
			}
			return
		}
	}
}

// Write sends the events from one on until the last, or until ctx is done.
func (s *eventStream) Write(ctx context.Context, out *eventWriter, from int) {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for {
		events, ended, grown := s.eventsFrom(from)
		for _, data := range events {
			out.event(s.id(from), data)
			from++
		}
		if ended || out.err != nil {
			return
		}
		select {
		case <-grown:
		case <-beat.C:
			// Proxies end connections on which nothing comes for long.
			out.heartbeat()
		case <-ctx.Done():
			return
		}
	}
}

// id names an event for clients that come back, empty where they cannot.
func (s *eventStream) id(n int) string {
	if s.Name == "" {
		return ""
	}
	return s.Name + "-" + strconv.Itoa(n)
}

const (
	// beatEvery is how often a silent stream shows that it lives, well within the
	// patience of proxies and of HTTP clients.
	beatEvery = 15 * time.Second
	// comeBack is how soon a client that lost a stream shall come back for the rest.
	comeBack = time.Second
)

// patience is how long a client may take over a request, and over reading what it
// is sent at a time.
const patience = time.Minute

// limitWrites limits what is written to a client until done: one that does not read
// holds nothing for ever.
func limitWrites(out *http.ResponseController) (done func()) {
	// Not every connection has deadlines.
	_ = out.SetWriteDeadline(time.Now().Add(patience))
	return func() { _ = out.SetWriteDeadline(time.Time{}) }
}

// eventWriter writes server-sent events until one cannot be written.
type eventWriter struct {
	to  http.ResponseWriter
	err error
}

// newEventWriter begins a reply of events.
func newEventWriter(w http.ResponseWriter) *eventWriter {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	out := &eventWriter{to: w}
	// The header goes out at once, so that the client knows that the request has arrived.
	out.flush("")
	return out
}

func (w *eventWriter) event(id string, data []byte) {
	var text strings.Builder
	if id != "" {
		fmt.Fprintf(&text, "id: %s\n", id)
	}
	// An event without data says how soon the client may come back, and gives it an id to come back with.
	if len(data) == 0 {
		fmt.Fprintf(&text, "retry: %d\ndata:\n\n", comeBack.Milliseconds())
	} else {
		fmt.Fprintf(&text, "event: message\ndata: %s\n\n", data)
	}
	w.flush(text.String())
}

// heartbeat is a comment, which clients skip.
func (w *eventWriter) heartbeat() { w.flush(":\n\n") }

func (w *eventWriter) flush(text string) {
	if w.err != nil {
		return
	}
	out := http.NewResponseController(w.to)
	defer limitWrites(out)()
	if _, w.err = w.to.Write([]byte(text)); w.err == nil {
		w.err = out.Flush()
	}
}

// WriteNotes writes notifications until ctx is done or one cannot be written.
func (w *eventWriter) WriteNotes(ctx context.Context, notes <-chan mcpgo.JSONRPCNotification) {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for w.err == nil {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			w.heartbeat()
		case n := <-notes:
			if data, err := json.Marshal(n); err == nil {
				w.event("", data)
			}
		}
	}
}
