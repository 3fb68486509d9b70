package jetstream_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
	"github.com/nats-io/nats-server/v2/server"

	"chant/engine/fleet"
	"chant/engine/fleet/hub"
	"chant/engine/fleet/jetstream"
)

// listen serves connections on a port until the test ends.
func listen(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

// oldServer greets as a server of a version, and answers pings.
func oldServer(version string) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = fmt.Fprintf(c, "INFO {\"server_id\":\"x\",\"version\":%q,\"headers\":true,\"max_payload\":1048576}\r\n", version)
		lines := bufio.NewScanner(c)
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "PING") {
				_, _ = fmt.Fprint(c, "PONG\r\n")
			}
		}
	}
}

// runServer starts a server of NATS with other settings than those of a hub.
func runServer(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	o.NoSigs, o.NoLog = true, true
	s, err := server.NewServer(o)
	assert.NoError(t, err)
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	assert.True(t, s.ReadyForConnections(limit), "the server does not start")
	return s
}

// TestConnect_problems: each thing that can be wrong has its own kind, and an error that names the server.
func TestConnect_problems(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	plain := runServer(t, &server.Options{Host: "127.0.0.1", Port: -1})
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	assert.NoError(t, closed.Close())
	m.user("stranger", jetstream.HubRole)
	broken := filepath.Join(m.folder, "broken")
	assert.NoError(t, os.WriteFile(broken, []byte("no seed"), 0o600))
	with := func(change func(*jetstream.Options)) jetstream.Options {
		o := m.options("hub")
		change(&o)
		return o
	}
	for name, c := range map[string]struct {
		options jetstream.Options
		kind    fleet.ProblemKind
		detail  string
	}{
		"nothing listens": {with(func(o *jetstream.Options) { o.URL = "nats://" + closed.Addr().String() }), fleet.Unreachable, "nothing listens"},
		"not NATS":        {with(func(o *jetstream.Options) { o.URL = "nats://" + web.Listener.Addr().String() }), fleet.Unreachable, "no answer"},
		"an unknown user": {m.options("stranger"), fleet.Unauthorized, "refuses the user"},
		"no credentials":  {with(func(o *jetstream.Options) { o.SeedFile = "" }), fleet.Unauthorized, "refuses the user"},
		"no JetStream":    {jetstream.Options{URL: plain.ClientURL(), Project: project}, fleet.NoJetStream, "no JetStream"},
		"too old":         {jetstream.Options{URL: "nats://" + listen(t, oldServer("2.10.29")), Project: project}, fleet.TooOld, "2.10.29"},
		"a missing seed":  {with(func(o *jetstream.Options) { o.SeedFile = broken + "x" }), fleet.Misused, "invalid seed file"},
		"a broken seed":   {with(func(o *jetstream.Options) { o.SeedFile = broken }), fleet.Misused, "no seed of a user"},
		"missing creds":   {with(func(o *jetstream.Options) { o.SeedFile, o.Creds = "", broken+"x" }), fleet.Misused, "credentials file"},
		"two credentials": {with(func(o *jetstream.Options) { o.Creds = broken }), fleet.Misused, "use one"},
		"a missing CA":    {with(func(o *jetstream.Options) { o.CAFile = broken + "x" }), fleet.Misused, "CA file"},
		"a broken CA":     {with(func(o *jetstream.Options) { o.CAFile = broken }), fleet.Misused, "CA file"},
		"a project":       {with(func(o *jetstream.Options) { o.Project = "a b" }), fleet.Misused, `invalid project "a b"`},
		"no project":      {with(func(o *jetstream.Options) { o.Project = "" }), fleet.Misused, `invalid project ""`},
	} {
		b, err := jetstream.Connect(until(t), c.options)
		if err == nil {
			b.Close()
			t.Errorf("%s: no error", name)
			continue
		}
		var p *fleet.Problem
		if !errors.As(err, &p) || p.Kind != c.kind || !strings.Contains(p.Detail, c.detail) {
			t.Errorf("%s: %v, want the kind %q and %q", name, err, c.kind, c.detail)
			continue
		}
		assert.Contains(t, err.Error(), c.options.URL, "%s", name)
		assert.False(t, p.Advice() == "" && p.Kind != fleet.Misused, "%s: %q has no advice", name, p.Kind)
	}
}

// TestConnect_workerFirst: a worker cannot create the queue, and says that the hub has to.
func TestConnect_workerFirst(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	o := m.options("w")
	_, err := jetstream.Connect(until(t), o)
	var p *fleet.Problem
	assert.True(t, errors.As(err, &p), "%v, want a problem of the kind %q", err, fleet.NoQueue)
	assert.Equal(t, fleet.NoQueue, p.Kind)
	m.connect(m.options("hub"))
	m.connect(o)
}

// TestConnect_canceled: the context ends a connection that does not come about.
func TestConnect_canceled(t *testing.T) {
	t.Parallel()
	silent := make(chan struct{})
	address := listen(t, func(net.Conn) { <-silent })
	t.Cleanup(func() { close(silent) })
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := jetstream.Connect(ctx, jetstream.Options{URL: "nats://" + address, Project: project})
		done <- err
	}()
	stop()
	assert.IsError(t, <-done, context.Canceled)
}

// TestProblem_serverStops: calls fail with a problem when the server stays away.
func TestProblem_serverStops(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	b := m.keep()
	assert.NoError(t, b.Offer(until(t), fleet.Entry{ID: "a"}))
	d, err := b.Take(until(t), fleet.Node{Name: "n"})
	assert.NoError(t, err)
	where := m.server.URL()
	m.stop()
	var all sync.WaitGroup
	for name, do := range map[string]func() error{
		"heartbeat": func() error { return d.Heartbeat(until(t)) },
		"offer":     func() error { return b.Offer(until(t), fleet.Entry{ID: "b"}) },
		"command":   func() error { return b.Command(until(t), fleet.Command{Order: fleet.Stop, Node: "n"}) },
		"watch":     func() error { _, err := b.Watch(until(t)); return err },
		"nodes":     func() error { _, err := b.Nodes(until(t)); return err },
		"backlog":   func() error { _, err := b.Backlog(until(t)); return err },
	} {
		all.Go(func() {
			var p *fleet.Problem
			if err := do(); !errors.As(err, &p) || p.Kind != fleet.Unreachable || p.Server != where {
				t.Errorf("%s: %v, want that %q cannot be reached", name, err, where)
			}
		})
	}
	all.Wait()
}

// TestProblem_storeIsLost: if the server comes back with an empty store, the queue is made again, and a run goes on.
func TestProblem_storeIsLost(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	h := m.connect(m.options("hub"))
	serve(t, h, fleet.Keeping{Holds: func(_ context.Context, node, id string) bool { return node == "w" && id == "a" }})
	w := m.connect(m.options("w"))
	assert.NoError(t, h.Offer(until(t), fleet.Entry{ID: "a"}))
	d, err := w.Take(until(t), fleet.Node{Name: "w"})
	assert.NoError(t, err)
	address := m.server.Address()
	m.stop()
	assert.NoError(t, os.RemoveAll(filepath.Join(m.folder, "store")))
	m.start(address)
	assert.NoError(t, h.Offer(until(t), fleet.Entry{ID: "b"}))
	assert.NoError(t, d.Heartbeat(until(t)))
	assert.NoError(t, d.Finish(until(t), fleet.Outcome{Status: "completed"}))
	next, err := w.Take(until(t), fleet.Node{Name: "w"})
	assert.NoError(t, err)
	assert.Equal(t, "b", next.Entry().ID)
	assert.NoError(t, next.Finish(until(t), fleet.Outcome{}))
}

// TestKey: a seed is created once, for its owner alone.
func TestKey(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys", "node")
	first, err := jetstream.Key(file)
	assert.NoError(t, err)
	again, err := jetstream.Key(file)
	assert.NoError(t, err)
	assert.Equal(t, first, again)
	assert.HasPrefix(t, first, "U")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v, want that only its owner can read it", info.Mode(), err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".seed-*"))
	assert.NoError(t, err, "%q is left", left)
	assert.Zero(t, left, "%q is left", left)
	assert.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	_, err = jetstream.Key(file)
	assert.Error(t, err, "a file without a seed is accepted")
}

// TestTLS: with a certificate that chant made, a worker that trusts its authority connects, and no other.
func TestTLS(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	secure := func(name string, hosts ...string) *hub.Server {
		t.Helper()
		s, err := hub.Start(t.Context(), jetstream.ServerOptions{
			Project: project, Store: filepath.Join(m.folder, name), Users: m.users, Hosts: hosts, Certificates: filepath.Join(m.folder, name+"-tls"),
		})
		assert.NoError(t, err)
		t.Cleanup(func() { _ = s.Stop() }) // the folder goes, too
		return s
	}
	s := secure("one", "127.0.0.1", "localhost")
	authority := s.Authority()
	o := m.options("hub")
	for _, url := range []string{s.URL(), "nats://" + s.Address(), strings.Replace(s.URL(), "127.0.0.1", "localhost", 1)} {
		o.URL, o.CAFile = url, authority
		b, err := jetstream.Connect(until(t), o)
		assert.NoError(t, err, "%s", url)
		assert.NoError(t, b.Offer(until(t), fleet.Entry{ID: "a"}))
		b.Close()
	}
	if !strings.HasPrefix(s.URL(), "tls://") {
		t.Errorf("URL %q", s.URL())
	}
	o.URL, o.CAFile = s.URL(), ""
	_, err := jetstream.Connect(until(t), o)
	wantKind(t, "without the authority", err, fleet.Untrusted)
	o.URL = "nats://" + s.Address()
	_, err = jetstream.Connect(until(t), o)
	wantKind(t, "a plain URL", err, fleet.Untrusted)
	o.URL, o.CAFile = s.URL(), secure("other", "127.0.0.1").Authority()
	_, err = jetstream.Connect(until(t), o)
	wantKind(t, "another authority", err, fleet.Untrusted)
	o.URL, o.CAFile = "tls://"+m.server.Address(), authority
	_, err = jetstream.Connect(until(t), o)
	wantKind(t, "a server without TLS", err, fleet.Untrusted)
}

// TestStart_refused: settings with which a hub does not start.
func TestStart_refused(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	good := m.users[:1]
	for name, c := range map[string]struct {
		options jetstream.ServerOptions
		want    string
	}{
		"an open port without TLS":  {jetstream.ServerOptions{Listen: "0.0.0.0:0", Users: good}, "requires TLS"},
		"every address without TLS": {jetstream.ServerOptions{Listen: ":0", Users: good}, "requires TLS"},
		"a name without TLS":        {jetstream.ServerOptions{Listen: "example.com:0", Users: good}, "requires TLS"},
		"no port":                   {jetstream.ServerOptions{Listen: "127.0.0.1", Users: good}, "host:port"},
		"a port that is none":       {jetstream.ServerOptions{Listen: "127.0.0.1:x", Users: good}, `invalid port "x"`},
		"a port that is used":       {jetstream.ServerOptions{Listen: m.server.Address(), Users: good}, "address already in use"},
		"nobody":                    {jetstream.ServerOptions{}, "no user"},
		"a public key that is none": {jetstream.ServerOptions{Users: []jetstream.User{{Name: "x", PublicKey: "U", Role: jetstream.HubRole}}}, `invalid public key "U"`},
		"an unknown role":           {jetstream.ServerOptions{Users: []jetstream.User{{Name: "x", PublicKey: good[0].PublicKey, Role: "king"}}}, `unknown role "king"`},
		"a key of two users":        {jetstream.ServerOptions{Users: []jetstream.User{good[0], {Name: "x", PublicKey: good[0].PublicKey, Role: jetstream.WorkerRole}}}, "two users"},
		"a project with a dot":      {jetstream.ServerOptions{Project: "a.b", Users: good}, `invalid project "a.b"`},
	} {
		c.options.Store = filepath.Join(t.TempDir(), "store")
		if c.options.Project == "" {
			c.options.Project = project
		}
		s, err := hub.Start(t.Context(), c.options)
		if err == nil {
			err = errors.Join(errors.New("it starts"), s.Stop())
		}
		assert.Contains(t, err.Error(), c.want, "%s", name)
	}
}
