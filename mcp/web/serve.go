package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"chant/engine"
	"chant/engine/spec/next"
)

// headerTimeout is how long a client may take to send the header of a request.
const headerTimeout = 10 * time.Second

// Listen opens an address, host:port with port 0 for any. Errors: *engine.Error with the code Usage for an address
// beyond loopback although no hosts are named, and Conflict for one that cannot be listened on.
func Listen(ctx context.Context, addr string, hosts []string) (net.Listener, error) {
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
	if err == nil && (host == "localhost" || ip != nil && ip.IsLoopback() || len(hosts) > 0) {
		return nil
	}
	return &engine.Error{
		Code: engine.Usage, Next: next.MCP.On().Set("http", "127.0.0.1:0"),
		Message: fmt.Sprintf("address %q is not a loopback address with a port", addr), Err: err,
	}
}

// Serve answers requests until ctx is done; those under way are then stopped. ready is called once requests are
// answered, and its error ends the server; it may be nil. wait is called at the end, when no new connections are
// accepted, and every connection is closed when it has returned. Errors: what serving or ready returns.
func Serve(ctx context.Context, listener net.Listener, h http.Handler, ready func() error, wait func()) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
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
	stop()
	_ = server.Shutdown(over) // no new connections; what is left is closed below
	wait()
	return server.Close()
}
