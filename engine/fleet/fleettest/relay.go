package fleettest

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

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
	if err != nil {
		t.Fatal(err)
	}
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
