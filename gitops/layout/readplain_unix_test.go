//go:build unix

package layout

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestReadPlain_special reads neither pipes nor sockets nor devices, and does not wait for them.
func TestReadPlain_special(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "s") // the path of a socket must be short
	assert.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	pipe, socket, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "link")
	assert.NoError(t, errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, link)))
	l, err := net.Listen("unix", socket)
	assert.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	for _, path := range []string{pipe, socket, link, os.DevNull} {
		for name, read := range map[string]func(string) ([]byte, error){"ReadPlain": ReadPlain, "ReadName": ReadName} {
			text, err := read(path)
			assert.IsError(t, err, ErrNotFile, "%s of %s", name, path)
			assert.True(t, text == nil, "%s of %s: %q, %v", name, path, text, err)
		}
	}
}
