//go:build unix

package relay

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"chant/providers"
)

// Server runs commands for clients.
type Server struct {
	// Launch decides about a request of a process and returns what is run for it. Its error is the answer. It is called
	// by several goroutines.
	Launch func(pid int, req Request) (providers.Launch, error)
	// Limit is how long a command may take; 0 = as long as its client and the server.
	Limit func(req Request) time.Duration

	slots    chan struct{} // one for each client
	listener *net.UnixListener
	stop     context.CancelFunc
	all      sync.WaitGroup
}

// Listen makes a server listen on a socket, which only its owner can use. What was there before is replaced.
func (s *Server) Listen(ctx context.Context, socket string) error {
	// A server that was killed leaves its socket behind.
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return fmt.Errorf("socket %q: %w", socket, err)
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		return errors.Join(err, listener.Close())
	}
	s.slots = make(chan struct{}, maxClients)
	// The server outlives the call that starts it, and ends with Close.
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.listener = listener
	s.all.Go(func() { s.accept(ctx) })
	return nil
}

// Close ends all commands, waits for their ends and removes the socket.
func (s *Server) Close() error {
	s.stop()
	err := s.listener.Close()
	s.all.Wait()
	return err
}

const (
	// maxClients are served at a time; others wait. Each has files open in this process.
	maxClients = 64
	// askTime is how long a client may take to say what it wants.
	askTime = 10 * time.Second
)

// accept serves clients until the listener is closed.
func (s *Server) accept(ctx context.Context) {
	for {
		// A slot is taken before a client is accepted, so that many of them wait in the kernel and need no files here.
		select {
		case s.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		conn, err := s.listener.AcceptUnix()
		if err != nil {
			return
		}
		s.all.Go(func() {
			defer func() { <-s.slots }()
			defer conn.Close()
			// With the end of the server, each client ends like one that goes away.
			stop := context.AfterFunc(ctx, func() { _ = conn.CloseRead() })
			defer stop()
			end := s.serve(ctx, conn)
			if message, err := encode(end); err == nil {
				// A client that is gone needs no answer.
				_, _ = conn.Write(message)
			}
		})
	}
}

// serve reads one request, runs it and returns its end.
func (s *Server) serve(ctx context.Context, conn *net.UnixConn) reply {
	from, err := peer(conn)
	if err != nil {
		return reply{Err: err.Error()}
	}
	defer func() { _ = from.close() }()
	// A client that says nothing must not keep a slot.
	if err := conn.SetReadDeadline(time.Now().Add(askTime)); err != nil {
		return reply{Err: err.Error()}
	}
	req, streams, err := receive(conn)
	defer func() {
		for _, stream := range streams {
			_ = stream.Close()
		}
	}()
	if err != nil {
		return reply{Err: err.Error()}
	}
	// The client's own filter can be left out by a client of the agent's making.
	req.Terminal = terminalOnly(req.Terminal)
	launch, err := s.Launch(from.pid, req)
	if err != nil {
		return reply{Err: err.Error()}
	}
	// Not before Launch has judged the number: if the process lives now, it had this number then.
	if !from.isAlive() {
		return reply{Err: "the process that has asked is gone"}
	}
	ctx, cancel := s.withLimit(ctx, req)
	defer cancel()
	// From here on, only the end of ctx and that of the client count.
	_ = conn.SetReadDeadline(time.Time{})
	go func() {
		var one [1]byte
		// This ends when the client does, or the server.
		_, _ = conn.Read(one[:])
		cancel()
	}()
	exit, err := providers.Attach(ctx, launch, [3]*os.File(streams))
	switch {
	case err != nil:
		return reply{Err: err.Error()}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return reply{Err: "stopped: it has taken longer than a command inside a run may"}
	}
	return reply{Exit: exit.Code}
}

// withLimit returns the context of a command.
func (s *Server) withLimit(ctx context.Context, req Request) (context.Context, context.CancelFunc) {
	if s.Limit != nil {
		if limit := s.Limit(req); limit > 0 {
			return context.WithTimeout(ctx, limit)
		}
	}
	return context.WithCancel(ctx)
}

// receive reads a request and the three streams that come with it.
func receive(conn *net.UnixConn) (req Request, streams []*os.File, err error) {
	begin, space := make([]byte, 1), make([]byte, syscall.CmsgSpace(3*4))
	n, size, _, _, err := conn.ReadMsgUnix(begin, space)
	if err != nil {
		return req, nil, err
	}
	messages, err := syscall.ParseSocketControlMessage(space[:size])
	if err != nil {
		return req, nil, err
	}
	for _, m := range messages {
		fds, err := syscall.ParseUnixRights(&m)
		if err != nil {
			return req, streams, err
		}
		for _, fd := range fds {
			// Other commands that this process starts must not inherit the streams.
			syscall.CloseOnExec(fd)
			streams = append(streams, os.NewFile(uintptr(fd), "stream"))
		}
	}
	if len(streams) != 3 {
		return req, streams, fmt.Errorf("%d streams instead of 3", len(streams))
	}
	return req, streams, decode(begin[:n], conn, &req)
}
