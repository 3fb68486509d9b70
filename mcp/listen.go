package mcp

import (
	"context"
	"io"

	"chant/engine"
)

// ServeHTTP answers MCP messages over streamable HTTP at h.Addr until ctx is done; requests under way are
// then stopped and have stopGrace to end. h.Ready learns the address of the
// endpoint once it is open. Errors: *engine.Error with the code Usage for an
// address beyond loopback although h names no host and Conflict for one that
// cannot be listened on; what serving or h.Ready returns.
func ServeHTTP(ctx context.Context, logs io.Writer, open func(dir string) (*engine.Project, error), o Options, h HTTPOptions) error {
	e, err := newEndpoint(ctx, logs, open, o, h)
	if err != nil {
		return err
	}
	defer e.srv.idle.End()
	listener, err := listenWeb(ctx, h.Addr, h.Hosts)
	if err != nil {
		return err
	}
	ready := func() error {
		if h.Ready == nil {
			return nil
		}
		return h.Ready("http://" + listener.Addr().String() + EndpointPath)
	}
	return serveWeb(ctx, listener, e.handler(o.Version), ready, func() { e.inFlight.Drain(stopGrace) })
}
