package node

import (
	"context"

	"chant/engine/fleet/jetstream"
)

// Server is a server of a queue in this process.
type Server interface {
	// URL is where it listens.
	URL() string
	// Authority is the file with the certificate that it is checked with, "" without TLS.
	Authority() string
	// SetUsers replaces those who may connect.
	SetUsers(users []jetstream.User) error
	// Stop ends it, and returns when everything is stored.
	Stop() error
}

// ServerOptions are the settings of a server.
type ServerOptions struct {
	Project      string   // whose queue it is
	Listen       string   // host:port
	Store        string   // a folder
	Hosts        []string // names and addresses for its certificate; none = no TLS
	Certificates string   // the folder of its certificate
	Users        []jetstream.User
}

// StartServer starts a server, and returns when it accepts connections. Package fleets/embedded has one, which is large and
// costs time at each start, so that only the program chant-fleet has it.
type StartServer func(ctx context.Context, o ServerOptions) (Server, error)
