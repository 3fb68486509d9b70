package tree

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// What is neither file, folder nor link is found, but for the socket of git's own daemon.
func TestPipes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("sockets are no files here")
	}
	dir := t.TempDir()
	for _, name := range []string{gitsSocket, "s"} {
		l, err := net.Listen("unix", filepath.Join(dir, name))
		assert.NoError(t, err)
		t.Cleanup(func() { l.Close() })
	}
	assert.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	found, err := pipes(t.Context(), dir)
	assert.NoError(t, err)
	assert.Equal(t, []string{"s"}, found)
}
