// Package events writes server-sent events: the stream of what one request is answered with over HTTP, which a client
// that has lost its connection can read on from.
package events

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// Stream is what one request is answered with over HTTP, event by event. In a
// session it outlives the connection that it is written to: a client that lost
// that comes back for the rest.
type Stream struct {
	Name   string // begins the ids of its events; empty where clients cannot come back
	mu     sync.Mutex
	events [][]byte // an empty one is there for its id
	ended  bool
	grown  chan struct{} // closed once there is more
}

// New begins a stream. name begins the ids of its events; it is empty where clients cannot come back.
func New(name string) *Stream { return &Stream{Name: name, grown: make(chan struct{})} }

// Add adds an event; an empty one only has an id.
func (s *Stream) Add(event []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, event)
	close(s.grown)
	s.grown = make(chan struct{})
}

// End records that nothing follows.
func (s *Stream) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	close(s.grown)
	s.grown = make(chan struct{})
}

// Whole reports whether nothing follows.
func (s *Stream) Whole() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Length is the number of events so far.
func (s *Stream) Length() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.events)
}

// after returns the events from one on, and whether they are the last or else
// what to wait for.
func (s *Stream) after(n int) (events [][]byte, ended bool, grown <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[min(n, len(s.events)):], s.ended, s.grown
}

// Fill adds the notifications of a request and then its reply, if it has one.
func (s *Stream) Fill(notes <-chan mcpgo.JSONRPCNotification, reply <-chan []byte) {
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
func (s *Stream) Write(ctx context.Context, out *Writer, from int) {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for {
		events, ended, grown := s.after(from)
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
			out.beat()
		case <-ctx.Done():
			return
		}
	}
}

// id names an event for clients that come back, empty where they cannot.
func (s *Stream) id(n int) string {
	if s.Name == "" {
		return ""
	}
	return s.Name + "-" + strconv.Itoa(n)
}
