package relay

import (
	"context"
	"errors"
	"os"
	"time"

	"chant/providers"
)

var errUnavailable = errors.New("commands are not relayed on Windows")

// Call refuses: there is no server on this system.
func Call(context.Context, string, Request, []string, *os.File, *os.File, *os.File) (int, error) {
	return 0, errUnavailable
}

// Server runs commands for clients; not on this system.
type Server struct {
	Launch func(pid int, req Request) (providers.Launch, error)
	Limit  func(req Request) time.Duration
}

// Listen refuses.
func (s *Server) Listen(context.Context, string) error { return errUnavailable }

// Close does nothing.
func (s *Server) Close() error { return nil }
