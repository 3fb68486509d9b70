package mcp

import (
	"context"
	"sync/atomic"
	"time"

	"chant/mcp/taskrun"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// maxNotes is how many notifications wait for the writer before further ones are
// dropped.
const maxNotes = 1024

// client is who is at the other end of a stream or of an HTTP session: what it
// has sent once holds for all its requests. It counts as initialized from the start,
// since tools answer clients that never send initialize.
type client struct {
	calls
	asked
	roots
	id         string
	watched    *watchedResources
	hints      *watchHints
	level      atomic.Value
	version    atomic.Value
	elicits    atomic.Bool    // it shows forms to its person
	background *session       // of what outlives its request; nil where nothing can
	store      *taskrun.Store // of tasks; nil where there are none
	inFlight   *inFlight      // counts tasks, where the server waits for them so; may be nil
}

// keepTasks makes room for tasks, which last at most as long as ctx.
func (c *client) keepTasks(ctx context.Context, background *session) {
	c.background = background
	c.store = taskrun.New(ctx, time.Now, c.taskChanged)
}

// begin carries out a task in the background.
func (c *client) begin(task *taskrun.Entry) {
	done := func() {}
	if c.inFlight != nil {
		c.inFlight.BeginAnother()
		done = c.inFlight.End
	}
	c.store.Begin(task, done)
}

func (s *server) newClient(id string) *client {
	c := &client{id: id, watched: newWatchedResources(s.marks), hints: s.newHints()}
	c.level.Store(mcpgo.LoggingLevelError)
	c.version.Store("")
	return c
}

// session is a client as one of its requests sees it: notifications
// go where the reply goes. It is what the library knows of a client.
type session struct {
	*client
	*watchedResources
	hints  *watchHints
	tag    any                                      // id of the subscriptions/listen that the resources belong to, nil for those of resources/subscribe
	filter atomic.Pointer[mcpgo.SubscriptionFilter] // of a subscriptions/listen request
	notes  chan mcpgo.JSONRPCNotification
	send   func(request []byte) error // nil where the client cannot be asked
	heard  func() bool                // reports whether notifications reach the client; nil = always
}

func newSession(c *client, send func([]byte) error) *session {
	return &session{client: c, watchedResources: c.watched, hints: c.hints, notes: make(chan mcpgo.JSONRPCNotification, maxNotes), send: send}
}

// sessionOf is the session of a request that is under way, nil outside of one.
func sessionOf(ctx context.Context) *session {
	found, _ := mcpserver.ClientSessionFromContext(ctx).(*session)
	return found
}

// SessionID names the session among those of its server.
func (c *client) SessionID() string { return c.id }

// Initialize does nothing, see client.
func (c *client) Initialize() {}

// Initialized is true, see client.
func (c *client) Initialized() bool { return true }

// NotificationChannel takes what is to be sent to the client.
func (s *session) NotificationChannel() chan<- mcpgo.JSONRPCNotification { return s.notes }

// SetLogLevel keeps what logging/setLevel asked for.
func (c *client) SetLogLevel(level mcpgo.LoggingLevel) { c.level.Store(level) }

// GetLogLevel returns the level from which on log messages are sent.
func (c *client) GetLogLevel() mcpgo.LoggingLevel { return c.level.Load().(mcpgo.LoggingLevel) }

// SetProtocolVersion keeps what initialize agreed on.
func (c *client) SetProtocolVersion(version string) { c.version.Store(version) }

// ProtocolVersion returns the agreed version, "" before initialize.
func (c *client) ProtocolVersion() string { return c.version.Load().(string) }
