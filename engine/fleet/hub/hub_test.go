package hub_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"go.uber.org/goleak"

	"chant/engine/fleet"
	"chant/engine/fleet/fleettest"
	"chant/engine/fleet/hub"
	"chant/engine/fleet/jetstream"
	"chant/engine/fleet/subject"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const project = "demo"

// limit is the time after which a test fails instead of waiting.
const limit = time.Minute

func until(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), limit)
	t.Cleanup(stop)
	return ctx
}

// machine is a hub with the workers "w" and "v", and the user "hub".
type machine struct {
	t      *testing.T
	folder string
	server *hub.Server
	users  []subject.User

	patience time.Duration // of the queue, if this machine creates it

	mu      sync.Mutex
	reports []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, folder: t.TempDir(), patience: time.Second}
	m.users = []subject.User{m.user("hub", subject.Hub), m.user("w", subject.Worker), m.user("v", subject.Worker)}
	log := &lockedBuffer{}
	s, err := hub.Start(t.Context(), hub.Options{Project: project, Store: filepath.Join(m.folder, "store"), Users: m.users, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	m.server = s
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the log of the hub:\n%s", log)
		}
	})
	return m
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

func (m *machine) user(name string, role subject.Role) subject.User {
	m.t.Helper()
	public, err := jetstream.Key(m.seed(name))
	if err != nil {
		m.t.Fatal(err)
	}
	return subject.User{Name: name, PublicKey: public, Role: role}
}

func (m *machine) seed(name string) string { return filepath.Join(m.folder, "keys", name) }

func (m *machine) options(name string) jetstream.Options {
	return jetstream.Options{URL: m.server.URL(), Project: project, Name: name, SeedFile: m.seed(name), Patience: m.patience}
}

func (m *machine) connect(name string) *jetstream.Broker {
	m.t.Helper()
	b, err := jetstream.Connect(m.t.Context(), m.options(name))
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

// keep connects a hub that keeps the queue, and has what it reports added to m.reports.
func (m *machine) keep() *jetstream.Broker {
	m.t.Helper()
	h := m.connect("hub")
	m.keepWith(h, fleet.Keeping{Rules: fleettest.Rules()})
	return h
}

func (m *machine) keepWith(h *jetstream.Broker, how fleet.Keeping) {
	m.t.Helper()
	how.Report = func(node, what string) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.reports = append(m.reports, node+": "+what)
	}
	fleettest.Serve(m.t, h, how)
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
	nc, err := nats.Connect(m.server.URL(), nats.Nkey(public, pair.Sign), nats.CustomInboxPrefix(subject.Inbox(public)))
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(nc.Close)
	return nc
}

func kind(t *testing.T, what string, err error, want fleet.ProblemKind) {
	t.Helper()
	var p *fleet.Problem
	if !errors.As(err, &p) || p.Kind != want {
		t.Errorf("%s: %v, want a problem of the kind %q", what, err, want)
	}
}

// TestSetUsers: users come and go while the connections of others stay open.
func TestSetUsers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	ctx := until(t)
	h, w := m.keep(), m.connect("w")
	staying := m.raw("v")
	dropped := make(chan error, 1)
	staying.SetDisconnectErrHandler(func(_ *nats.Conn, err error) { dropped <- err })
	taken := make(chan error)
	go func() {
		d, err := w.Take(ctx, fleet.Node{Name: "w"})
		if err == nil {
			err = d.Finish(ctx, fleet.Outcome{})
		}
		taken <- err
	}()
	more := m.user("more", subject.Worker)
	if _, err := jetstream.Connect(ctx, m.options("more")); err == nil {
		t.Fatal("a user that was not added may connect")
	} else {
		kind(t, "before", err, fleet.Unauthorized)
	}
	if err := m.server.SetUsers(append(slices.Clone(m.users), more)); err != nil {
		t.Fatal(err)
	}
	b := m.connect("more")
	if err := b.Register(ctx, fleet.Node{Name: "more"}); err != nil {
		t.Error(err)
	}
	if err := h.Offer(ctx, fleet.Entry{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := <-taken; err != nil {
		t.Errorf("the worker that was there before: %v", err)
	}
	if err := h.Offer(ctx, fleet.Entry{ID: "b"}); err != nil {
		t.Fatal(err)
	}
	if d, err := b.Take(ctx, fleet.Node{Name: "more"}); err != nil || d.Finish(ctx, fleet.Outcome{}) != nil {
		t.Errorf("the worker that was added: %v", err)
	}
	if err := m.server.SetUsers(m.users); err != nil {
		t.Fatal(err)
	}
	_, err := b.Take(ctx, fleet.Node{Name: "more"})
	kind(t, "the worker that was removed", err, fleet.Unauthorized)
	if err := staying.FlushWithContext(ctx); err != nil {
		t.Error(err)
	}
	select {
	case err := <-dropped:
		t.Errorf("the connection of another user was lost: %v", err)
	default:
	}
	if err := m.server.SetUsers([]subject.User{{Name: "x", PublicKey: "no key", Role: subject.Worker}}); err == nil {
		t.Error("an invalid public key is accepted")
	}
	if err := w.Register(ctx, fleet.Node{Name: "w"}); err != nil {
		t.Errorf("after a change that was refused: %v", err)
	}
}

// TestStart_refused: settings with which a hub does not start.
func TestStart_refused(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	good := m.users[:1]
	for name, c := range map[string]struct {
		options hub.Options
		want    string
	}{
		"an open port without TLS":   {hub.Options{Listen: "0.0.0.0:0", Users: good}, "requires TLS"},
		"every address without TLS":  {hub.Options{Listen: ":0", Users: good}, "requires TLS"},
		"a name without TLS":         {hub.Options{Listen: "example.com:0", Users: good}, "requires TLS"},
		"no port":                    {hub.Options{Listen: "127.0.0.1", Users: good}, "host:port"},
		"a port that is none":        {hub.Options{Listen: "127.0.0.1:x", Users: good}, `invalid port "x"`},
		"a port that is used":        {hub.Options{Listen: m.server.Address(), Users: good}, "address already in use"},
		"nobody":                     {hub.Options{}, "no user"},
		"a public key that is none":  {hub.Options{Users: []subject.User{{Name: "x", PublicKey: "U", Role: subject.Hub}}}, `invalid public key "U"`},
		"an unknown role":            {hub.Options{Users: []subject.User{{Name: "x", PublicKey: good[0].PublicKey, Role: "king"}}}, `unknown role "king"`},
		"a key of two users":         {hub.Options{Users: []subject.User{good[0], {Name: "x", PublicKey: good[0].PublicKey, Role: subject.Worker}}}, "two users"},
		"a project with a dot":       {hub.Options{Project: "a.b", Users: good}, `invalid project "a.b"`},
		"a certificate that is none": {hub.Options{TLS: hub.TLS{CertFile: "none", KeyFile: "none"}, Users: good}, "certificate"},
	} {
		c.options.Store = filepath.Join(t.TempDir(), "store")
		if c.options.Project == "" {
			c.options.Project = project
		}
		s, err := hub.Start(t.Context(), c.options)
		if err == nil {
			err = errors.Join(errors.New("it starts"), s.Stop())
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
