package mcp

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// post answers one message.
func (e *endpoint) post(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuseHTTP(w, http.StatusUnsupportedMediaType, "content type must be application/json")
		return
	}
	limit := http.NewResponseController(w).SetReadDeadline
	// Not every connection has deadlines.
	_ = limit(time.Now().Add(patience))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	// The limit is for reading the request only: its answer may take long.
	_ = limit(time.Time{})
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		refuseHTTP(w, http.StatusRequestEntityTooLarge, errTooLarge.Error())
		return
	}
	if err != nil {
		refuseHTTP(w, http.StatusBadRequest, "the request ended before its body did")
		return
	}
	m, bad := e.srv.read(body)
	if bad == nil {
		bad = wrongHeader(r, m)
	}
	if bad != nil {
		writeJSON(w, http.StatusBadRequest, e.srv.refuseMessage(bad))
		return
	}
	v, ok := e.sessionFor(w, r)
	if !ok {
		return
	}
	// From here on the end of the server waits for this request.
	if !e.inFlight.Begin() {
		refuseHTTP(w, http.StatusServiceUnavailable, "the server is ending")
		return
	}
	defer e.inFlight.End()
	e.answer(w, r, m, v)
}

// answer replies to a message that can be read; v is nil outside of a session.
func (e *endpoint) answer(w http.ResponseWriter, r *http.Request, m message, v *httpSession) {
	s := newSession(e.srv.newClient(""), nil)
	if v != nil {
		s = newSession(v.client, nil)
	}
	switch {
	case m.answers():
		s.deliver(m)
		w.WriteHeader(http.StatusAccepted)
	case m.cancelledID() != nil:
		s.cancel(m.cancelledID())
		w.WriteHeader(http.StatusAccepted)
	case m.id == nil:
		e.srv.answer(e.srv.core.WithContext(r.Context(), s), m)
		w.WriteHeader(http.StatusAccepted)
	case m.method == string(mcpgo.MethodInitialize):
		e.initialize(w, r, m)
	case e.srv.takesLong(e.srv.core.WithContext(r.Context(), s), m) && acceptsEvents(r):
		out := e.stream(r.Context(), m, v)
		if out == nil {
			refuseHTTP(w, http.StatusTooManyRequests, "too many calls of this client are under way")
			return
		}
		out.Write(r.Context(), newEventWriter(w), 0)
	default:
		next := newCall(r.Context(), m)
		s.register(next)
		defer s.leave(next)
		writeJSON(w, http.StatusOK, e.srv.answer(e.srv.core.WithContext(next.ctx, s), m))
		// The task begins after its id was sent, or its first notification could come before the client knows it.
		beginTask(s, next)
	}
}

// beginTask begins the task that the answer to a call has created. One whose client has taken back the call is dropped.
func beginTask(s *session, done *call) {
	task := done.created()
	switch {
	case task == nil:
	case done.gone.Load():
		s.store.Drop(task)
	default:
		s.begin(task)
	}
}

// initialize begins a session, unless the client's request is refused.
func (e *endpoint) initialize(w http.ResponseWriter, r *http.Request, m message) {
	v := e.srv.begin(e.ctx)
	v.inFlight = &e.inFlight
	body := e.srv.answer(e.srv.core.WithContext(r.Context(), newSession(v.client, nil)), m)
	switch {
	// Without an agreed version the request was refused, and there is no session.
	case v.ProtocolVersion() == "":
		v.stop()
	case !e.sessions.add(v):
		v.stop()
		w.Header().Set("Retry-After", "1")
		refuseHTTP(w, http.StatusServiceUnavailable, "too many sessions are busy")
		return
	default:
		w.Header().Set(mcpgo.HeaderSessionID, v.id)
	}
	writeJSON(w, http.StatusOK, body)
}

// stream carries out a call beside the request that it came with. Outside of a
// session it ends with that. It is nil when there is no room for it.
func (e *endpoint) stream(ctx context.Context, m message, v *httpSession) *eventStream {
	out, client := newEventStream(""), e.srv.newClient("")
	if v != nil {
		// Such a call continues when its connection is lost.
		out, client, ctx = v.stream(), v.client, v.ctx
	}
	if out == nil {
		return nil
	}
	next := newCall(ctx, m)
	client.register(next)
	s := newSession(client, func(request []byte) error {
		out.Add(request)
		return nil
	})
	// With room for one, the call never waits for a client that is gone.
	reply := make(chan []byte, 1)
	e.inFlight.BeginAnother()
	go func() {
		defer e.inFlight.End()
		out.Fill(s.notes, reply)
	}()
	go func() {
		defer client.leave(next)
		body := e.srv.answer(e.srv.core.WithContext(next.ctx, s), m)
		// The protocol asks for no reply to a cancelled request.
		if next.gone.Load() {
			body = nil
		}
		reply <- body
	}()
	return out
}

// wrongHeader is the error of a request whose headers contradict its body.
func wrongHeader(r *http.Request, m message) *rpcError {
	version := r.Header.Get(mcpgo.HeaderProtocolVersion)
	err := mcpgo.ValidateStandardHeaders(r.Header.Get, version, mcpgo.MCPMethod(m.method), m.params)
	var mismatch mcpgo.HeaderMismatchError
	// An answer to a request of ours has no method that a header could repeat.
	if !errors.As(err, &mismatch) || m.answers() {
		return nil
	}
	return &rpcError{Code: mcpgo.HEADER_MISMATCH, Message: mismatch.Error(), id: m.id}
}

func acceptsEvents(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}
