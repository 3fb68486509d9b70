package e2e

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestTasksMCP_reload replaces the program of a server, which then ends so that its client starts the new one.
func TestTasksMCP_reload(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(chantBinary(t))
	assert.NoError(t, err)
	dir := t.TempDir()
	program := filepath.Join(dir, "chant.exe")
	assert.NoError(t, writeProgram(program, src))
	c := exec.Command(program, "mcp", "--toolsets", "tasks")
	c.Dir, c.Env = dir, append(append(os.Environ(), environment(dir)...), "LOTAR_TASKS_DIR="+filepath.Join(dir, ".tasks"))
	in, err := c.StdinPipe()
	assert.NoError(t, err)
	out, err := c.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, c.Start())
	defer in.Close()
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	const pong = `{"jsonrpc":"2.0","result":{},"id":1}` + "\n"
	_, err = io.WriteString(in, ping)
	assert.NoError(t, err)
	got := make([]byte, len(pong))
	_, err = io.ReadFull(out, got)
	assert.NoError(t, err)
	assert.Equal(t, pong, string(got))
	later := time.Now().Add(time.Hour)
	assert.NoError(t, os.Chtimes(program, later, later))
	rest, err := io.ReadAll(out)
	assert.NoError(t, err, "%q", rest)
	assert.Zero(t, rest)
	assert.NoError(t, c.Wait())
}

// writeProgram writes a file that is to be executed. No other test starts a process meanwhile: until that process
// executes its program it would have the file open for writing, which then cannot be executed ("text file busy").
func writeProgram(path string, src []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, src, 0o755)
}
