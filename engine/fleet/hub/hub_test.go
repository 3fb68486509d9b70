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

// machine is a hub with a worker "w", a lander "l", and the user "hub".
type machine struct {
	t      *testing.T
	folder string
	server *hub.Server
	users  []hub.User
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, folder: t.TempDir()}
	m.users = []hub.User{m.user("hub", subject.Hub), m.user("w", subject.Worker), m.user("l", subject.Lander)}
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

func (m *machine) user(name string, role subject.Role) hub.User {
	m.t.Helper()
	public, err := jetstream.Key(m.seed(name))
	if err != nil {
		m.t.Fatal(err)
	}
	return hub.User{Name: name, PublicKey: public, Role: role}
}

func (m *machine) seed(name string) string { return filepath.Join(m.folder, "keys", name) }

func (m *machine) options(name string) jetstream.Options {
	return jetstream.Options{URL: m.server.URL(), Project: project, Name: name, SeedFile: m.seed(name), Patience: time.Second}
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

// TestRoles_allowed: what workers and landers are there for.
func TestRoles_allowed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"w", "l"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			h, w := m.connect("hub"), m.connect(name)
			ctx := until(t)
			changes, err := w.Watch(ctx)
			if err != nil {
				t.Fatal(err)
			}
			commands, err := w.Commands(ctx)
			if err != nil {
				t.Fatal(err)
			}
			log, err := w.Follow(ctx, "a")
			if err != nil {
				t.Fatal(err)
			}
			step := func(what string, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
			}
			n := fleet.Node{Name: name, Providers: []string{"p"}}
			step("offer", h.Offer(ctx, fleet.Entry{ID: "a", Needs: fleet.Needs{Provider: "p"}}))
			d, err := w.Take(ctx, n)
			step("take", err)
			step("heartbeat", d.Heartbeat(ctx))
			step("put back", d.PutBack(ctx, 0, "why"))
			d, err = w.Take(ctx, n)
			step("take", err)
			step("log", w.Log(ctx, "a", []byte("text")))
			step("share", w.Share(ctx, "pace", func([]byte) ([]byte, error) { return []byte("1"), nil }))
			step("register", w.Register(ctx, n))
			step("command", h.Command(ctx, fleet.Command{Order: fleet.Drain, Node: name}))
			step("finish", d.Finish(ctx, fleet.Outcome{Status: "completed"}))

			var got []string
			for range 5 {
				got = append(got, string((<-changes).Kind))
			}
			if want := "offered taken put_back taken finished"; strings.Join(got, " ") != want {
				t.Errorf("changes %q, want %q", got, want)
			}
			if c := <-commands; c.Order != fleet.Drain {
				t.Errorf("command %+v", c)
			}
			if text := <-log; string(text) != "text" {
				t.Errorf("log %q", text)
			}
			nodes, err := w.Nodes(ctx)
			if err != nil || len(nodes) != 1 || nodes[0].Name != name {
				t.Errorf("nodes %+v, %v", nodes, err)
			}
			if name != "l" {
				return
			}
			held, err := w.Lease(ctx, "lander", name)
			if err != nil || !held {
				t.Errorf("lease: %t, %v", held, err)
			}
			step("release", w.Release(ctx, "lander", name))
			step("tell", w.Tell(ctx, fleet.Change{Kind: fleet.Landed, ID: "a", Node: name}))
			step("command", w.Command(ctx, fleet.Command{Order: fleet.Stop, Spec: "a"}))
			if c := <-commands; c.Order != fleet.Stop {
				t.Errorf("command %+v", c)
			}
			if c := <-changes; c.Kind != fleet.Landed {
				t.Errorf("change %+v", c)
			}
		})
	}
}

// TestRoles_refused: what a worker and a lander may not do is refused at once, with an error that says so.
func TestRoles_refused(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	h, w, l := m.connect("hub"), m.connect("w"), m.connect("l")
	ctx := until(t)
	if err := h.Offer(ctx, fleet.Entry{ID: "there"}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Lease(ctx, "lander", "hub"); err != nil {
		t.Fatal(err)
	}
	if err := h.Register(ctx, fleet.Node{Name: "other", Host: "right"}); err != nil {
		t.Fatal(err)
	}
	both := map[string]func(b *jetstream.Broker, self string) error{
		"offer":                 func(b *jetstream.Broker, _ string) error { return b.Offer(ctx, fleet.Entry{ID: "x"}) },
		"withdraw":              func(b *jetstream.Broker, _ string) error { return b.Withdraw(ctx, "there") },
		"backlog":               func(b *jetstream.Broker, _ string) error { _, err := b.Backlog(ctx); return err },
		"register another node": func(b *jetstream.Broker, _ string) error { return b.Register(ctx, fleet.Node{Name: "other"}) },
		"remove another node":   func(b *jetstream.Broker, _ string) error { return b.Unregister(ctx, "other") },
		"report for another one": func(b *jetstream.Broker, _ string) error {
			return b.Tell(ctx, fleet.Change{Kind: fleet.Taken, ID: "there", Node: "other"})
		},
		"report an offer": func(b *jetstream.Broker, self string) error {
			return b.Tell(ctx, fleet.Change{Kind: fleet.Offered, ID: "x", Node: self})
		},
	}
	worker := map[string]func() error{
		"take a lease":     func() error { _, err := w.Lease(ctx, "another", "w"); return err },
		"send a command":   func() error { return w.Command(ctx, fleet.Command{Order: fleet.Drain}) },
		"report a landing": func() error { return w.Tell(ctx, fleet.Change{Kind: fleet.Landed, ID: "there", Node: "w"}) },
		"report a refusal": func() error { return w.Tell(ctx, fleet.Change{Kind: fleet.Refused, ID: "there", Node: "w"}) },
	}
	for name, do := range both {
		kind(t, "worker: "+name, do(w, "w"), fleet.Forbidden)
		kind(t, "lander: "+name, do(l, "l"), fleet.Forbidden)
	}
	for name, do := range worker {
		kind(t, "worker: "+name, do(), fleet.Forbidden)
	}
	unharmed(t, h)
}

// unharmed checks that the entry, the lease and the node that TestRoles_refused has made are as they were.
func unharmed(t *testing.T, h *jetstream.Broker) {
	t.Helper()
	ctx := until(t)
	nodes, err := h.Nodes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(nodes, func(n fleet.Node) bool { return n.Name == "other" && n.Host == "right" }) {
		t.Errorf("nodes %+v, want the one that was registered", nodes)
	}
	if held, err := h.Lease(ctx, "lander", "hub"); err != nil || !held {
		t.Errorf("the lease: %t, %v, want that it is still held", held, err)
	}
	backlog, err := h.Backlog(ctx)
	if err != nil || backlog.Waiting != 1 || backlog.Running != 0 {
		t.Errorf("%+v, %v, want one entry that waits", backlog, err)
	}
	d, err := h.Take(ctx, fleet.Node{Name: "hub"})
	if err != nil || d.Entry().ID != "there" {
		t.Fatalf("took %v, %v", d, err)
	}
}

// TestRoles_hostile: a worker that uses the protocol directly changes nothing either, also not by having the server
// answer on a subject on which it may not write itself.
func TestRoles_hostile(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	h, w := m.connect("hub"), m.connect("w")
	ctx := until(t)
	if err := h.Offer(ctx, fleet.Entry{ID: "there"}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Lease(ctx, "lander", "hub"); err != nil {
		t.Fatal(err)
	}
	if err := h.Register(ctx, fleet.Node{Name: "other", Host: "right"}); err != nil {
		t.Fatal(err)
	}
	p := subject.Project(project)
	if err := w.Log(ctx, "evil", []byte(`{"name":"other","host":"wrong"}`)); err != nil {
		t.Fatal(err)
	}
	empty := m.raw("w")
	if err := empty.Publish(p.Log("nothing"), nil); err != nil {
		t.Fatal(err)
	}
	targets := []string{
		p.Node("other"), p.Lease("lander"), p.Work("_", "x"), p.Class("_"), p.Command(), p.Change(fleet.Landed, "l"),
		"$JS.API.STREAM.DELETE." + p.WorkStream(), "$JS.API.STREAM.PURGE." + p.WorkStream(),
		"$JS.API.STREAM.MSG.DELETE." + p.WorkStream(), "$JS.API.CONSUMER.DELETE." + p.WorkStream() + "._",
		"$JS.API.STREAM.CREATE.more", "$JS.API.STREAM.UPDATE." + p.WorkStream(), "$JS.API.CONSUMER.CREATE." + p.LogStream() + ".c",
		"$JS.API.STREAM.DELETE." + p.LiveStream(), "$JS.API.STREAM.SNAPSHOT." + p.WorkStream(),
		"$SYS.REQ.SERVER.PING", "$JS.API.META.LEADER.STEPDOWN",
	}
	nc := m.raw("w")
	denied := make(chan error, 10*len(targets))
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	for _, target := range targets {
		if err := nc.Publish(target, []byte(`{"name":"other","host":"wrong"}`)); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), target) {
				t.Errorf("%q: %v", target, err)
			}
		case <-ctx.Done():
			t.Fatalf("%q is not refused", target)
		}
		for _, what := range []string{`{"last_by_subj":"` + p.Log("evil") + `"}`, `{"last_by_subj":"` + p.Log("nothing") + `"}`} {
			if err := nc.PublishRequest(subject.ReadOf(p.LogStream()), target, []byte(what)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, target := range []string{">", "_INBOX.>", subject.Inbox(m.users[0].PublicKey) + ".>", p.All(), p.WorkOf("*"), p.Any("value"), "$SYS.>", "$JS.>"} {
		sub, err := nc.SubscribeSync(target)
		if err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%q: %v", target, err)
			}
		case <-ctx.Done():
			t.Fatalf("%q is not refused", target)
		}
		_ = sub.Unsubscribe()
	}
	if err := nc.FlushWithContext(ctx); err != nil {
		t.Fatal(err)
	}
	// The server answers in order, so that this answer comes after all those to other subjects.
	if _, err := nc.RequestWithContext(ctx, subject.ReadOf(p.LogStream()), []byte(`{"seq":1}`)); err != nil {
		t.Fatal(err)
	}
	unharmed(t, h)
}

// TestSetUsers: users come and go while the connections of others stay open.
func TestSetUsers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	ctx := until(t)
	h, w := m.connect("hub"), m.connect("w")
	staying := m.raw("l")
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
	if err := m.server.SetUsers([]hub.User{{Name: "x", PublicKey: "no key", Role: subject.Worker}}); err == nil {
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
		"a public key that is none":  {hub.Options{Users: []hub.User{{Name: "x", PublicKey: "U", Role: subject.Hub}}}, `invalid public key "U"`},
		"an unknown role":            {hub.Options{Users: []hub.User{{Name: "x", PublicKey: good[0].PublicKey, Role: "king"}}}, `unknown role "king"`},
		"a key of two users":         {hub.Options{Users: []hub.User{good[0], {Name: "x", PublicKey: good[0].PublicKey, Role: subject.Worker}}}, "two users"},
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

// TestTLS: with a certificate that chant made, a worker that trusts its authority connects, and no other.
func TestTLS(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	folder := filepath.Join(m.folder, "tls")
	now := time.Now()
	pair, authority, err := hub.SelfSigned(folder, []string{"127.0.0.1", "localhost"}, now)
	if err != nil {
		t.Fatal(err)
	}
	s, err := hub.Start(t.Context(), hub.Options{Project: project, Store: filepath.Join(m.folder, "store2"), Users: m.users, TLS: pair, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}()
	o := m.options("hub")
	for _, url := range []string{s.URL(), "nats://" + s.Address(), strings.Replace(s.URL(), "127.0.0.1", "localhost", 1)} {
		o.URL, o.CAFile = url, authority
		b, err := jetstream.Connect(until(t), o)
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		if err := b.Offer(until(t), fleet.Entry{ID: "a"}); err != nil {
			t.Error(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if !strings.HasPrefix(s.URL(), "tls://") {
		t.Errorf("URL %q", s.URL())
	}
	o.URL, o.CAFile = s.URL(), ""
	_, err = jetstream.Connect(until(t), o)
	kind(t, "without the authority", err, fleet.Untrusted)
	o.URL = "nats://" + s.Address()
	_, err = jetstream.Connect(until(t), o)
	kind(t, "a plain URL", err, fleet.Untrusted)
	_, other, err := hub.SelfSigned(filepath.Join(m.folder, "other"), []string{"127.0.0.1"}, now)
	if err != nil {
		t.Fatal(err)
	}
	o.URL, o.CAFile = s.URL(), other
	_, err = jetstream.Connect(until(t), o)
	kind(t, "another authority", err, fleet.Untrusted)
	o.URL, o.CAFile = "tls://"+m.server.Address(), authority
	_, err = jetstream.Connect(until(t), o)
	kind(t, "a server without TLS", err, fleet.Untrusted)
}

// TestSelfSigned: files are kept while they are good, and a certificate is made again for other hosts or near its end.
func TestSelfSigned(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "tls")
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	read := func(hosts []string, now time.Time) (cert, authority string) {
		t.Helper()
		pair, file, err := hub.SelfSigned(folder, hosts, now)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(pair.CertFile)
		if err != nil {
			t.Fatal(err)
		}
		text2, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{pair.KeyFile, filepath.Join(folder, "authority.key")} {
			if info, err := os.Stat(key); err != nil || info.Mode().Perm()&0o077 != 0 && !windows() {
				t.Errorf("%s: %v, %v, want that only its owner can read it", key, info.Mode(), err)
			}
		}
		return string(text), string(text2)
	}
	first, authority := read([]string{"hub.example"}, now)
	if again, a := read([]string{"hub.example"}, now.Add(24*time.Hour)); again != first || a != authority {
		t.Error("a good certificate was made again")
	}
	second, a := read([]string{"hub.example", "10.0.0.1"}, now)
	if second == first || a != authority {
		t.Error("the certificate does not change with the hosts, or the authority does")
	}
	if third, a := read([]string{"hub.example"}, now.Add(700*24*time.Hour)); third == second || a != authority {
		t.Error("the certificate does not change near its end, or the authority does")
	}
}

func windows() bool { return os.PathSeparator == '\\' }
