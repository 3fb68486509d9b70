package jetstream

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"chant/engine/fleet"
	"chant/engine/fleet/subject"
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
	*link
	js      natsjs.JetStream
	running sync.WaitGroup // goroutines that hand on messages

	creating     sync.Mutex // of streams
	mayNotCreate bool

	mu       sync.Mutex
	classes  map[string]bool // that exist on the server
	offered  chan struct{}   // closed when something may be there to be taken
	watching bool            // the subscription that closes it exists

	clock clock
	pair  nkeys.KeyPair // of the user, nil without one
}

var _ fleet.Broker = (*Broker)(nil)

// Connect opens a connection to a server and creates what the queue of the project needs there, if it is missing and
// the user may. Error: a *fleet.Problem, or that of the context.
func Connect(ctx context.Context, o Options) (*Broker, error) {
	l := &link{server: redact(o.URL), patience: o.Patience, closing: make(chan struct{}), waiting: map[*question]bool{}}
	if l.patience == 0 {
		l.patience = fleet.Patience
	}
	b := &Broker{link: l, classes: map[string]bool{}, offered: make(chan struct{})}
	l.restore = b.create
	var err error
	if l.project, err = subject.ParseProject(o.Project); err != nil {
		return nil, b.problem(fleet.Misused, err, "%v", err)
	}
	if err := checkURLs(o.URL); err != nil {
		return nil, b.problem(fleet.Misused, err, "%v", err)
	}
	settings, err := b.settings(o)
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
	b := &Broker{link: &link{server: redact(o.URL), patience: fleet.Patience}}
	if _, err := subject.ParseProject(o.Project); err != nil {
		return b.problem(fleet.Misused, err, "%v", err)
	}
	_, err := b.settings(o)
	return err
}

// dial opens the connection, and gives up when the context ends.
func (l *link) dial(ctx context.Context, servers string, settings []nats.Option) (*nats.Conn, error) {
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
			return nil, l.whyNoConnection(r.err)
		}
		return r.nc, nil
	case <-ctx.Done():
		go func() { // the dial ends after dialTime for each server at the latest
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
		nats.ReconnectBufSize(-1), // what cannot be sent is an error, and is tried again
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { b.forbid(err) }),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { b.cut() }),
		nats.ReconnectHandler(func(*nats.Conn) { b.reconnected() }),
	}
	if o.CAFile != "" {
		text, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, b.problem(fleet.Misused, err, "the CA file cannot be read: %v", err)
		}
		if !x509.NewCertPool().AppendCertsFromPEM(text) {
			return nil, b.problem(fleet.Misused, nil, "the CA file %q has no certificate", o.CAFile)
		}
		out = append(out, nats.RootCAs(o.CAFile))
	}
	switch {
	case o.SeedFile != "" && o.Creds != "":
		return nil, b.problem(fleet.Misused, nil, "both a seed file and a credentials file are given (use one)")
	case o.SeedFile != "":
		pair, public, err := seed(o.SeedFile)
		if err != nil {
			return nil, b.problem(fleet.Misused, err, "invalid seed file %q: %v", o.SeedFile, err)
		}
		b.pair = pair
		out = append(out, nats.Nkey(public, pair.Sign), nats.CustomInboxPrefix(subject.Inbox(public)))
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

// seed reads an nkey from a file, and returns its public part as well.
func seed(file string) (nkeys.KeyPair, string, error) {
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

// reconnected makes sure that nothing is assumed about the server, which may have been replaced.
func (b *Broker) reconnected() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.classes)
	b.wakeTakers()
}

// Close ends the connection, and the channels of Watch, Follow and Commands.
func (b *Broker) Close() error {
	b.mu.Lock()
	select {
	case <-b.closing:
	default:
		close(b.closing)
	}
	b.mu.Unlock()
	b.nc.Close()
	b.running.Wait()
	return nil
}

// checkURLs checks the URLs of servers.
func checkURLs(servers string) error {
	for s := range strings.SplitSeq(servers, ",") {
		u, err := url.Parse(strings.TrimSpace(s))
		if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return fmt.Errorf("invalid URL %q (use nats://host:port or tls://host:port)", redact(s))
		}
	}
	return nil
}

// redact removes names and passwords from URLs.
func redact(servers string) string {
	var out []string
	for s := range strings.SplitSeq(servers, ",") {
		s = strings.TrimSpace(s)
		if scheme, rest, ok := strings.Cut(s, "://"); ok {
			s = scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
		}
		out = append(out, s)
	}
	return strings.Join(out, ",")
}

func (l *link) problem(kind fleet.ProblemKind, err error, format string, args ...any) *fleet.Problem {
	return &fleet.Problem{Kind: kind, Server: l.server, Detail: fmt.Sprintf(format, args...), Err: err}
}

// clockTime is how long the time of the server counts as known. Meanwhile the steady clock of this machine counts on.
const clockTime = time.Minute

// clock is the time of the server when it was asked for last.
type clock struct {
	mu    sync.Mutex
	there time.Time // by the server
	here  time.Time // with the steady clock of this machine
}

// now returns the time of the server: when it has stored a message, and what has passed since then here.
func (b *Broker) now(ctx context.Context) (time.Time, error) {
	c := &b.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	if passed := time.Since(c.here); !c.here.IsZero() && passed < clockTime {
		return c.there.Add(passed), nil
	}
	on := b.project.Value("clock")
	if _, err := b.store(ctx, b.project.KeptStream(), on, []byte("?"), anySequence); err != nil {
		return time.Time{}, err
	}
	m, err := b.last(ctx, b.project.KeptStream(), on)
	if err != nil {
		return time.Time{}, err
	}
	if m.stored.IsZero() {
		return time.Time{}, b.problem(fleet.Unexpected, nil, "the server does not say when it has stored a message")
	}
	c.there, c.here = m.stored, time.Now()
	return c.there, nil
}
