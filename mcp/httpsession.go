package mcp

import (
	"context"
	"crypto/rand"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/mcp/events"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// What one server keeps of its clients over HTTP.
const (
	maxSessions = 256 // sessions at a time
	maxStreams  = 16  // long calls of a session that are under way or can still be fetched
)

// httpSession is a session over HTTP: a client that has sent initialize and sends the
// session's id since then. Its calls continue when their connection is lost.
type httpSession struct {
	*client
	ctx  context.Context // done once the session or the server ends
	stop context.CancelFunc

	mu      sync.Mutex
	streams []*events.Stream // the newest last
	begun   int
	reading int // streams that its client has opened with GET
}

// stream begins the reply to a long call. Clients that can come back for the rest
// of it learn its id at once. It is nil when as many calls are under way as replies
// are kept.
func (v *httpSession) stream() *events.Stream {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.room() {
		return nil
	}
	v.begun++
	s := events.New(strconv.Itoa(v.begun))
	if v.ProtocolVersion() >= mcpgo.ProtocolVersion20251125 {
		s.Add(nil)
	}
	v.streams = append(v.streams, s)
	return s
}

// room drops the oldest reply that is whole, when there are too many; false when none
// of them is.
func (v *httpSession) room() bool {
	if len(v.streams) < maxStreams {
		return true
	}
	i := slices.IndexFunc(v.streams, (*events.Stream).Whole)
	if i < 0 {
		return false
	}
	v.streams = slices.Delete(v.streams, i, i+1)
	return true
}

// resume finds what follows the event with an id.
func (v *httpSession) resume(eventID string) (s *events.Stream, from int, ok bool) {
	name, number, _ := strings.Cut(eventID, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return nil, 0, false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	i := slices.IndexFunc(v.streams, func(s *events.Stream) bool { return s.Name == name })
	if i < 0 || n >= v.streams[i].Length() {
		return nil, 0, false
	}
	return v.streams[i], n + 1, true
}

// reads counts a stream that the client has opened, until done.
func (v *httpSession) reads() (done func()) {
	count := func(n int) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.reading += n
	}
	count(1)
	return func() { count(-1) }
}

func (v *httpSession) idle() bool {
	return !v.heard() && !v.busy() && !v.store.Busy() // one after the other: the store asks heard while it is locked
}

// heard reports whether the client reads notifications that belong to none of its requests.
func (v *httpSession) heard() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.reading > 0
}

// httpSessions are the sessions of a server, the one used last at the end.
type httpSessions struct {
	mu   sync.Mutex
	list []*httpSession
}

// begin makes a session that lasts at most as long as ctx. It is not known yet.
func (s *server) begin(ctx context.Context) *httpSession {
	v := &httpSession{client: s.newClient(rand.Text())}
	v.ctx, v.stop = context.WithCancel(ctx)
	background := newSession(v.client, nil)
	background.heard = v.heard
	v.keepTasks(v.ctx, background)
	return v
}

// add makes a session known, in the place of the one that has been idle for
// longest when there are too many; false when all are busy.
func (l *httpSessions) add(v *httpSession) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) >= maxSessions {
		i := slices.IndexFunc(l.list, (*httpSession).idle)
		if i < 0 {
			return false
		}
		l.list[i].stop()
		l.list = slices.Delete(l.list, i, i+1)
	}
	l.list = append(l.list, v)
	return true
}

// find returns the session with an id and counts that as a use of it; nil when
// there is none.
func (l *httpSessions) find(id string) *httpSession {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.list, func(v *httpSession) bool { return v.id == id })
	if i < 0 {
		return nil
	}
	v := l.list[i]
	l.list = append(slices.Delete(l.list, i, i+1), v)
	return v
}

// end ends a session and its calls.
func (l *httpSessions) end(v *httpSession) {
	v.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(each *httpSession) bool { return each == v })
}
