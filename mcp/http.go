package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/engine"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// Paths of the HTTP transport.
const (
	EndpointPath = "/mcp"
	HealthPath   = "/healthz"
)

// HTTPOptions say where a server listens and who may use it.
type HTTPOptions struct {
	Addr  string                 // host:port; port 0 = any
	Ready func(url string) error // called with the address of the endpoint; its error ends the server; may be nil
	Token string                 // bearer token to be shown; empty = none is asked for
	Hosts []string               // names, beside the loopback ones, by which the server is reached
}

// endpoint answers MCP messages over streamable HTTP. A client that sends initialize gets a session; without one each
// request is independent. A reply is JSON, or a stream of events when its call may take long. Requests for another host,
// from pages of another origin or without the token are refused.
type endpoint struct {
	HTTPOptions
	srv      *server
	ctx      context.Context // done when the server ends
	sessions httpSessions
	inFlight inFlight // requests that are being answered, and calls that outlive theirs
}

func newEndpoint(ctx context.Context, logs io.Writer, open func(dir string) (*engine.Project, error), o Options, h HTTPOptions) (*endpoint, error) {
	c, err := chooseTool(toolsets(), o.choice())
	if err != nil {
		return nil, err
	}
	e := &endpoint{HTTPOptions: h, srv: newServer(logs, open, c, o), ctx: ctx}
	context.AfterFunc(ctx, e.srv.idle.End)
	return e, nil
}

func (e *endpoint) handler(version string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+HealthPath, func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, health(version))
	})
	mux.HandleFunc("POST "+EndpointPath, e.post)
	mux.HandleFunc("GET "+EndpointPath, e.get)
	mux.HandleFunc("DELETE "+EndpointPath, e.delete)
	gate := webGate{Token: e.Token, Hosts: e.Hosts, Public: HealthPath, Refuse: refuseHTTP}
	return gate.Guard(mux)
}

// health is the reply of HealthPath.
func health(version string) []byte {
	// A map of strings can always be encoded.
	out, _ := json.Marshal(map[string]string{"status": "ok", "version": version})
	return out
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	defer limitWrites(http.NewResponseController(w))()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A client that has gone needs no reply.
	_, _ = w.Write(body)
}

// refuseHTTP answers what never reached the server.
func refuseHTTP(w http.ResponseWriter, status int, why string) {
	body, err := reply{Error: invalid(why, nil)}.body()
	if err != nil {
		status = http.StatusInternalServerError
	}
	writeJSON(w, status, body)
}

// What one server keeps of its clients over HTTP.
const (
	maxSessions = 256 // sessions at a time
	maxStreams  = 16  // long calls of a session that are under way or can still be fetched
)

// httpSession is a session over HTTP: a client that has sent initialize and sends the
// session's id since then. Its calls continue when their connection is lost.
type httpSession struct {
	*client
	ctx  context.Context // done once the session or the server ends
	stop context.CancelFunc

	mu      sync.Mutex
	streams []*eventStream // the newest last
	begun   int
	reading int // streams that its client has opened with GET
}

// stream begins the reply to a long call. Clients that can come back for the rest
// of it learn its id at once. It is nil when as many calls are under way as replies
// are kept.
func (v *httpSession) stream() *eventStream {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.makeRoom() {
		return nil
	}
	v.begun++
	s := newEventStream(strconv.Itoa(v.begun))
	// Only these clients come back for the rest of a reply, for which they need an id at once.
	if v.ProtocolVersion() >= mcpgo.ProtocolVersion20251125 {
		s.Add(nil)
	}
	v.streams = append(v.streams, s)
	return s
}

// makeRoom drops the oldest reply that is whole, when there are too many; false when none
// of them is.
func (v *httpSession) makeRoom() bool {
	if len(v.streams) < maxStreams {
		return true
	}
	// Only a reply that is complete may go: the client may still be reading another.
	i := slices.IndexFunc(v.streams, (*eventStream).Whole)
	if i < 0 {
		return false
	}
	v.streams = slices.Delete(v.streams, i, i+1)
	return true
}

// resume finds what follows the event with an id.
func (v *httpSession) resume(eventID string) (s *eventStream, from int, ok bool) {
	name, number, _ := strings.Cut(eventID, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return nil, 0, false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	i := slices.IndexFunc(v.streams, func(s *eventStream) bool { return s.Name == name })
	if i < 0 || n >= v.streams[i].Length() {
		return nil, 0, false
	}
	return v.streams[i], n + 1, true
}

// reads counts a stream that the client has opened, until done.
func (v *httpSession) reads() (done func()) {
	count := func(n int) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.reading += n
	}
	count(1)
	return func() { count(-1) }
}

func (v *httpSession) idle() bool {
	// One lock after the other: the store calls heard while it is locked.
	return !v.hasReader() && !v.busy() && !v.store.Busy()
}

// hasReader reports whether the client reads notifications that belong to none of its requests.
func (v *httpSession) hasReader() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.reading > 0
}

// httpSessions are the sessions of a server, the one used last at the end.
type httpSessions struct {
	mu   sync.Mutex
	list []*httpSession
}

// begin makes a session that lasts at most as long as ctx. It is not known yet.
func (s *server) begin(ctx context.Context) *httpSession {
	v := &httpSession{client: s.newClient(rand.Text())}
	v.ctx, v.stop = context.WithCancel(ctx)
	background := newSession(v.client, nil)
	background.heard = v.hasReader
	v.keepTasks(v.ctx, background)
	return v
}

// add makes a session known, in the place of the one that has been idle for
// longest when there are too many; false when all are busy.
func (l *httpSessions) add(v *httpSession) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) >= maxSessions {
		// The list is in the order of use, so the first idle one was used longest ago.
		i := slices.IndexFunc(l.list, (*httpSession).idle)
		if i < 0 {
			return false
		}
		l.list[i].stop()
		l.list = slices.Delete(l.list, i, i+1)
	}
	l.list = append(l.list, v)
	return true
}

// find returns the session with an id and counts that as a use of it; nil when
// there is none.
func (l *httpSessions) find(id string) *httpSession {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.list, func(v *httpSession) bool { return v.id == id })
	if i < 0 {
		return nil
	}
	v := l.list[i]
	l.list = append(slices.Delete(l.list, i, i+1), v)
	return v
}

// end ends a session and its calls.
func (l *httpSessions) end(v *httpSession) {
	v.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(each *httpSession) bool { return each == v })
}
