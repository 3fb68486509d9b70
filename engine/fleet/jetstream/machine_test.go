package jetstream_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"go.uber.org/goleak"

	"chant/engine/fleet"
	"chant/engine/fleet/hub"
	"chant/engine/fleet/jetstream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience of the queues under test. Whatever waits for its end waits that long.
const patience = time.Second

const project = "demo"

// limit is the time after which a test fails instead of waiting. It is no measure of speed.
const limit = 2 * time.Minute

func until(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), limit)
	t.Cleanup(stop)
	return ctx
}

// machine is a hub with the workers "w" and "v" and the user "hub", and the files that it and they use.
type machine struct {
	t        *testing.T
	folder   string
	server   *hub.Server
	users    []jetstream.User
	patience time.Duration // of the queue, which the first connection creates

	mu      sync.Mutex
	reports []string
}

// newMachine starts a hub.
func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, folder: t.TempDir(), patience: patience}
	m.users = []jetstream.User{m.user("hub", jetstream.HubRole), m.user("w", jetstream.WorkerRole), m.user("v", jetstream.WorkerRole)}
	m.start("")
	t.Cleanup(m.stop)
	return m
}

func (m *machine) user(name string, role jetstream.Role) jetstream.User {
	m.t.Helper()
	public, err := jetstream.Key(m.seed(name))
	if err != nil {
		m.t.Fatal(err)
	}
	return jetstream.User{Name: name, PublicKey: public, Role: role}
}

func (m *machine) seed(name string) string { return filepath.Join(m.folder, "keys", name) }

func (m *machine) start(listen string) {
	m.t.Helper()
	s, err := hub.Start(m.t.Context(), jetstream.ServerOptions{
		Project: project, Listen: listen, Store: filepath.Join(m.folder, "store"), Users: m.users,
	})
	if err != nil {
		m.t.Fatal(err)
	}
	m.server = s
}

func (m *machine) stop() {
	if err := m.server.Stop(); err != nil {
		m.t.Error(err)
	}
}

// restart stops the server and starts it again at the same address.
func (m *machine) restart() {
	address := m.server.Address()
	m.stop()
	m.start(address)
}

func (m *machine) options(name string) jetstream.Options {
	return jetstream.Options{URL: m.server.URL(), Project: project, Name: name, SeedFile: m.seed(name), Patience: m.patience}
}

func (m *machine) connect(o jetstream.Options) *jetstream.Broker {
	m.t.Helper()
	b, err := jetstream.Connect(m.t.Context(), o)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(b.Close)
	return b
}

// connectAt connects as a hub through another address.
func (m *machine) connectAt(address string) *jetstream.Broker {
	m.t.Helper()
	o := m.options("hub")
	o.URL = (&url.URL{Scheme: "nats", Host: address}).String()
	return m.connect(o)
}

// keep connects a hub that keeps the queue, and has what it reports added to m.reports.
func (m *machine) keep() *jetstream.Broker {
	m.t.Helper()
	b := m.connect(m.options("hub"))
	m.keepWith(b, fleet.Keeping{Rules: rules()})
	return b
}

// keepWith has a connection keep the queue until the test ends.
func (m *machine) keepWith(b *jetstream.Broker, how fleet.Keeping) {
	m.t.Helper()
	how.Report = func(node, what string) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.reports = append(m.reports, node+": "+what)
	}
	serve(m.t, b, how)
}

// serve has a connection keep the queue until the test ends.
func serve(t *testing.T, b *jetstream.Broker, how fleet.Keeping) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.Keep(ctx, how) }()
	t.Cleanup(func() {
		stop()
		err := <-done
		assert.IsError(t, err, context.Canceled, "keeping the queue: %v", err)
	})
}

// reported returns what the hub has reported, and forgets it.
func (m *machine) reported() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.reports
	m.reports = nil
	return out
}

// raw connects without the client of a queue.
func (m *machine) raw(name string) *nats.Conn {
	m.t.Helper()
	text, err := os.ReadFile(m.seed(name))
	if err != nil {
		m.t.Fatal(err)
	}
	pair, err := nkeys.ParseDecoratedUserNKey(text)
	if err != nil {
		m.t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		m.t.Fatal(err)
	}
	nc, err := nats.Connect(m.server.URL(), nats.Nkey(public, pair.Sign), nats.CustomInboxPrefix(jetstream.Inbox(public)))
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(nc.Close)
	return nc
}

func finish(t *testing.T, d *jetstream.Delivery) {
	t.Helper()
	if err := d.Finish(until(t), fleet.Outcome{Status: "completed"}); err != nil {
		t.Fatalf("finishing %q: %v", d.Entry().ID, err)
	}
}

func wantKind(t *testing.T, what string, err error, want fleet.ProblemKind) {
	t.Helper()
	var p *fleet.Problem
	assert.True(t, errors.As(err, &p), "%s: %v, want a problem of the kind %q", what, err, want)
	assert.Equal(t, want, p.Kind, "%s", what)
}
