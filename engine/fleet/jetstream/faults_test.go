package jetstream_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"

	"github.com/alecthomas/assert/v2"
)

// TestBroker_restart: what was stored is still there, connections come back, and entries without a heartbeat are delivered again.
func TestBroker_restart(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	b, other := m.keep(), m.connect(m.options("hub"))
	offer(t, b, "kept", fleet.Needs{})
	offer(t, b, "lost", fleet.Needs{})
	kept := take(t, b, node("n"), "kept")
	take(t, other, node("m"), "lost")
	offer(t, b, "waiting", fleet.Needs{})
	wish := fleet.Wish{Key: "sum.k", Text: []byte("1")}
	_, err := b.Ask(until(t), "n", wish)
	assert.NoError(t, err)
	changes, err := other.Watch(until(t))
	assert.NoError(t, err)
	m.restart()
	if err := kept.Heartbeat(until(t)); err != nil {
		t.Fatalf("heartbeat: %v", err) // nobody else takes meanwhile
	}
	finish(t, kept)
	got, err := other.Ask(until(t), "n", wish)
	assert.NoError(t, err)
	assert.Equal(t, "2", string(got))
	taken := map[string]bool{}
	for range 2 { // the order depends on how long the restart took
		d, err := b.Take(until(t), node("o"))
		assert.NoError(t, err)
		taken[d.Entry().ID] = true
		finish(t, d)
	}
	assert.True(t, taken["waiting"], "taken: %v, want an entry that waited and one that was delivered before the restart", taken)
	assert.True(t, taken["lost"], "taken: %v, want an entry that waited and one that was delivered before the restart", taken)
	empty(t, b)
	// Some changes may have been missed while the connection was down, and not the last one.
	for c := receive(t, changes); c.ID != "the-last-one" || c.Kind != fleet.Finished; {
		c = receive(t, changes)
	}
}

// TestBroker_cut: whoever waits gets what comes after the connection was cut, and calls succeed when it is back.
func TestBroker_cut(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	r := newRelay(t, m.server.Address())
	far, near := m.connectAt(r.address), m.keep()
	offer(t, near, "running", fleet.Needs{})
	running := take(t, far, node("far"), "running")
	taken := make(chan *jetstream.Delivery)
	go func() {
		d, err := far.Take(until(t), node("far"))
		if err != nil {
			t.Error(err)
		}
		taken <- d
	}()
	log, err := far.Follow(until(t), "near", "s")
	assert.NoError(t, err)
	commands, err := far.Commands(until(t), "far")
	assert.NoError(t, err)
	for i := range 3 {
		r.cut(true)
		text := fmt.Sprint("line ", i, "\n")
		assert.NoError(t, near.Log(until(t), "near", "s", []byte(text)))
		r.cut(false)
		assert.Equal(t, text, string(receivePiece(t, log)))
	}
	err = running.Heartbeat(until(t))
	assert.False(t, err != nil && !errors.Is(err, fleet.ErrLost), "heartbeat: %v", err)
	r.cut(true)
	offer(t, near, "next", fleet.Needs{})
	r.cut(false)
	for left := 2; left > 0; left-- { // "running" as well, if its heartbeats have stopped for too long
		d := <-taken
		assert.True(t, d != nil, "nothing was taken")
		finish(t, d)
		if d.Entry().ID == "next" {
			break
		}
		go func() {
			d, err := far.Take(until(t), node("far"))
			if err != nil {
				t.Error(err)
			}
			taken <- d
		}()
	}
	want := fleet.Command{Order: fleet.Drain, Node: "far"}
	assert.NoError(t, near.Command(until(t), want))
	assert.Equal(t, want, receive(t, commands))
}

// receivePiece receives a piece of a log that is not empty.
func receivePiece(t *testing.T, log <-chan []byte) []byte {
	t.Helper()
	for {
		if piece := receive(t, log); len(piece) > 0 {
			return piece
		}
	}
}

// TestBroker_lostAnswers: what is stored while the connection is cut again and again is stored exactly once.
func TestBroker_lostAnswers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	r := newRelay(t, m.server.Address())
	far, near := m.connectAt(r.address), m.keep()
	const times = 25
	log, err := near.Follow(until(t), "far", "s")
	assert.NoError(t, err)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-r.passed: // something, which may have been a request
				r.cut(true)
				r.cut(false)
			}
		}
	}()
	want := ""
	for i := range times {
		line := fmt.Sprint("line ", i, "\n")
		assert.NoError(t, far.Log(until(t), "far", "s", []byte(line)))
		want += line
	}
	close(stop)
	<-done
	var got strings.Builder
	for got.Len() < len(want) {
		got.Write(receive(t, log))
	}
	assert.Equal(t, want, got.String())
}

// TestBroker_closing: everything that waits ends, and later calls fail.
func TestBroker_closing(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.keep()
	b := m.connect(m.options("hub"))
	changes, err := b.Watch(until(t))
	assert.NoError(t, err)
	log, err := b.Follow(until(t), "n", "s")
	assert.NoError(t, err)
	taken := make(chan error)
	go func() {
		_, err := b.Take(until(t), node("n"))
		taken <- err
	}()
	b.Close()
	for range changes {
		t.Error("a change")
	}
	for piece := range log {
		assert.Zero(t, piece, "a log: %q", piece)
	}
	var p *fleet.Problem
	err = <-taken
	assert.True(t, errors.As(err, &p), "take: %v, want a problem", err)
	err = b.Offer(until(t), fleet.Entry{ID: "a"})
	assert.True(t, errors.As(err, &p), "offer: %v, want a problem", err)
	b.Close()
}

// relay passes connections on to a server, and can cut them.
type relay struct {
	address string
	server  string
	passed  chan struct{} // now and then, when something was passed on to the server

	writes atomic.Int64

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]bool
	all   sync.WaitGroup
}

// newRelay starts a relay that ends with the test.
func newRelay(t *testing.T, server string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	r := &relay{address: l.Addr().String(), server: server, conns: map[net.Conn]bool{}, passed: make(chan struct{}, 1)}
	r.all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.pass(c)
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		r.cut(true)
		r.all.Wait()
	})
	return r
}

// cut ends all connections and, while down, refuses new ones.
func (r *relay) cut(down bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down = down
	for c := range r.conns {
		_ = c.Close()
	}
	clear(r.conns)
}

// pass connects both ends.
func (r *relay) pass(c net.Conn) {
	s, err := net.Dial("tcp", r.server)
	if err != nil {
		_ = c.Close()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down {
		_, _ = c.Close(), s.Close()
		return
	}
	r.conns[c], r.conns[s] = true, true
	for _, ends := range [][2]io.ReadWriteCloser{{c, s}, {noticing{s, r}, c}} {
		r.all.Go(func() {
			_, _ = io.Copy(ends[0], ends[1]) // until one end closes
			_, _ = ends[0].Close(), ends[1].Close()
		})
	}
}

// noticing is an end that reports every 20th write, about.
type noticing struct {
	io.ReadWriteCloser
	relay *relay
}

// Write passes something on.
func (n noticing) Write(p []byte) (int, error) {
	written, err := n.ReadWriteCloser.Write(p)
	if n.relay.writes.Add(1)%20 == 0 {
		select {
		case n.relay.passed <- struct{}{}:
		default:
		}
	}
	return written, err
}
