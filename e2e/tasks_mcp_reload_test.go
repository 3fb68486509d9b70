package e2e

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestTasksMCP_reload replaces the program of a server, which then ends so that its client starts the new one.
func TestTasksMCP_reload(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(chantBinary(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "chant.exe")
	if err := writeProgram(program, src); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "mcp", "--toolsets", "tasks")
	c.Dir, c.Env = dir, append(append(os.Environ(), environment(dir)...), "LOTAR_TASKS_DIR="+filepath.Join(dir, ".tasks"))
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	const pong = `{"jsonrpc":"2.0","result":{},"id":1}` + "\n"
	if _, err := io.WriteString(in, ping); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(pong))
	if _, err := io.ReadFull(out, got); err != nil || string(got) != pong {
		t.Fatalf("%q, %v", got, err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(program, later, later); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// writeProgram writes a file that is to be executed. No other test starts a process meanwhile: until that process
// executes its program it would have the file open for writing, which then cannot be executed ("text file busy").
func writeProgram(path string, src []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, src, 0o755)
}
