// Package jetstream is the queue of many machines, kept by a NATS server with JetStream: one that chant starts itself
// (fleet/hub), or one of the team's own.
//
// # What is stored where
//
//   - A stream of entries, with one subject per spec on which only one message may be. So a spec is in the queue at
//     most once, and can be offered again when it was finished. Each class of needs has a pull consumer.
//   - A stream whose messages disappear without a heartbeat: nodes and leases.
//   - A stream of what stays: shared values, classes, the public keys of nodes, and who took which entry.
//   - A stream of the logs of specs, by node.
//
// # Who does what
//
// A worker writes its own record and its own logs, and reads those of others. For everything else it asks the hubs of the
// project (Ask, and the methods of a delivery), one of which answers (Keep): that takes entries, ends them, and changes shared
// values by rules, if the record of the taker says that the worker may. A hub that answers keeps nothing in memory, so that
// the next request can go to another one.
//
// # Rules
//
//   - Everything of a project begins with its name (Project), so that several projects can share a server.
//   - Whatever a worker writes has its node in the subject, because a server can restrict subjects and nothing else. Who
//     reads believes the subject, never what a message says about its writer. What cannot be read is skipped.
//   - A worker writes nothing about a spec but its log, and uses no subject of the API of JetStream except reading messages.
//     A consumer would allow its owner to have the server write on any subject, and with acknowledgements a worker could
//     end the work of others.
//   - The server is the only one that counts time: how long an entry, a node or a lease lasts without a heartbeat, and
//     how old an entry is.
//   - A value that several nodes change is changed by comparing the sequence of its last message.
//   - Whoever takes an entry gets a random text (its lease), which is recorded at the spec. A heartbeat compares it, because
//     the server accepts the acknowledgement of any delivery, also of one that was lost.
//   - Requests of each node are answered one after the other, so that a node which asks without end delays itself. What it
//     tries that it must not do is reported once.
//   - Reports of changes and commands are not stored. Those that are sent while a connection is down are missed, so
//     whoever waits for them also looks at git from time to time.
//   - Every method retries while the server is away, for the patience of the queue, and then returns a *fleet.Problem.
//     A lost connection is opened again without end.
//
// # Decisions
//
// 2026-11-29: the name of the package is that of the part of NATS that it uses. Rejected: nats, which is the name of the
// client's own package, and would be another one in each of these files.
//
// 2026-11-28: the logs of a node are in eight subjects, to which specs are assigned by a hash of their ids. Rejected: a
// subject for each spec, of which a worker could fill so many that the server forgets the logs of all others.
//
// 2026-11-26: entries are pulled without waiting, when something was offered and every few seconds. Rejected: pull
// requests that wait at the server, one for each class. When one of them is answered, the others have to be withdrawn,
// and an entry that is on its way to a request that was withdrawn is nobody's until the patience ends.
//
// 2026-11-28: hubs take entries for workers, and end them. Rejected: that workers pull and acknowledge entries themselves. The
// server cannot restrict an acknowledgement to those who have the entry, so that a worker could end the work of all others; and
// one that writes the records of takers and values could write those of every spec.
//
// 2026-11-28: a request may be carried out twice, if its answer was lost. All of them are so that this changes nothing.
//
// 2026-11-26: records are read with "direct get" and written as plain messages. Rejected: the key-value buckets of
// JetStream. They need consumers to list their keys, and with the right to create a consumer a worker can have the
// server write on any subject; their streams also let a message replace those on other subjects.
package jetstream

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"chant/engine/fleet"
)

// Options say which server to use, and how.
type Options struct {
	URL      string        // of one or more servers of a cluster, separated by commas: nats://host:port or tls://host:port
	Project  string        // letters, digits and "-"; projects on the same server do not see each other
	Name     string        // of the node; the server and its logs show it
	SeedFile string        // the seed of an nkey
	Creds    string        // a .creds file; only one of it and SeedFile
	CAFile   string        // the certificates to trust, instead of those of the system
	Patience time.Duration // default: fleet.Patience; only whoever creates the queue decides
}

// The times of a connection.
const (
	dialTime   = 5 * time.Second // for a connection to one server
	answerTime = 5 * time.Second // for an answer before the question is repeated
)

// Broker is a connection to the queue of a project. Connect creates one.
type Broker struct {
	nc       *nats.Conn
	js       natsjs.JetStream
	pair     nkeys.KeyPair // of the user, nil without one
	project  Project
	server   string // for messages
	patience time.Duration
	closing  chan struct{}
	running  sync.WaitGroup // goroutines that hand on messages

	asking  sync.Mutex
	waiting map[*question]bool // requests whose answers are awaited

	creating     sync.Mutex // of streams
	mayNotCreate bool

	mu       sync.Mutex
	classes  map[string]bool // that exist on the server
	offered  chan struct{}   // closed when something may be there to be taken
	watching bool            // the subscription that closes it exists
}

// Connect opens a connection to a server and creates what the queue of the project needs there, if it is missing and
// the user may. Error: a *fleet.Problem, or that of the context.
func Connect(ctx context.Context, o Options) (*Broker, error) {
	b, settings, err := prepareConnection(o)
	if err != nil {
		return nil, err
	}
	if b.nc, err = b.dial(ctx, o.URL, settings); err != nil {
		return nil, err
	}
	if err := b.prepare(ctx); err != nil {
		b.nc.Close()
		return nil, err
	}
	return b, nil
}

// Check refuses options with which no connection is possible, without connecting. Error: a *fleet.Problem.
func Check(o Options) error {
	_, _, err := prepareConnection(o)
	return err
}

func prepareConnection(o Options) (b *Broker, settings []nats.Option, err error) {
	b = &Broker{
		server: o.URL, patience: cmp.Or(o.Patience, fleet.Patience), closing: make(chan struct{}), waiting: map[*question]bool{},
		classes: map[string]bool{}, offered: make(chan struct{}),
	}
	if b.project, err = ParseProject(o.Project); err != nil {
		return nil, nil, b.problem(fleet.Misused, err, "%v", err)
	}
	settings, err = b.settings(o)
	return b, settings, err
}

// dial opens the connection, and gives up when the context ends.
func (b *Broker) dial(ctx context.Context, servers string, settings []nats.Option) (*nats.Conn, error) {
	type result struct {
		nc  *nats.Conn
		err error
	}
	done := make(chan result, 1)
	go func() {
		nc, err := nats.Connect(servers, settings...)
		done <- result{nc, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, b.whyNoConnection(r.err)
		}
		return r.nc, nil
	case <-ctx.Done():
		// The dial ends after dialTime for each server at the latest.
		go func() {
			if r := <-done; r.nc != nil {
				r.nc.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// settings returns the options of the connection.
func (b *Broker) settings(o Options) ([]nats.Option, error) {
	out := []nats.Option{
		nats.Name("chant/" + o.Name),
		nats.Timeout(dialTime),
		nats.PingInterval(b.patience / 4),
		nats.MaxPingsOutstanding(2),
		nats.MaxReconnects(-1),
		nats.IgnoreAuthErrorAbort(),
		nats.CustomReconnectDelay(reconnectDelay),
		// Without a buffer, a message that cannot be sent is an error, and is tried again.
		nats.ReconnectBufSize(-1),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if on, problem := b.notAllowed(err); on != "" {
				b.endRequests(on, problem)
			}
		}),
		// The answers to these will not come.
		nats.DisconnectErrHandler(func(*nats.Conn, error) { b.endRequests("", errCut) }),
		nats.ReconnectHandler(func(*nats.Conn) { b.resetAfterReconnect() }),
	}
	if o.CAFile != "" {
		text, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, b.problem(fleet.Misused, err, "the CA file cannot be read: %v", err)
		}
		// The client would silently trust no server at all.
		if !x509.NewCertPool().AppendCertsFromPEM(text) {
			return nil, b.problem(fleet.Misused, nil, "the CA file %q has no certificate", o.CAFile)
		}
		out = append(out, nats.RootCAs(o.CAFile))
	}
	switch {
	case o.SeedFile != "" && o.Creds != "":
		return nil, b.problem(fleet.Misused, nil, "both a seed file and a credentials file are given (use one)")
	case o.SeedFile != "":
		pair, public, err := readSeed(o.SeedFile)
		if err != nil {
			return nil, b.problem(fleet.Misused, err, "invalid seed file %q: %v", o.SeedFile, err)
		}
		b.pair = pair
		out = append(out, nats.Nkey(public, pair.Sign), nats.CustomInboxPrefix(Inbox(public)))
	case o.Creds != "":
		text, err := os.ReadFile(o.Creds)
		if err != nil {
			return nil, b.problem(fleet.Misused, err, "the credentials file cannot be read: %v", err)
		}
		_, err = nkeys.ParseDecoratedJWT(text)
		if _, keyErr := nkeys.ParseDecoratedUserNKey(text); err != nil || keyErr != nil {
			return nil, b.problem(fleet.Misused, nil, "the credentials file %q has no user with a seed", o.Creds)
		}
		out = append(out, nats.UserCredentials(o.Creds))
	}
	return out, nil
}

// readSeed reads an nkey from a file, and returns its public part as well.
func readSeed(file string) (nkeys.KeyPair, string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	pair, err := nkeys.ParseDecoratedUserNKey(text)
	if err != nil {
		return nil, "", errors.New("it has no seed of a user")
	}
	public, err := pair.PublicKey()
	return pair, public, err
}

// reconnectDelay grows from a tenth of a second to three, with some chance in it, so that the nodes of a fleet do not
// all come at once.
func reconnectDelay(attempts int) time.Duration {
	delay := 100 * time.Millisecond << min(attempts, 5)
	return delay - rand.N(delay/2)
}

// resetAfterReconnect makes sure that nothing is assumed about the server, which may have been replaced.
func (b *Broker) resetAfterReconnect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	// A server that was replaced may have none of the consumers.
	clear(b.classes)
	b.wakeTakers()
}

// Close ends the connection, and the channels of Watch, Follow and Commands.
func (b *Broker) Close() {
	b.mu.Lock()
	select {
	case <-b.closing:
	default:
		close(b.closing)
	}
	b.mu.Unlock()
	b.nc.Close()
	b.running.Wait()
}

func (b *Broker) problem(kind fleet.ProblemKind, err error, format string, args ...any) *fleet.Problem {
	return &fleet.Problem{Kind: kind, Server: b.server, Detail: fmt.Sprintf(format, args...), Err: err}
}

// serverTime returns the time of the server.
func (b *Broker) serverTime(ctx context.Context) (now time.Time, err error) {
	err = b.try(ctx, func() error {
		s, err := b.stream(ctx, b.project.KeptStream())
		if err == nil {
			now = s.CachedInfo().TimeStamp
		}
		return err
	})
	return now, err
}

// oldestMinor is the minor version of the first server 2 that can be used: it reads several messages for one request.
// Earlier ones have had what else is needed, since 2.9 (one message for each subject).
const minMinor = 11

// Codes of errors of JetStream that the client does not name.
const (
	codeAccountLimit natsjs.ErrorCode = 10002
	codeNoPeers      natsjs.ErrorCode = 10005
	codeNotAvailable natsjs.ErrorCode = 10008
	codeNotLeader    natsjs.ErrorCode = 10009
	codeResources    natsjs.ErrorCode = 10023
	codeStorage      natsjs.ErrorCode = 10047
	codeReplicas     natsjs.ErrorCode = 10074
	codeStoreFailed  natsjs.ErrorCode = 10077
)

// apiError returns the error of JetStream in an error, nil if there is none.
func apiError(err error) *natsjs.APIError {
	var e natsjs.JetStreamError
	if errors.As(err, &e) {
		return e.APIError()
	}
	return nil
}

// whyNoConnection says what prevents a connection.
func (b *Broker) whyNoConnection(err error) error {
	var (
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		checked   *tls.CertificateVerificationError
		network   net.Error
	)
	switch {
	case isAuth(err):
		return b.problem(fleet.Unauthorized, err, "the server refuses the user")
	case errors.Is(err, nats.ErrSecureConnWanted):
		return b.problem(fleet.Untrusted, err, "the server does not use TLS")
	case errors.As(err, &authority):
		return b.problem(fleet.Untrusted, err, "the server's certificate is signed by an unknown authority")
	case errors.As(err, &host):
		return b.problem(fleet.Untrusted, err, "the server's certificate is for another host: %v; name this one when the server is started", host)
	case errors.As(err, &invalid), errors.As(err, &record), errors.As(err, &checked):
		return b.problem(fleet.Untrusted, err, "TLS failed: %v", err)
	case errors.Is(err, nats.ErrNoServers):
		return b.problem(fleet.Unreachable, err, "nothing listens there")
	case errors.Is(err, nats.ErrTimeout), errors.As(err, &network) && network.Timeout():
		return b.problem(fleet.Unreachable, err, "no answer within %v", dialTime)
	}
	return b.problem(fleet.Unreachable, err, "no connection: %v", err)
}

func isAuth(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAccountAuthExpired)
}

// isTemporary reports whether a question may have an answer later: the server restarts, or a cluster elects a leader.
func (b *Broker) isTemporary(err error) bool {
	if api := apiError(err); api != nil {
		return api.ErrorCode == codeNotAvailable || api.ErrorCode == codeNotLeader
	}
	if errors.Is(err, nats.ErrConnectionClosed) {
		// A flush also ends like this when the connection is lost.
		return !b.nc.IsClosed()
	}
	for _, e := range []error{
		nats.ErrNoResponders, nats.ErrTimeout, nats.ErrDisconnected, nats.ErrReconnectBufExceeded, nats.ErrStaleConnection,
		nats.ErrConnectionReconnecting, natsjs.ErrNoStreamResponse, errNoAnswer, errCut, errNoHub,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// errCut is the cause of the end of a question when the connection was lost.
var errCut = errors.New("the connection was lost")

// errNoAnswer is the cause of the end of a question whose time is over.
var errNoAnswer = errors.New("no answer in time")

// explain converts the error of a question into a problem. Errors that have a meaning for the caller stay as they are.
func (b *Broker) explain(err error) error {
	var known *fleet.Problem
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if api := apiError(err); api != nil {
		switch api.ErrorCode {
		case natsjs.JSErrCodeJetStreamNotEnabled, natsjs.JSErrCodeJetStreamNotEnabledForAccount:
			return b.problem(fleet.NoJetStream, err, "the server has no JetStream for this user")
		case codeResources, codeStorage, codeAccountLimit:
			return b.problem(fleet.StoreFull, err, "the server has no room: %s", api.Description)
		}
		return b.problem(fleet.Unexpected, err, "the server refuses: %s", api.Description)
	}
	if b.nc.IsClosed() {
		return b.problem(fleet.Unexpected, err, "the connection was closed")
	}
	if !b.nc.IsConnected() {
		if last := b.nc.LastError(); last != nil && isAuth(last) {
			return b.problem(fleet.Unauthorized, last, "the server refuses the user since the connection was lost")
		}
		return b.problem(fleet.Unreachable, err, "the connection is lost, and a new one is being tried")
	}
	if isUnserved(err) {
		return b.problem(fleet.NoQueue, err, "it has no queue for the project %q", string(b.project))
	}
	if b.isTemporary(err) {
		return b.problem(fleet.Unreachable, err, "the server does not answer")
	}
	return b.problem(fleet.Unexpected, err, "%v", err)
}

// checkVersion refuses a server that lacks what the queue needs. A version that cannot be read is accepted.
func (b *Broker) checkVersion() error {
	version := b.nc.ConnectedServerVersion()
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d.", &major, &minor); n == 2 && (major < 2 || major == 2 && minor < minMinor) {
		return b.problem(fleet.TooOld, nil, "the server has version %s, and 2.%d.0 is required", version, minMinor)
	}
	return nil
}
