package mcp

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"chant/engine"
	"chant/mcp/catalog"
	"chant/mcp/events"
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

// Handler answers MCP messages over streamable HTTP until ctx is done. A client
// that sends initialize gets a session; without one each request is independent.
// A reply is JSON, or a stream of events when its call may take long. Requests for
// another host, from pages of another origin or without the token are refused.
// Errors: *engine.Error with the code Usage, as Serve.
func Handler(ctx context.Context, logs io.Writer, open func(dir string) (*engine.Project, error), o Options, h HTTPOptions) (http.Handler, error) {
	e, err := newEndpoint(ctx, logs, open, o, h)
	if err != nil {
		return nil, err
	}
	return e.handler(o.Version), nil
}

// endpoint is a server as HTTP reaches it.
type endpoint struct {
	HTTPOptions
	srv      *server
	ctx      context.Context // done when the server ends
	sessions httpSessions
	inFlight inFlight // requests that are being answered, and calls that outlive theirs
}

func newEndpoint(ctx context.Context, logs io.Writer, open func(dir string) (*engine.Project, error), o Options, h HTTPOptions) (*endpoint, error) {
	c, err := catalog.Choose(toolsets(), o.choice())
	if err != nil {
		return nil, err
	}
	e := &endpoint{HTTPOptions: h, srv: newServer(logs, open, c, o), ctx: ctx}
	context.AfterFunc(ctx, e.srv.idle.end)
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
	return e.guard(mux)
}

// health is the reply of HealthPath.
func health(version string) []byte {
	out, _ := json.Marshal(map[string]string{"status": "ok", "version": version}) // strings can be encoded
	return out
}

// guard turns away what a web page or a stranger could send.
func (e *endpoint) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !e.known(r.Host):
			refuseHTTP(w, http.StatusForbidden, "host is not allowed")
		case !e.knownOrigin(r.Header.Get("Origin")):
			refuseHTTP(w, http.StatusForbidden, "origin is not allowed")
		case r.URL.Path != HealthPath && !e.authorized(r):
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuseHTTP(w, http.StatusUnauthorized, "bearer token is missing or wrong")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// known reports whether a Host header names this machine's loopback or a host that
// the options allow.
func (e *endpoint) known(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	named := func(other string) bool { return strings.EqualFold(name, other) }
	if named("localhost") || slices.ContainsFunc(e.Hosts, named) {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// knownOrigin reports whether a page may call; what is not a page sends no origin.
func (e *endpoint) knownOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && e.known(u.Host)
}

func (e *endpoint) authorized(r *http.Request) bool {
	if e.Token == "" {
		return true
	}
	scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(shown), []byte(e.Token)) == 1
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	defer events.Patiently(http.NewResponseController(w))()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone needs no reply
}

// refuseHTTP answers what never reached the server.
func refuseHTTP(w http.ResponseWriter, status int, why string) {
	body, err := reply{Error: invalid(why, nil)}.body()
	if err != nil {
		status = http.StatusInternalServerError
	}
	writeJSON(w, status, body)
}
