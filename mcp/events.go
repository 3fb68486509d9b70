package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// session is the client of one request.
func (e *endpoint) session() *session {
	s := newSession(e.srv.mark)
	s.passing = true
	return s
}

func (e *endpoint) enter(ctx context.Context, s *session) context.Context {
	return e.srv.core.WithContext(ctx, s)
}

// stream answers a message that may take long with what it tells on its way, and
// then its reply.
func (e *endpoint) stream(w http.ResponseWriter, r *http.Request, m message) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	session := e.session()
	done := make(chan []byte, 1)
	go func() { done <- e.srv.answer(e.enter(ctx, session), m) }()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	go session.watch(ctx, tick.C)

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	out := http.NewResponseController(w)
	send := func(data []byte) {
		_, err := w.Write(slices.Concat([]byte("event: message\ndata: "), data, []byte("\n\n")))
		if err == nil {
			err = out.Flush()
		}
		if err != nil {
			stop() // nobody listens any more
		}
	}
	note := func(n mcpgo.JSONRPCNotification) {
		if data, err := json.Marshal(n); err == nil {
			send(data)
		}
	}
	for {
		select {
		case n := <-session.notes:
			note(n)
		case reply := <-done:
			for range len(session.notes) {
				note(<-session.notes)
			}
			send(reply)
			return
		}
	}
}
