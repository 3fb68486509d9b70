package mcp

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReload_answersWhatWaits carries out the requests in the queue before the server ends.
func TestReload_answersWhatWaits(t *testing.T) {
	t.Parallel()
	s := newOrders().server(t, t.Output(), false, Options{Executable: "program"})
	c := s.newConn(t.Context())
	c.replies = make(chan outgoing, 3)
	for range 3 {
		m, bad := s.read([]byte(pingLine))
		if bad != nil {
			t.Fatal(bad)
		}
		c.queue <- newCall(s.core.WithContext(t.Context(), c.session), m)
	}
	close(c.replaced)
	c.dispatch(t.Context())
	if len(c.replies) != 3 {
		t.Errorf("%d replies", len(c.replies))
	}
}

// TestReload_ends a server whose input stays open.
func TestReload_ends(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	in, keep := io.Pipe()
	defer keep.Close()
	s := newOrders().server(t, t.Output(), false, Options{Executable: file})
	ended := make(chan error, 1)
	go func() { ended <- s.serve(context.Background(), in, io.Discard) }()
	later := time.Now().Add(time.Hour)
	if _, err := io.WriteString(keep, pingLine+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
