package jetstream_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
)

// TestRoles_allowed: what workers are there for.
func TestRoles_allowed(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	h, w := m.keep(), m.connect(m.options("w"))
	ctx := until(t)
	changes, err := w.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	commands, err := w.Commands(ctx, "w")
	if err != nil {
		t.Fatal(err)
	}
	log, err := w.Follow(ctx, "w", "a")
	if err != nil {
		t.Fatal(err)
	}
	step := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	n := fleet.Node{Name: "w", Providers: []string{"p"}}
	step("offer", h.Offer(ctx, fleet.Entry{ID: "a", Needs: fleet.Needs{Provider: "p"}}))
	d, err := w.Take(ctx, n)
	step("take", err)
	step("heartbeat", d.Heartbeat(ctx))
	step("put back", d.PutBack(ctx, 0, "why"))
	d, err = w.Take(ctx, n)
	step("take", err)
	step("claimed", d.AnnounceClaim(ctx))
	step("log", w.Log(ctx, "w", "a", []byte("text")))
	for key, spec := range map[string]string{"sum.x": "", "last.x": "a"} {
		_, err = w.Ask(ctx, "w", fleet.Wish{Key: key, Spec: spec, Text: []byte("1")})
		step(key, err)
	}
	step("register", w.Register(ctx, n))
	step("command", h.Command(ctx, fleet.Command{Order: fleet.Drain, Node: "w"}))
	step("finish", d.Finish(ctx, fleet.Outcome{Status: "completed"}))
	step("finish again", d.Finish(ctx, fleet.Outcome{Status: "completed"})) // whose answer was lost

	var got []string
	for range 6 {
		got = append(got, string((<-changes).Kind))
	}
	if want := "offered taken put_back taken taken finished"; strings.Join(got, " ") != want {
		t.Errorf("changes %q, want %q", got, want)
	}
	if c := <-commands; c.Order != fleet.Drain {
		t.Errorf("command %+v", c)
	}
	text := <-log
	if len(text) == 0 { // that was the end of what was there
		text = <-log
	}
	if string(text) != "text" {
		t.Errorf("log %q", text)
	}
	nodes, err := w.Nodes(ctx)
	if err != nil || len(nodes) != 1 || nodes[0].Name != "w" {
		t.Errorf("nodes %+v, %v", nodes, err)
	}
	if takers, err := h.Takers(ctx, "a"); err != nil || strings.Join(takers, " ") != "w" {
		t.Errorf("takers %q, %v", takers, err)
	}
	if reports := m.reported(); len(reports) != 0 {
		t.Errorf("reported: %q", reports)
	}
}

// TestRoles_refused: what a worker may not do is refused at once, with an error that says so.
func TestRoles_refused(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.keep()
	w := m.connect(m.options("w"))
	ctx := until(t)
	for name, do := range map[string]func(b *jetstream.Broker) error{
		"offer":                 func(b *jetstream.Broker) error { return b.Offer(ctx, fleet.Entry{ID: "x"}) },
		"withdraw":              func(b *jetstream.Broker) error { return b.Withdraw(ctx, "there") },
		"backlog":               func(b *jetstream.Broker) error { _, err := b.Backlog(ctx); return err },
		"register another node": func(b *jetstream.Broker) error { return b.Register(ctx, fleet.Node{Name: "v"}) },
		"remove another node":   func(b *jetstream.Broker) error { return b.Unregister(ctx, "v") },
		"take for another node": func(b *jetstream.Broker) error { _, err := b.Take(ctx, fleet.Node{Name: "v"}); return err },
		"log as another node":   func(b *jetstream.Broker) error { return b.Log(ctx, "v", "x", []byte("x")) },
		"ask as another node":   func(b *jetstream.Broker) error { _, err := b.Ask(ctx, "v", fleet.Wish{Key: "sum.x"}); return err },
		"orders of another":     func(b *jetstream.Broker) error { _, err := b.Commands(ctx, "v"); return err },
		"report a change": func(b *jetstream.Broker) error {
			return b.Tell(ctx, fleet.Change{Kind: fleet.Taken, ID: "x", Node: "w"})
		},
		"take a lease":      func(b *jetstream.Broker) error { _, err := b.Lease(ctx, "another", "w"); return err },
		"give back a lease": func(b *jetstream.Broker) error { return b.Release(ctx, "another", "") },
		"send a command":    func(b *jetstream.Broker) error { return b.Command(ctx, fleet.Command{Order: fleet.Drain, Node: "v"}) },
		"trust a key":       func(b *jetstream.Broker) error { return b.Trust(ctx, map[string]string{"v": "k"}) },
		"see the takers":    func(b *jetstream.Broker) error { _, err := b.Takers(ctx, "x"); return err },
		"keep the queue":    func(b *jetstream.Broker) error { return b.Keep(ctx, fleet.Keeping{}) },
	} {
		err := do(w)
		if name == "keep the queue" {
			wantKind(t, name, err, fleet.NoQueue) // nor can it make the queue
			continue
		}
		wantKind(t, name, err, fleet.Forbidden)
	}
}

// TestSetUsers: users come and go while the connections of others stay open.
func TestSetUsers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	ctx := until(t)
	h, w := m.keep(), m.connect(m.options("w"))
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
	more := m.user("more", jetstream.WorkerRole)
	if _, err := jetstream.Connect(ctx, m.options("more")); err == nil {
		t.Fatal("a user that was not added may connect")
	} else {
		wantKind(t, "before", err, fleet.Unauthorized)
	}
	if err := m.server.SetUsers(append(slices.Clone(m.users), more)); err != nil {
		t.Fatal(err)
	}
	b := m.connect(m.options("more"))
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
	wantKind(t, "the worker that was removed", err, fleet.Unauthorized)
	if err := staying.FlushWithContext(ctx); err != nil {
		t.Error(err)
	}
	select {
	case err := <-dropped:
		t.Errorf("the connection of another user was lost: %v", err)
	default:
	}
	if err := m.server.SetUsers([]jetstream.User{{Name: "x", PublicKey: "no key", Role: jetstream.WorkerRole}}); err == nil {
		t.Error("an invalid public key is accepted")
	}
	if err := w.Register(ctx, fleet.Node{Name: "w"}); err != nil {
		t.Errorf("after a change that was refused: %v", err)
	}
}
