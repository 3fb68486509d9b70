package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"

	"github.com/alecthomas/assert/v2"
	"github.com/nats-io/nats.go"
)

func offer(t *testing.T, q *jetstream.Broker, id string, needs fleet.Needs) {
	t.Helper()
	assert.NoError(t, q.Offer(until(t), fleet.Entry{ID: id, Commit: "c-" + id, Needs: needs}), "offering %q", id)
}

// take takes the next entry, which must be that of a spec.
func take(t *testing.T, q *jetstream.Broker, by fleet.Node, id string) *jetstream.Delivery {
	t.Helper()
	d, err := q.Take(until(t), by)
	assert.NoError(t, err, "taking %q", id)
	e := d.Entry()
	assert.Equal(t, id, e.ID)
	assert.Equal(t, "c-"+id, e.Commit)
	return d
}

func node(name string) fleet.Node { return fleet.Node{Name: name, Slots: 1} }

// empty checks that nothing is left, by an entry that is offered last and must be the next one.
func empty(t *testing.T, q *jetstream.Broker) {
	t.Helper()
	offer(t, q, "the-last-one", fleet.Needs{})
	finish(t, take(t, q, node("z"), "the-last-one"))
}

func TestQueue_offeredAgain(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "a", fleet.Needs{})
	d := take(t, q, node("n"), "a")
	offer(t, q, "a", fleet.Needs{})
	offer(t, q, "b", fleet.Needs{})
	finish(t, take(t, q, node("n"), "b"))
	finish(t, d)
	empty(t, q)
}

func TestQueue_otherNeeds(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "a", fleet.Needs{})
	offer(t, q, "a", fleet.Needs{Labels: []string{"gpu"}})
	able := fleet.Node{Name: "n", Labels: []string{"gpu"}}
	finish(t, take(t, q, able, "a"))
	offer(t, q, "b", fleet.Needs{})
	finish(t, take(t, q, able, "b"))
}

func TestQueue_order(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	for i := range 9 {
		offer(t, q, fmt.Sprint("s", i), []fleet.Needs{{}, {Provider: "p"}, {Labels: []string{"l"}}}[i%3])
	}
	able := fleet.Node{Name: "n", Providers: []string{"p"}, Labels: []string{"l"}}
	for i := range 9 {
		finish(t, take(t, q, able, fmt.Sprint("s", i)))
	}
}

func TestQueue_canceled(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		d, err := q.Take(ctx, node("n"))
		if d != nil {
			t.Errorf("took %v", d.Entry())
		}
		done <- err
	}()
	stop()
	assert.IsError(t, <-done, context.Canceled)
	_, err := q.Take(ctx, node("n"))
	assert.IsError(t, err, context.Canceled)
	empty(t, q)
}

func TestQueue_lost(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "a", fleet.Needs{})
	first := take(t, q, node("first"), "a")
	second := take(t, q, node("second"), "a")
	for name, do := range map[string]func() error{
		"heartbeat": func() error { return first.Heartbeat(until(t)) },
		"finish":    func() error { return first.Finish(until(t), fleet.Outcome{}) },
		"put back":  func() error { return first.PutBack(until(t), 0, "") },
	} {
		assert.IsError(t, do(), fleet.ErrLost, "%s of the first taker", name)
	}
	assert.NoError(t, second.Heartbeat(until(t)), "heartbeat of the second taker")
	finish(t, second)
	assert.IsError(t, first.Heartbeat(until(t)), fleet.ErrLost, "heartbeat of the first taker at the end")
	empty(t, q)
}

// TestQueue_heartbeats: an entry without heartbeats is lost twice, while one with heartbeats stays where it is.
func TestQueue_heartbeats(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "kept", fleet.Needs{})
	kept := take(t, q, node("n"), "kept")
	offer(t, q, "lost", fleet.Needs{})
	take(t, q, node("m"), "lost")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		pace := time.NewTicker(patience / 20)
		defer pace.Stop()
		for {
			if err := kept.Heartbeat(until(t)); err != nil {
				t.Errorf("heartbeat: %v", err)
			}
			select {
			case <-stop:
				return
			case <-pace.C:
			}
		}
	}()
	for range 2 {
		take(t, q, node("o"), "lost")
	}
	close(stop)
	<-done
	finish(t, kept)
}

func TestQueue_putBack(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "long", fleet.Needs{})
	offer(t, q, "short", fleet.Needs{})
	offer(t, q, "next", fleet.Needs{})
	long, short := take(t, q, node("n"), "long"), take(t, q, node("n"), "short")
	assert.NoError(t, long.PutBack(until(t), time.Hour, "full"))
	assert.NoError(t, short.PutBack(until(t), 2*patience, "full"))
	next := take(t, q, node("n"), "next")
	finish(t, next)
	finish(t, take(t, q, node("n"), "short"))
	empty(t, q)
}

// receive waits for a value from a channel.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v, ok := <-from:
		assert.True(t, ok, "the channel was closed")
		return v
	case <-until(t).Done():
		t.Fatal("nothing was received")
	}
	panic("unreachable")
}

func TestQueue_manyTakers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.patience = limit // no entry is delivered again, however slow the machine is
	q := m.keep()
	const takers, entries = 8, 60
	var (
		mu    sync.Mutex
		taken = map[string]int{}
		all   sync.WaitGroup
	)
	ctx, stop := context.WithCancel(until(t))
	for i := range takers {
		all.Go(func() {
			for {
				d, err := q.Take(ctx, node(fmt.Sprint("n", i)))
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					return
				}
				if err := d.Finish(until(t), fleet.Outcome{}); err != nil {
					t.Errorf("finishing %q: %v", d.Entry().ID, err)
				}
				mu.Lock()
				taken[d.Entry().ID]++
				if len(taken) == entries {
					stop()
				}
				mu.Unlock()
			}
		})
	}
	for i := range entries {
		offer(t, q, fmt.Sprint("s", i), fleet.Needs{})
	}
	all.Wait()
	stop()
	for id, times := range taken {
		assert.Equal(t, 1, times, "%q was taken", id)
	}
	assert.Equal(t, entries, len(taken))
}

// TestRoles_allowed: what workers are there for.
func TestRoles_allowed(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	h, w := m.keep(), m.connect(m.options("w"))
	ctx := until(t)
	changes, err := w.Watch(ctx)
	assert.NoError(t, err)
	commands, err := w.Commands(ctx, "w")
	assert.NoError(t, err)
	log, err := w.Follow(ctx, "w", "a")
	assert.NoError(t, err)
	step := func(what string, err error) {
		t.Helper()
		assert.NoError(t, err, "%s", what)
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
	assert.Equal(t, "offered taken put_back taken taken finished", strings.Join(got, " "))
	c := <-commands
	assert.Equal(t, fleet.Drain, c.Order, "command %+v", c)
	text := <-log
	if len(text) == 0 { // that was the end of what was there
		text = <-log
	}
	assert.Equal(t, "text", string(text))
	nodes, err := w.Nodes(ctx)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(nodes))
	assert.Equal(t, "w", nodes[0].Name)
	takers, err := h.Takers(ctx, "a")
	assert.NoError(t, err)
	assert.Equal(t, "w", strings.Join(takers, " "))
	reports := m.reported()
	assert.Zero(t, reports, "reported: %q", reports)
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
	assert.NoError(t, m.server.SetUsers(append(slices.Clone(m.users), more)))
	b := m.connect(m.options("more"))
	assert.NoError(t, b.Register(ctx, fleet.Node{Name: "more"}))
	assert.NoError(t, h.Offer(ctx, fleet.Entry{ID: "a"}))
	assert.NoError(t, <-taken, "the worker that was there before")
	assert.NoError(t, h.Offer(ctx, fleet.Entry{ID: "b"}))
	if d, err := b.Take(ctx, fleet.Node{Name: "more"}); err != nil || d.Finish(ctx, fleet.Outcome{}) != nil {
		t.Errorf("the worker that was added: %v", err)
	}
	assert.NoError(t, m.server.SetUsers(m.users))
	_, err := b.Take(ctx, fleet.Node{Name: "more"})
	wantKind(t, "the worker that was removed", err, fleet.Unauthorized)
	assert.NoError(t, staying.FlushWithContext(ctx))
	select {
	case err := <-dropped:
		t.Errorf("the connection of another user was lost: %v", err)
	default:
	}
	if err := m.server.SetUsers([]jetstream.User{{Name: "x", PublicKey: "no key", Role: jetstream.WorkerRole}}); err == nil {
		t.Error("an invalid public key is accepted")
	}
	assert.NoError(t, w.Register(ctx, fleet.Node{Name: "w"}), "after a change that was refused")
}

// TestSetUsers_whileAHubStarts: what accounts import is gone for a moment at each change, which ends no hub and loses no offer.
func TestSetUsers_whileAHubStarts(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	h := m.connect(m.options("hub"))
	for i := range 20 {
		changed := make(chan error, 1)
		go func() {
			for range 5 {
				if err := m.server.SetUsers(m.users); err != nil {
					changed <- err
					return
				}
			}
			changed <- nil
		}()
		ctx, stop := context.WithCancel(t.Context())
		kept := make(chan error, 1)
		go func() { kept <- h.Keep(ctx, fleet.Keeping{Rules: rules()}) }()
		assert.NoError(t, h.Offer(t.Context(), fleet.Entry{ID: strconv.Itoa(i)}))
		assert.NoError(t, <-changed)
		stop()
		if err := <-kept; !errors.Is(err, context.Canceled) {
			t.Fatalf("the hub ended: %v", err)
		}
	}
}
