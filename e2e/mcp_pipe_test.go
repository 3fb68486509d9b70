package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// mcpPipe is `chant mcp` in a process of its own, as an agent holds it.
type mcpPipe struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs bytes.Buffer // to be read once the server has ended
	last int          // id of the last request
	over bool
}

// mcpReply is a reply as its client reads it.
type mcpReply struct {
	ID     json.RawMessage `json:"id"`
	Result struct {
		Content           []struct{ Text string } `json:"content"`
		StructuredContent map[string]any          `json:"structuredContent"`
		IsError           bool                    `json:"isError"`
		Meta              struct {
			Result map[string]any `json:"chant/result"`
		} `json:"_meta"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// text is what a tool says.
func (r mcpReply) text() string {
	if len(r.Result.Content) == 0 {
		return ""
	}
	return r.Result.Content[0].Text
}

// serve starts a server in a folder of the project, with further arguments; it ends with the test at the
// latest.
func (p *project) serve(t *testing.T, dir string, args ...string) *mcpPipe {
	t.Helper()
	m := &mcpPipe{t: t, cmd: p.command(append([]string{"mcp"}, args...)...)}
	m.cmd.Dir, m.cmd.Stderr = dir, &m.errs
	in, err := m.cmd.StdinPipe()
	assert.NoError(t, err)
	out, err := m.cmd.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, m.cmd.Start())
	m.in, m.out = in, bufio.NewReader(out)
	t.Cleanup(func() {
		if !m.over {
			_ = m.cmd.Process.Kill() // the test has failed already
			_ = m.cmd.Wait()
		}
	})
	return m
}

// write sends a line as it is.
func (m *mcpPipe) write(line string) {
	m.t.Helper()
	if _, err := io.WriteString(m.in, line+"\n"); err != nil {
		m.t.Fatal(err)
	}
}

// read waits for the next reply.
func (m *mcpPipe) read() mcpReply {
	m.t.Helper()
	line, err := m.out.ReadBytes('\n')
	if err != nil {
		m.t.Fatalf("%v after %q", err, line)
	}
	var r mcpReply
	if err := json.Unmarshal(line, &r); err != nil {
		m.t.Fatalf("%v in %q", err, line)
	}
	return r
}

// begin sends a call without waiting for its reply.
func (m *mcpPipe) begin(tool string, args map[string]any) {
	m.t.Helper()
	m.last++
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": m.last, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(string(line))
}

// call makes a call and returns its reply.
func (m *mcpPipe) call(tool string, args map[string]any) mcpReply {
	m.t.Helper()
	m.begin(tool, args)
	r := m.read()
	if string(r.ID) != fmt.Sprint(m.last) || r.Error != nil {
		m.t.Fatalf("%s is answered with %+v", tool, r)
	}
	if r.Result.StructuredContent == nil {
		checkReply(m.t, tool, nil, r.Result.IsError)
	} else {
		checkReply(m.t, tool, r.Result.StructuredContent, r.Result.IsError)
	}
	return r
}

// do makes a call that has to succeed and returns its structured content, or its result if only its text is shown.
func (m *mcpPipe) do(tool string, args map[string]any) map[string]any {
	m.t.Helper()
	r := m.call(tool, args)
	if r.Result.IsError {
		m.t.Fatalf("%s %v: %s", tool, args, r.text())
	}
	if r.Result.StructuredContent == nil {
		return r.Result.Meta.Result
	}
	return r.Result.StructuredContent
}

// refused makes a call that has to be refused in words that hold want.
func (m *mcpPipe) refused(want, tool string, args map[string]any) {
	m.t.Helper()
	if r := m.call(tool, args); !r.Result.IsError || !strings.Contains(r.text(), want) {
		m.t.Errorf("%s %v: error %t, got %q, want in it %q", tool, args, r.Result.IsError, r.text(), want)
	}
}

// end closes the input and waits for a server that has nothing more to say.
func (m *mcpPipe) end() {
	m.t.Helper()
	if err := m.in.Close(); err != nil {
		m.t.Error(err)
	}
	m.wait()
}

// signal asks the server to end and waits until it has.
func (m *mcpPipe) signal(s os.Signal) {
	m.t.Helper()
	if err := m.cmd.Process.Signal(s); err != nil {
		m.t.Fatal(err)
	}
	m.wait()
}

func (m *mcpPipe) wait() {
	m.t.Helper()
	rest, readErr := io.ReadAll(m.out)
	m.over = true
	if err := m.cmd.Wait(); err != nil || readErr != nil || len(rest) > 0 {
		m.t.Errorf("chant mcp: %v, %v, and more on stdout: %q\n%s", err, readErr, rest, &m.errs)
	}
}
