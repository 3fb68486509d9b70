package tree

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
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
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := pipes(t.Context(), dir)
	if err != nil || !slices.Equal(found, []string{"s"}) {
		t.Errorf("%q, %v", found, err)
	}
}
