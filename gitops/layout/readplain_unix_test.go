//go:build unix

package layout

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadPlain_special reads neither pipes nor sockets nor devices, and does not wait for them.
func TestReadPlain_special(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "s") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	pipe, socket, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "link")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, link)); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for _, path := range []string{pipe, socket, link, os.DevNull} {
		for name, read := range map[string]func(string) ([]byte, error){"ReadPlain": ReadPlain, "ReadName": ReadName} {
			if text, err := read(path); !errors.Is(err, ErrNotFile) || text != nil {
				t.Errorf("%s of %s: %q, %v", name, path, text, err)
			}
		}
	}
}
