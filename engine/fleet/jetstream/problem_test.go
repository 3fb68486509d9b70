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

	"github.com/nats-io/nats-server/v2/server"

	"chant/engine/fleet"
	"chant/engine/fleet/fleettest"
	"chant/engine/fleet/jetstream"
	"chant/engine/fleet/subject"
)

// listen serves connections on a port until the test ends.
func listen(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(limit) {
		t.Fatal("the server does not start")
	}
	return s
}

// TestConnect_problems: each thing that can be wrong has its own kind, and an error that names the server.
func TestConnect_problems(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	plain := runServer(t, &server.Options{Host: "127.0.0.1", Port: -1})
	passwords := runServer(t, &server.Options{Host: "127.0.0.1", Port: -1, Username: "u", Password: "p"})
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	m.user("stranger", subject.Hub)
	broken := filepath.Join(m.folder, "broken")
	if err := os.WriteFile(broken, []byte("no seed"), 0o600); err != nil {
		t.Fatal(err)
	}
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
		"nothing listens":    {with(func(o *jetstream.Options) { o.URL = "nats://" + closed.Addr().String() }), fleet.Unreachable, "nothing listens"},
		"not NATS":           {with(func(o *jetstream.Options) { o.URL = "nats://" + web.Listener.Addr().String() }), fleet.Unreachable, "no answer"},
		"a URL that is none": {with(func(o *jetstream.Options) { o.URL = "nats://[" }), fleet.Misused, "invalid URL"},
		"an unknown user":    {m.options("stranger"), fleet.Unauthorized, "refuses the user"},
		"no credentials":     {with(func(o *jetstream.Options) { o.SeedFile = "" }), fleet.Unauthorized, "refuses the user"},
		"a wrong password":   {jetstream.Options{URL: strings.Replace(passwords.ClientURL(), "://", "://u:x@", 1), Project: project}, fleet.Unauthorized, "refuses the user"},
		"no JetStream":       {jetstream.Options{URL: plain.ClientURL(), Project: project}, fleet.NoJetStream, "no JetStream"},
		"too old":            {jetstream.Options{URL: "nats://" + listen(t, oldServer("2.10.29")), Project: project}, fleet.TooOld, "2.10.29"},
		"a missing seed":     {with(func(o *jetstream.Options) { o.SeedFile = broken + "x" }), fleet.Misused, "invalid seed file"},
		"a broken seed":      {with(func(o *jetstream.Options) { o.SeedFile = broken }), fleet.Misused, "no seed of a user"},
		"missing creds":      {with(func(o *jetstream.Options) { o.SeedFile, o.Creds = "", broken+"x" }), fleet.Misused, "credentials file"},
		"two credentials":    {with(func(o *jetstream.Options) { o.Creds = broken }), fleet.Misused, "use one"},
		"a missing CA":       {with(func(o *jetstream.Options) { o.CAFile = broken + "x" }), fleet.Misused, "CA file"},
		"a broken CA":        {with(func(o *jetstream.Options) { o.CAFile = broken }), fleet.Misused, "CA file"},
		"a project":          {with(func(o *jetstream.Options) { o.Project = "a b" }), fleet.Misused, `invalid project "a b"`},
		"no project":         {with(func(o *jetstream.Options) { o.Project = "" }), fleet.Misused, `invalid project ""`},
	} {
		b, err := jetstream.Connect(until(t), c.options)
		if err == nil {
			_ = b.Close()
			t.Errorf("%s: no error", name)
			continue
		}
		var p *fleet.Problem
		if !errors.As(err, &p) || p.Kind != c.kind || !strings.Contains(p.Detail, c.detail) {
			t.Errorf("%s: %v, want the kind %q and %q", name, err, c.kind, c.detail)
			continue
		}
		if host := redacted(c.options.URL); !strings.Contains(err.Error(), host) || strings.Contains(err.Error(), "u:x@") {
			t.Errorf("%s: %q, want the server %q without its password", name, err, host)
		}
		if p.Advice() == "" && p.Kind != fleet.Misused {
			t.Errorf("%s: %q has no advice", name, p.Kind)
		}
	}
}

func redacted(url string) string { return strings.Replace(url, "u:x@", "", 1) }

// TestConnect_workerFirst: a worker cannot create the queue, and says that the hub has to.
func TestConnect_workerFirst(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	o := m.add("w", subject.Worker)
	_, err := jetstream.Connect(until(t), o)
	var p *fleet.Problem
	if !errors.As(err, &p) || p.Kind != fleet.NoQueue {
		t.Fatalf("%v, want a problem of the kind %q", err, fleet.NoQueue)
	}
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
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context was cancelled", err)
	}
}

// TestProblem_serverStops: calls fail with a problem when the server stays away.
func TestProblem_serverStops(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.keep()
	b := m.connect(m.options("hub"))
	if err := b.Offer(until(t), fleet.Entry{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Take(until(t), fleet.Node{Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
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
	h, other := m.connect(m.options("hub")), m.add("w", subject.Worker) // a queue that is made while users change has no store
	fleettest.Serve(t, h, fleet.Keeping{Holds: func(_ context.Context, node, id string) bool { return node == "w" && id == "a" }})
	w := m.connect(other)
	if err := h.Offer(until(t), fleet.Entry{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	d, err := w.Take(until(t), fleet.Node{Name: "w"})
	if err != nil {
		t.Fatal(err)
	}
	address := m.server.Address()
	m.stop()
	if err := os.RemoveAll(filepath.Join(m.folder, "store")); err != nil {
		t.Fatal(err)
	}
	m.start(address)
	if err := h.Offer(until(t), fleet.Entry{ID: "b"}); err != nil {
		t.Fatal(err)
	}
	if err := d.Heartbeat(until(t)); err != nil {
		t.Errorf("heartbeat: %v", err)
	}
	if err := d.Finish(until(t), fleet.Outcome{Status: "completed"}); err != nil {
		t.Errorf("finish: %v", err)
	}
	next, err := w.Take(until(t), fleet.Node{Name: "w"})
	if err != nil || next.Entry().ID != "b" || next.Finish(until(t), fleet.Outcome{}) != nil {
		t.Errorf("took %v, %v", next, err)
	}
}

// TestKey: a seed is created once, for its owner alone.
func TestKey(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys", "node")
	first, err := jetstream.Key(file)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := jetstream.Key(file); err != nil || again != first || !strings.HasPrefix(first, "U") {
		t.Errorf("%q, %v, want %q", again, err, first)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v, want that only its owner can read it", info.Mode(), err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".seed-*")); err != nil || len(left) != 0 {
		t.Errorf("%q is left, %v", left, err)
	}
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := jetstream.Key(file); err == nil {
		t.Error("a file without a seed is accepted")
	}
}
