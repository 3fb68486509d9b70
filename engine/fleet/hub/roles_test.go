package hub_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/fleet/subject"
)

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
			text := <-log
			if len(text) == 0 { // that was the end of what was there
				text = <-log
			}
			if string(text) != "text" {
				t.Errorf("log %q", text)
			}
			nodes, err := w.Nodes(ctx)
			if err != nil || len(nodes) != 1 || nodes[0].Name != name {
				t.Errorf("nodes %+v, %v", nodes, err)
			}
			if name == "l" {
				landerOnly(t, w, commands, changes)
			}
		})
	}
}

// landerOnly does what a lander may do and a worker may not.
func landerOnly(t *testing.T, l *jetstream.Broker, commands <-chan fleet.Command, changes <-chan fleet.Change) {
	t.Helper()
	ctx := until(t)
	held, err := l.Lease(ctx, "lander", "l")
	if err != nil || !held {
		t.Errorf("lease: %t, %v", held, err)
	}
	if err := l.Release(ctx, "lander", "l"); err != nil {
		t.Errorf("release: %v", err)
	}
	if err := l.Command(ctx, fleet.Command{Order: fleet.Stop, Spec: "a"}); err != nil {
		t.Fatalf("command: %v", err)
	}
	if err := l.Tell(ctx, fleet.Change{Kind: fleet.Landed, ID: "a", Node: "l"}); err != nil {
		t.Fatalf("tell: %v", err)
	}
	if c := <-commands; c.Order != fleet.Stop {
		t.Errorf("command %+v", c)
	}
	if c := <-changes; c.Kind != fleet.Landed {
		t.Errorf("change %+v", c)
	}
}

// TestRoles_refused: what a worker and a lander may not do is refused at once, with an error that says so.
func TestRoles_refused(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	h, w, l := m.connect("hub"), m.connect("w"), m.connect("l")
	ctx := until(t)
	prepare(ctx, t, h)
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

// prepare makes an entry, a lease and a node.
func prepare(ctx context.Context, t *testing.T, h *jetstream.Broker) {
	t.Helper()
	if err := h.Offer(ctx, fleet.Entry{ID: "there"}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Lease(ctx, "lander", "hub"); err != nil {
		t.Fatal(err)
	}
	if err := h.Register(ctx, fleet.Node{Name: "other", Host: "right"}); err != nil {
		t.Fatal(err)
	}
}

// unharmed checks that what prepare has made is as it was.
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
	prepare(ctx, t, h)
	p := subject.Project(project)
	if err := w.Log(ctx, "evil", []byte(`{"name":"other","host":"wrong"}`)); err != nil {
		t.Fatal(err)
	}
	nc := m.raw("w")
	denied := make(chan error, 100)
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	if err := nc.Publish(p.Log("nothing"), nil); err != nil {
		t.Fatal(err)
	}
	refused := func(target string, err error) {
		t.Helper()
		if err != nil {
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
	}
	for _, target := range forbidden(p) {
		refused(target, nc.Publish(target, []byte(`{"name":"other","host":"wrong"}`)))
		for _, what := range []string{`{"last_by_subj":"` + p.Log("evil") + `"}`, `{"last_by_subj":"` + p.Log("nothing") + `"}`} {
			if err := nc.PublishRequest(subject.ReadOf(p.LogStream()), target, []byte(what)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, target := range []string{">", "_INBOX.>", subject.Inbox(m.users[0].PublicKey) + ".>", p.All(), p.WorkOf("*"), p.Any("value"), "$SYS.>", "$JS.>"} {
		sub, err := nc.SubscribeSync(target)
		refused(target, err)
		_ = sub.Unsubscribe()
	}
	// A message that replaces all others of its stream.
	answer, err := nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: p.Node("w"), Header: nats.Header{"Nats-Rollup": {"all"}}, Data: []byte("{}")})
	if err != nil || !strings.Contains(string(answer.Data), "error") {
		t.Errorf("a message in place of all others: %v, %v", answer, err)
	}
	// The server answers in order, so that this answer comes after all those to other subjects.
	if _, err := nc.RequestWithContext(ctx, subject.ReadOf(p.LogStream()), []byte(`{"seq":1}`)); err != nil {
		t.Fatal(err)
	}
	unharmed(t, h)
}

// forbidden lists subjects on which a worker must not write.
func forbidden(p subject.Project) []string {
	return []string{
		p.Node("other"), p.Lease("lander"), p.Work("_", "x"), p.Class("_"), p.Command(), p.Change(fleet.Landed, "l"),
		"$JS.API.STREAM.DELETE." + p.WorkStream(), "$JS.API.STREAM.PURGE." + p.WorkStream(),
		"$JS.API.STREAM.MSG.DELETE." + p.WorkStream(), "$JS.API.CONSUMER.DELETE." + p.WorkStream() + "._",
		"$JS.API.STREAM.CREATE.more", "$JS.API.STREAM.UPDATE." + p.WorkStream(), "$JS.API.CONSUMER.CREATE." + p.LogStream() + ".c",
		"$JS.API.STREAM.DELETE." + p.LiveStream(), "$JS.API.STREAM.SNAPSHOT." + p.WorkStream(),
		"$SYS.REQ.SERVER.PING", "$JS.API.META.LEADER.STEPDOWN",
	}
}
