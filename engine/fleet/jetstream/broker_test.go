package jetstream_test

import (
	"bytes"
	"context"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chant/engine/fleet"
	"chant/engine/fleet/fleettest"
	"chant/engine/fleet/hub"
	"chant/engine/fleet/jetstream"
	"chant/engine/fleet/subject"
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

func finish(t *testing.T, d fleet.Delivery) {
	t.Helper()
	if err := d.Finish(until(t), fleet.Outcome{Status: "completed"}); err != nil {
		t.Fatalf("finishing %q: %v", d.Entry().ID, err)
	}
}

// machine is a hub with users, and the files that it and they use.
type machine struct {
	t      *testing.T
	folder string
	server *hub.Server
	users  []subject.User
	log    *lockedBuffer
}

// lockedBuffer keeps the log of a server, for a test that fails.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// newMachine starts a hub with a user "hub".
func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, folder: t.TempDir(), log: &lockedBuffer{}}
	m.users = []subject.User{m.user("hub", subject.Hub)}
	m.start("")
	t.Cleanup(func() {
		m.stop()
		if t.Failed() {
			t.Logf("the log of the hub:\n%s", m.log)
		}
	})
	return m
}

func (m *machine) user(name string, role subject.Role) subject.User {
	m.t.Helper()
	public, err := jetstream.Key(m.seed(name))
	if err != nil {
		m.t.Fatal(err)
	}
	return subject.User{Name: name, PublicKey: public, Role: role}
}

func (m *machine) seed(name string) string { return filepath.Join(m.folder, "keys", name) }

func (m *machine) start(listen string) {
	m.t.Helper()
	s, err := hub.Start(m.t.Context(), hub.Options{
		Project: project, Listen: listen, Store: filepath.Join(m.folder, "store"), Users: m.users, Log: m.log,
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

// Restart stops the server and starts it again at the same address.
func (m *machine) Restart() {
	address := m.server.Address()
	m.stop()
	m.start(address)
}

// add adds a user and returns how it connects.
func (m *machine) add(name string, role subject.Role) jetstream.Options {
	m.t.Helper()
	m.users = append(m.users, m.user(name, role))
	if err := m.server.SetUsers(m.users); err != nil {
		m.t.Fatal(err)
	}
	return m.options(name)
}

func (m *machine) options(name string) jetstream.Options {
	return jetstream.Options{URL: m.server.URL(), Project: project, Name: name, SeedFile: m.seed(name), Patience: patience}
}

func (m *machine) connect(o jetstream.Options) *jetstream.Broker {
	m.t.Helper()
	b, err := jetstream.Connect(m.t.Context(), o)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		if err := b.Close(); err != nil {
			m.t.Error(err)
		}
	})
	return b
}

// keep has a hub keep the queue.
func (m *machine) keep() {
	m.t.Helper()
	fleettest.Serve(m.t, m.connect(m.options("hub")), fleet.Keeping{Rules: fleettest.Rules()})
}

// TestQueue: the queue on a server passes the tests of every queue.
func TestQueue(t *testing.T) {
	t.Parallel()
	fleettest.TestQueue(t, func(t *testing.T) fleettest.Queue {
		m := newMachine(t)
		m.keep()
		return fleettest.Queue{Queue: m.connect(m.options("hub")), Patience: patience}
	})
}

// TestBroker: what machines share besides the queue.
func TestBroker(t *testing.T) {
	t.Parallel()
	fleettest.TestBroker(t, func(t *testing.T) fleettest.Fleet {
		m := newMachine(t)
		m.keep()
		return fleettest.Fleet{
			Patience: patience, Address: m.server.Address(), Restart: m.Restart,
			Connect: func(address string) fleettest.Broker {
				o := m.options("hub")
				o.URL = (&url.URL{Scheme: "nats", Host: address}).String()
				return m.connect(o)
			},
		}
	})
}
