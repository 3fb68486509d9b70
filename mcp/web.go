package mcp

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/spec/next"
)

// This file serves HTTP to programs of this machine: who may ask, where it listens, and how it ends. It knows nothing
// of the messages that are exchanged.
//
// Rules:
//
//   - It listens on a loopback address, unless the hosts are named by which others reach it.
//   - A request for another host, or of a web page of another origin, is refused before anything is read of it: a page
//     that somebody looks at could otherwise send requests to a server of this machine.
//   - With a token, every request has to show it, except for the path that only reports health.
//   - At the end no new request is admitted, and those that are being answered have a limited time.

// headerTimeout is how long a client may take to send the header of a request.
const headerTimeout = 10 * time.Second

// listenWeb opens an address, host:port with port 0 for any. Errors: *engine.Error with the code Usage for an address
// beyond loopback although no hosts are named, and Conflict for one that cannot be listened on.
func listenWeb(ctx context.Context, addr string, hosts []string) (net.Listener, error) {
	if err := mayListen(addr, hosts); err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, &engine.Error{
			Code: engine.Conflict, Next: next.MCP.On().Set("http", "127.0.0.1:0"),
			Message: fmt.Sprintf("cannot listen on %q: %s", addr, err), Err: err,
		}
	}
	return listener, nil
}

// mayListen keeps the server on this machine unless its options name the hosts by which
// others reach it.
func mayListen(addr string, hosts []string) error {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	// A server on another address would be open to the whole network.
	if err == nil && (host == "localhost" || ip != nil && ip.IsLoopback() || len(hosts) > 0) {
		return nil
	}
	return &engine.Error{
		Code: engine.Usage, Next: next.MCP.On().Set("http", "127.0.0.1:0"),
		Message: fmt.Sprintf("address %q is not a loopback address with a port", addr), Err: err,
	}
}

// serveWeb answers requests until ctx is done; those under way are then stopped. ready is called once requests are
// answered, and its error ends the server; it may be nil. wait is called at the end, when no new connections are
// accepted, and every connection is closed when it has returned. Errors: what serving or ready returns.
func serveWeb(ctx context.Context, listener net.Listener, h http.Handler, ready func() error, wait func()) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	// With room for one, the serving goroutine ends although nothing reads its error.
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if ready != nil {
		if err := ready(); err != nil {
			return errors.Join(err, shutdown(server, wait))
		}
	}
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = shutdown(server, wait)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// shutdown lets what is being answered end, and closes every connection.
func shutdown(server *http.Server, wait func()) error {
	over, stop := context.WithCancel(context.Background())
	// A context that is over makes Shutdown return at once: the time limit is in wait.
	stop()
	// No new connections are accepted; what is left is closed below.
	_ = server.Shutdown(over)
	wait()
	return server.Close()
}

// webGate says who may use a server.
type webGate struct {
	Token  string   // bearer token to be shown; empty = none is asked for
	Hosts  []string // names, beside the loopback ones, by which the server is reached
	Public string   // the path that needs no token
	// Refuse answers a request that is turned away.
	Refuse func(w http.ResponseWriter, status int, why string)
}

// Guard turns away what a web page or a stranger could send: requests for another host, from pages of another origin,
// or without the token.
func (g webGate) Guard(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		// A page of another site could reach this machine by a name of its own that leads here.
		case !g.isAllowedHost(r.Host):
			g.Refuse(w, http.StatusForbidden, "host is not allowed")
		case !g.knownOrigin(r.Header.Get("Origin")):
			g.Refuse(w, http.StatusForbidden, "origin is not allowed")
		case r.URL.Path != g.Public && !g.authorized(r):
			w.Header().Set("WWW-Authenticate", "Bearer")
			g.Refuse(w, http.StatusUnauthorized, "bearer token is missing or wrong")
		default:
			handler.ServeHTTP(w, r)
		}
	})
}

// isAllowedHost reports whether a Host header names this machine's loopback or a host that
// the gate allows.
func (g webGate) isAllowedHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	named := func(other string) bool { return strings.EqualFold(name, other) }
	if named("localhost") || slices.ContainsFunc(g.Hosts, named) {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// knownOrigin reports whether a page may call; what is not a page sends no origin.
func (g webGate) knownOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && g.isAllowedHost(u.Host)
}

func (g webGate) authorized(r *http.Request) bool {
	if g.Token == "" {
		return true
	}
	scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	// The time of the comparison must not show how much of the token was right.
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(shown), []byte(g.Token)) == 1
}

// inFlight counts the requests that are being answered. Once it is draining, it admits no further ones.
type inFlight struct {
	mu      sync.Mutex
	count   int
	drained chan struct{} // nil until draining begins; closed when the count is then 0
}

// Begin counts one more request; it returns false while draining.
func (f *inFlight) Begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.drained != nil {
		return false
	}
	f.count++
	return true
}

// BeginAnother counts work that outlives a request which is being answered.
func (f *inFlight) BeginAnother() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
}

// End ends what Begin or BeginAnother has counted.
func (f *inFlight) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	// Only once draining has begun, since the count is 0 between any two requests.
	if f.count--; f.count == 0 && f.drained != nil {
		close(f.drained)
	}
}

// Drain admits no further requests and waits until all have ended, or until the limit.
func (f *inFlight) Drain(limit time.Duration) {
	f.mu.Lock()
	if f.drained == nil {
		f.drained = make(chan struct{})
		if f.count == 0 {
			close(f.drained)
		}
	}
	empty := f.drained
	f.mu.Unlock()
	select {
	case <-empty:
	case <-time.After(limit):
	}
}
