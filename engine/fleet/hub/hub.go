// Package hub is a NATS server with JetStream in this process, for the queue of one project.
//
// # Rules
//
//   - It listens on a loopback address unless set otherwise, and on no other address without TLS. It has no
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
// fleet. Rejected: one program; and a server that is found and started as another process, whose end no one would notice.
//
// 2026-11-26: one account for each worker, besides permissions. Rejected: permissions alone. The server does not check
// the subject on which an answer is wanted, so that a worker could ask for a message of its own log "to" any subject:
// a test deleted a stream in this way. Between accounts, answers only reach the account that asked.
package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

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
		return nil, misusedProblem(o, "%v", err)
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if err := os.MkdirAll(o.Store, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for the store of the hub: %w", err)
	}
	s := &Server{project: project, options: o, log: &logger{}, known: map[string]bool{}}
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
		return nil, misusedProblem(o, "the settings of the server: %v", err)
	}
	// Before the start: without a logger of its own, a fatal error would end the whole program.
	s.server.SetLoggerV2(s.log, false, false, false)
	s.server.Start()
	for _, u := range o.Users {
		s.known[u.PublicKey] = true
	}
	if err := s.awaitReady(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// awaitReady waits until the server accepts connections.
func (s *Server) awaitReady(ctx context.Context) error {
	for began := time.Now(); ; {
		if s.server.ReadyForConnections(50 * time.Millisecond) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// The server continues after a fatal error, without ever becoming ready.
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
	// Start has checked it.
	host, _, _ := net.SplitHostPort(s.options.Listen)
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
			return misusedProblem(s.options, "the users cannot be changed: %v", err)
		}
		for _, u := range users {
			s.known[u.PublicKey] = true
		}
	}
	// Only after both reloads, the second of which needs to know all of them.
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

func misusedProblem(o jetstream.ServerOptions, format string, args ...any) error {
	return &fleet.Problem{Kind: fleet.Misused, Server: o.Listen, Detail: fmt.Sprintf(format, args...)}
}

// logger keeps the reason for which the server cannot run. Without it the server would end the program.
type logger struct {
	mu   sync.Mutex
	last string
}

// Fatalf keeps the reason. The program continues.
func (l *logger) Fatalf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = fmt.Sprintf(format, args...)
}

// fatal returns the reason for which the server cannot run.
func (l *logger) fatal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Noticef and what follows log nothing: what is wrong is in the errors of the client.
func (*logger) Noticef(string, ...any) {}

// Warnf logs nothing.
func (*logger) Warnf(string, ...any) {}

// Errorf logs nothing.
func (*logger) Errorf(string, ...any) {}

// Debugf logs nothing.
func (*logger) Debugf(string, ...any) {}

// Tracef logs nothing.
func (*logger) Tracef(string, ...any) {}

// The configuration of the server, in its own words. Only accounts are given in this form; the rest is set directly.
type (
	config struct {
		Accounts map[string]account `json:"accounts"`
	}
	account struct {
		JetStream string  `json:"jetstream,omitempty"`
		Users     []user  `json:"users"`
		Exports   []trade `json:"exports,omitempty"`
		Imports   []trade `json:"imports,omitempty"`
	}
	user struct {
		NKey        string      `json:"nkey"`
		Permissions permissions `json:"permissions"`
	}
	permissions struct {
		Publish   []string `json:"publish"`
		Subscribe []string `json:"subscribe"`
		Responses bool     `json:"allow_responses,omitempty"` // to requests that it has received
	}
	// trade is something that an account exports or imports: messages that it can get (a stream, in the words of the
	// server), or those that it can send (a service).
	trade struct {
		Stream   any    `json:"stream,omitempty"`
		Service  any    `json:"service,omitempty"`
		Response string `json:"response_type,omitempty"`
	}
	origin struct {
		Account string `json:"account"`
		Subject string `json:"subject"`
	}
)

// owner is the account that has the streams.
const owner = "FLEET"

// The times and sizes of the server.
const (
	pingEach   = 10 * time.Second
	maxMemory  = 64 << 20  // streams are stored in files
	maxPayload = 256 << 10 // bytes of a message
)

// settings returns the options of the server for some users. fresh leaves out what accounts import that it does not
// know.
func (s *Server) settings(users []jetstream.User, fresh bool) (*server.Options, error) {
	host, port, err := s.address()
	if err != nil {
		return nil, err
	}
	accounts, err := s.accounts(users, fresh)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	write := json.NewEncoder(&text)
	// The server reads JSON, except such escapes.
	write.SetEscapeHTML(false)
	if err := write.Encode(config{Accounts: accounts}); err != nil {
		return nil, err
	}
	o := &server.Options{}
	if err := o.ProcessConfigString(text.String()); err != nil {
		return nil, misusedProblem(s.options, "the users: %v", err)
	}
	o.ServerName = "chant-" + string(s.project)
	o.Host, o.Port = host, port
	o.JetStream, o.StoreDir = true, s.options.Store
	o.JetStreamMaxMemory = maxMemory
	o.MaxPayload = maxPayload
	o.DisableJetStreamBanner = true
	o.NoSigs = true
	o.PingInterval, o.MaxPingsOut = pingEach, 2
	if s.tls.config != nil {
		o.TLSConfig, o.TLS, o.TLSTimeout = s.tls.config.Clone(), true, 5
	}
	return o, nil
}

// address checks where to listen. Port -1 is any, for the server.
func (s *Server) address() (host string, port int, err error) {
	host, text, err := net.SplitHostPort(s.options.Listen)
	if err != nil {
		return "", 0, misusedProblem(s.options, "invalid address %q (use host:port)", s.options.Listen)
	}
	if port, err = strconv.Atoi(text); err != nil || port < 0 || port > 65535 {
		return "", 0, misusedProblem(s.options, "invalid port %q (use 0 to 65535)", text)
	}
	if port == 0 {
		port = -1
	}
	// Keys and logs would cross the network in plain text.
	if s.tls.config == nil && !isLoopback(host) {
		return "", 0, misusedProblem(s.options, "%q is reachable from other machines, which requires TLS", s.options.Listen)
	}
	return host, port, nil
}

// isLoopback reports whether only this machine reaches a host. An empty host is every address.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// accounts returns the account that owns the queue, and one for each worker.
func (s *Server) accounts(users []jetstream.User, fresh bool) (map[string]account, error) {
	p := s.project
	own := account{JetStream: "enabled", Exports: []trade{
		{Service: p.Any("ask"), Response: "singleton"}, {Service: p.Any("node"), Response: "singleton"},
		{Service: p.Any("logged"), Response: "singleton"}, {Service: p.Logs(), Response: "singleton"},
		{Service: jetstream.ReadSubject(p.LiveStream()), Response: "stream"}, {Service: jetstream.ReadSubject(p.LogStream()), Response: "stream"},
		{Stream: p.Any("command")}, {Stream: p.Changes()}, {Stream: p.Any("logged")},
	}}
	out := map[string]account{}
	for _, u := range users {
		if !nkeys.IsValidPublicUserKey(u.PublicKey) {
			return nil, misusedProblem(s.options, "the user %q has the invalid public key %q", u.Name, u.PublicKey)
		}
		if u.Role != jetstream.HubRole && u.Role != jetstream.WorkerRole {
			return nil, misusedProblem(s.options, "the user %q has the unknown role %q (use hub or worker)", u.Name, u.Role)
		}
		g := p.Grants(u.Role, u.Name)
		login := user{NKey: u.PublicKey, Permissions: permissions{
			Publish: g.Publish, Subscribe: append(slices.Clone(g.Subscribe), jetstream.Inbox(u.PublicKey)+".>"), Responses: u.Role == jetstream.HubRole,
		}}
		if u.Role == jetstream.HubRole {
			own.Users = append(own.Users, login)
			continue
		}
		a := account{Users: []user{login}}
		// The server (2.15.2) ignores imports of an account that it does not know yet.
		if !fresh || s.known[u.PublicKey] {
			a.Imports = imports(g)
		}
		out["NODE-"+u.PublicKey] = a
	}
	// Two users of one key would share an account, and each could act as the other.
	if len(out)+len(own.Users) != len(users) || repeatedKey(users) != "" {
		return nil, misusedProblem(s.options, "the public key %q belongs to two users", repeatedKey(users))
	}
	if len(users) == 0 {
		return nil, misusedProblem(s.options, "no user may connect")
	}
	out[owner] = own
	return out, nil
}

// imports returns what an account needs of the owner, so that its user can do what it may.
func imports(g jetstream.Grant) []trade {
	var out []trade
	for _, on := range g.Publish {
		out = append(out, trade{Service: origin{owner, on}})
	}
	for _, on := range g.Subscribe {
		out = append(out, trade{Stream: origin{owner, on}})
	}
	return out
}

// repeatedKey returns a public key that two users have.
func repeatedKey(users []jetstream.User) string {
	seen := map[string]bool{}
	for _, u := range users {
		key := strings.TrimSpace(u.PublicKey)
		if seen[key] {
			return key
		}
		seen[key] = true
	}
	return ""
}
