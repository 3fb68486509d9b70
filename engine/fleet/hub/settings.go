package hub

import (
	"encoding/json"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"chant/engine/fleet/jetstream"
)

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
	memoryMost = 64 << 20  // streams are stored in files
	sizeMost   = 256 << 10 // bytes of a message
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
	write.SetEscapeHTML(false) // the server reads JSON, except such escapes
	if err := write.Encode(config{Accounts: accounts}); err != nil {
		return nil, err
	}
	o := &server.Options{}
	if err := o.ProcessConfigString(text.String()); err != nil {
		return nil, misused(s.options, "the users: %v", err)
	}
	o.ServerName = "chant-" + string(s.project)
	o.Host, o.Port = host, port
	o.JetStream, o.StoreDir = true, s.options.Store
	o.JetStreamMaxMemory = memoryMost
	o.MaxPayload = sizeMost
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
		return "", 0, misused(s.options, "invalid address %q (use host:port)", s.options.Listen)
	}
	if port, err = strconv.Atoi(text); err != nil || port < 0 || port > 65535 {
		return "", 0, misused(s.options, "invalid port %q (use 0 to 65535)", text)
	}
	if port == 0 {
		port = -1
	}
	if s.tls.config == nil && !loopback(host) {
		return "", 0, misused(s.options, "%q is reachable from other machines, which requires TLS", s.options.Listen)
	}
	return host, port, nil
}

// loopback reports whether only this machine reaches a host. An empty host is every address.
func loopback(host string) bool {
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
			return nil, misused(s.options, "the user %q has the invalid public key %q", u.Name, u.PublicKey)
		}
		if u.Role != jetstream.HubRole && u.Role != jetstream.WorkerRole {
			return nil, misused(s.options, "the user %q has the unknown role %q (use hub or worker)", u.Name, u.Role)
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
		if !fresh || s.known[u.PublicKey] {
			a.Imports = imports(g)
		}
		out["NODE-"+u.PublicKey] = a
	}
	if len(out)+len(own.Users) != len(users) || repeated(users) != "" {
		return nil, misused(s.options, "the public key %q belongs to two users", repeated(users))
	}
	if len(users) == 0 {
		return nil, misused(s.options, "no user may connect")
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

// repeated returns a public key that two users have.
func repeated(users []jetstream.User) string {
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
