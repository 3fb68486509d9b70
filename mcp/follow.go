package mcp

import (
	"context"
	"net/http"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// get is the stream on which a session's client hears of changes, or the rest of
// one that it lost.
func (e *endpoint) get(w http.ResponseWriter, r *http.Request) {
	v, ok := e.sessionFor(w, r)
	switch {
	case !ok:
		return
	case v == nil:
		w.Header().Set("Allow", http.MethodPost)
		refuseHTTP(w, http.StatusMethodNotAllowed, "there is no stream outside of a session")
		return
	case !acceptsEvents(r):
		refuseHTTP(w, http.StatusNotAcceptable, "a stream of events has to be accepted")
		return
	}
	// While it is read, the session is not idle and is kept.
	defer v.reads()()
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	// The stream ends with its session, too.
	defer context.AfterFunc(v.ctx, stop)()
	lost := r.Header.Get(mcpgo.HeaderLastEventID)
	if lost == "" {
		go v.background.watch(ctx)
		newEventWriter(w).WriteNotes(ctx, v.background.notes)
		return
	}
	rest, from, ok := v.resume(lost)
	if !ok {
		refuseHTTP(w, http.StatusBadRequest, "nothing is kept of that stream")
		return
	}
	rest.Write(ctx, newEventWriter(w), from)
}

// delete ends a session.
func (e *endpoint) delete(w http.ResponseWriter, r *http.Request) {
	switch v, ok := e.sessionFor(w, r); {
	case !ok:
	case v == nil:
		w.Header().Set("Allow", http.MethodPost)
		refuseHTTP(w, http.StatusMethodNotAllowed, "there is no session to end")
	default:
		e.sessions.end(v)
		w.WriteHeader(http.StatusNoContent)
	}
}

// sessionFor finds the session that a request belongs to, nil for one outside of a session. It answers a request for
// a session that is over, or in an unknown version, and returns false.
func (e *endpoint) sessionFor(w http.ResponseWriter, r *http.Request) (*httpSession, bool) {
	version := r.Header.Get(mcpgo.HeaderProtocolVersion)
	if version != "" && !mcpgo.IsValidProtocolVersion(version) {
		refuseHTTP(w, http.StatusBadRequest, "protocol version is not supported")
		return nil, false
	}
	id := r.Header.Get(mcpgo.HeaderSessionID)
	// Requests of the newer protocol have no session, even with an id.
	if id == "" || mcpgo.IsModernProtocol(version) {
		return nil, true
	}
	v := e.sessions.find(id)
	if v == nil {
		refuseHTTP(w, http.StatusNotFound, "session is over")
	}
	return v, v != nil
}
