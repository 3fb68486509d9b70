// Package hub is a NATS server with JetStream in this process, for the queue of one project.
//
// # Rules
//
//   - It listens on a loopback address unless it is told otherwise, and on no other address without TLS. It has no
//     port for monitoring, and leaves signals to the program.
//   - Every user has a key pair (nkey) of which the server knows only the public part. There is no password, and no
//     way in without a key.
//   - The users of the role "hub" share the account that owns the queue. Every worker has an account of its own, into which
//     only its own subjects and what it may read are imported.
//   - Messages and what is kept of each worker are limited in size, so that none can drive out what others have there.
//   - What is stored survives a restart. It is still no record: without it, the queue is filled again from git.
//
// # Decisions
//
// 2026-11-26: only the program chant-fleet imports this package; it is chant with the server. The server makes a program
// 12 MB larger, and its packages cost 0.9 ms at each start, of about 8 (measured), which everyone would pay who has no
// fleet. Rejected: one program; and a server that is found and started as another process, which nobody can see stop.
//
// 2026-11-26: one account for each worker, besides permissions. Rejected: permissions alone. The server does not check
// the subject on which an answer is wanted, so that a worker could ask for a message of its own log "to" any subject:
// a test deleted a stream in this way. Between accounts, answers only reach the account that asked.
package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
)

// Server is a server that runs. Start creates one.
type Server struct {
	project jetstream.Project
	options jetstream.ServerOptions
	server  *server.Server
	log     *logger
	tls     certificate // zero without TLS

	mu    sync.Mutex // of changes of users
	known map[string]bool
}

// startTime is how long a start may take. A large store takes a while to be read.
const startTime = time.Minute

// Start starts a server, and returns when it accepts connections.
func Start(ctx context.Context, o jetstream.ServerOptions) (*Server, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	project, err := jetstream.ParseProject(o.Project)
	if err != nil {
		return nil, misused(o, "%v", err)
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if err := os.MkdirAll(o.Store, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for the store of the hub: %w", err)
	}
	s := &Server{project: project, options: o, log: &logger{to: o.Log}, known: map[string]bool{}}
	if len(o.Hosts) > 0 {
		if s.tls, err = selfSigned(o.Certificates, o.Hosts, time.Now()); err != nil {
			return nil, err
		}
	}
	settings, err := s.settings(o.Users, false)
	if err != nil {
		return nil, err
	}
	if s.server, err = server.NewServer(settings); err != nil {
		return nil, misused(o, "the settings of the server: %v", err)
	}
	s.server.SetLoggerV2(s.log, false, false, false)
	s.server.Start()
	for _, u := range o.Users {
		s.known[u.PublicKey] = true
	}
	if err := s.ready(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// ready waits until the server accepts connections.
func (s *Server) ready(ctx context.Context) error {
	for began := time.Now(); ; {
		if s.server.ReadyForConnections(50 * time.Millisecond) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if why := s.log.fatal(); why != "" {
			return &fleet.Problem{Kind: fleet.Misused, Server: s.options.Listen, Detail: why}
		}
		if time.Since(began) > startTime {
			return &fleet.Problem{Kind: fleet.Unexpected, Server: s.options.Listen, Detail: "the server does not start; its log says why"}
		}
	}
}

// URL is where the server listens.
func (s *Server) URL() string {
	scheme := "nats"
	if s.tls.config != nil {
		scheme = "tls"
	}
	return scheme + "://" + s.Address()
}

// Authority is the file with the certificate that the server is checked with, "" without TLS.
func (s *Server) Authority() string { return s.tls.authorityFile }

// Address is the host and port where the server listens.
func (s *Server) Address() string {
	host, _, _ := net.SplitHostPort(s.options.Listen) // Start has checked it
	port := 0
	if a, ok := s.server.Addr().(*net.TCPAddr); ok {
		port = a.Port
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}

// SetUsers replaces the users while the server runs. The connections of those that remain stay open; those of others
// end.
func (s *Server) SetUsers(users []jetstream.User) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// The server sets up what an account imports only when it has known the account before (2.15.2). So new accounts
	// are added first, without what they import.
	for _, fresh := range []bool{true, false} {
		settings, err := s.settings(users, fresh)
		if err != nil {
			return err
		}
		if err := s.server.ReloadOptions(settings); err != nil {
			return misused(s.options, "the users cannot be changed: %v", err)
		}
		for _, u := range users {
			s.known[u.PublicKey] = true
		}
	}
	clear(s.known)
	for _, u := range users {
		s.known[u.PublicKey] = true
	}
	return nil
}

// Stop ends all connections and waits until the server has stopped and everything is stored.
func (s *Server) Stop() error {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	return nil
}

func misused(o jetstream.ServerOptions, format string, args ...any) error {
	return &fleet.Problem{Kind: fleet.Misused, Server: o.Listen, Detail: fmt.Sprintf(format, args...)}
}
