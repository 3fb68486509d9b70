package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"chant/engine"
	"chant/mcp/catalog"
	"chant/mcp/events"
	"chant/mcp/web"
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
	inFlight web.InFlight // requests that are being answered, and calls that outlive theirs
}

func newEndpoint(ctx context.Context, logs io.Writer, open func(dir string) (*engine.Project, error), o Options, h HTTPOptions) (*endpoint, error) {
	c, err := catalog.Choose(toolsets(), o.choice())
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
	gate := web.Gate{Token: e.Token, Hosts: e.Hosts, Public: HealthPath, Refuse: refuseHTTP}
	return gate.Guard(mux)
}

// health is the reply of HealthPath.
func health(version string) []byte {
	out, _ := json.Marshal(map[string]string{"status": "ok", "version": version}) // strings can be encoded
	return out
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
