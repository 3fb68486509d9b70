package mcp

import (
	"context"
	"sync/atomic"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// maxNotes is how many notifications wait for the writer before further ones are
// dropped.
const maxNotes = 1024

// session is the client at the other end of one stream. It counts as initialized
// from the start: tools answer clients that never say initialize.
type session struct {
	subscriptions
	passing bool // it lasts for one request
	notes   chan mcpgo.JSONRPCNotification
	level   atomic.Value
	version atomic.Value
}

func newSession(mark func(context.Context, string) (string, error)) *session {
	s := &session{
		subscriptions: subscriptions{mark: mark, seen: map[string]string{}},
		notes:         make(chan mcpgo.JSONRPCNotification, maxNotes),
	}
	s.level.Store(mcpgo.LoggingLevelError)
	s.version.Store("")
	return s
}

// SessionID names the session among those of its server, which has one.
func (s *session) SessionID() string { return "stdio" }

// Initialize does nothing, see session.
func (s *session) Initialize() {}

// Initialized is true, see session.
func (s *session) Initialized() bool { return true }

// NotificationChannel takes what is to be sent to the client.
func (s *session) NotificationChannel() chan<- mcpgo.JSONRPCNotification { return s.notes }

// SetLogLevel keeps what logging/setLevel asked for.
func (s *session) SetLogLevel(level mcpgo.LoggingLevel) { s.level.Store(level) }

// GetLogLevel returns the level from which on log messages are sent.
func (s *session) GetLogLevel() mcpgo.LoggingLevel { return s.level.Load().(mcpgo.LoggingLevel) }

// SetProtocolVersion keeps what initialize agreed on.
func (s *session) SetProtocolVersion(version string) { s.version.Store(version) }

// ProtocolVersion returns the agreed version, "" before initialize.
func (s *session) ProtocolVersion() string { return s.version.Load().(string) }
