// Package embedded has the server of a queue for the hub of a fleet: NATS with JetStream, in this process.
//
// # Decisions
//
// 2026-11-26: only the program chant-fleet imports this package; it is chant with the server. The server makes a program
// 12 MB larger, and its packages cost 0.9 ms at each start, of about 8 (measured), which everyone would pay who has no
// fleet. Rejected: one program; and a server that is found and started as another process, which nobody can see stop.
package embedded

import (
	"context"
	"time"

	"chant/engine/fleet/hub"
	"chant/engine/work/node"
)

// server is a running server, and the certificate that it is checked with.
type server struct {
	*hub.Server
	authority string
}

// Start starts a server. Errors: as hub.Start and hub.SelfSigned.
func Start(ctx context.Context, o node.ServerOptions) (node.Server, error) {
	s := server{}
	settings := hub.Options{Project: o.Project, Listen: o.Listen, Store: o.Store, Users: o.Users}
	var err error
	if len(o.Hosts) > 0 {
		if settings.TLS, s.authority, err = hub.SelfSigned(o.Certificates, o.Hosts, time.Now()); err != nil {
			return nil, err
		}
	}
	s.Server, err = hub.Start(ctx, settings)
	return s, err
}

// Authority is the file with the certificate that the server is checked with.
func (s server) Authority() string { return s.authority }
