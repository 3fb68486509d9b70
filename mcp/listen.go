package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"chant/engine"
	"chant/engine/next"
)

// headerTimeout is how long a client may take to send the header of a request.
const headerTimeout = 10 * time.Second

// ServeHTTP serves Handler at h.Addr until ctx is done; requests under way are
// then stopped and have stopGrace to end. h.Ready learns the address of the
// endpoint once it is open. Errors: *engine.Error with the code Usage for an
// address beyond loopback although h names no host and Conflict for one that
// cannot be listened on; what serving or h.Ready returns.
func ServeHTTP(ctx context.Context, logs io.Writer, open func(dir string) (*engine.Project, error), o Options, h HTTPOptions) error {
	e, err := newEndpoint(ctx, logs, open, o, h)
	if err != nil {
		return err
	}
	defer e.srv.idle.end()
	if err := mayListen(h); err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", h.Addr)
	if err != nil {
		return &engine.Error{
			Code: engine.Conflict, Next: next.MCP.On().Set("http", "127.0.0.1:0"),
			Message: fmt.Sprintf("cannot listen on %q: %s", h.Addr, err), Err: err,
		}
	}
	server := &http.Server{
		Handler: e.handler(o.Version), ReadHeaderTimeout: headerTimeout,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if h.Ready != nil {
		if err := h.Ready("http://" + listener.Addr().String() + EndpointPath); err != nil {
			return errors.Join(err, e.shutdown(server))
		}
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = e.shutdown(server)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// mayListen keeps the server on this machine unless its options name the hosts by which
// others reach it.
func mayListen(h HTTPOptions) error {
	host, _, err := net.SplitHostPort(h.Addr)
	ip := net.ParseIP(host)
	if err == nil && (host == "localhost" || ip != nil && ip.IsLoopback() || len(h.Hosts) > 0) {
		return nil
	}
	return &engine.Error{
		Code: engine.Usage, Next: next.MCP.On().Set("http", "127.0.0.1:0"),
		Message: fmt.Sprintf("address %q is not a loopback address with a port", h.Addr), Err: err,
	}
}

// shutdown lets what is being answered end, and closes every connection.
func (e *endpoint) shutdown(server *http.Server) error {
	over, stop := context.WithCancel(context.Background())
	stop()
	_ = server.Shutdown(over) // no new connections; what is left is closed below
	e.inFlight.drain(stopGrace)
	return server.Close()
}
