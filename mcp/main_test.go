package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/setup"
	"chant/engine/spec/next"

	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// project makes a repository with a project in it and specs from the given
// files, and returns its folder.
func project(t testing.TB, specs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	initialized.Copy(t, dir, func(dir string) {
		enginetest.Repository(t, dir)
		_, err := setup.Init(t.Context(), dir, engine.Options{}, setup.InitInput{Provider: "shell"})
		assert.NoError(t, err)
	})
	for id, text := range specs {
		writeSpec(t, dir, id, text)
	}
	if len(specs) > 0 {
		enginetest.Git(t, dir, "add", ".")
		enginetest.Git(t, dir, "commit", "-q", "-m", "specs")
	}
	return dir
}

// initialized is a repository with a project without specs.
var initialized enginetest.Fixture

func writeSpec(t testing.TB, dir, id, text string) {
	t.Helper()
	enginetest.Write(t, dir, ".chant/specs/"+id+".md", text)
}

func appendLog(t *testing.T, dir, id, text string) {
	t.Helper()
	logs := filepath.Join(dir, ".chant", "logs")
	assert.NoError(t, os.MkdirAll(logs, 0o755))
	f, err := os.OpenFile(filepath.Join(logs, id+".log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	assert.NoError(t, err)
	_, err = f.WriteString(text)
	assert.NoError(t, err)
	assert.NoError(t, f.Close())
}

// opener opens the project around a folder, as the command line does.
func opener(dir string, variables ...string) func(string) (*engine.Project, error) {
	return func(other string) (*engine.Project, error) {
		return engine.Open(cmp.Or(other, dir), engine.Options{Environ: append(os.Environ(), variables...)})
	}
}

// nowhere is an opener that finds no project.
func nowhere(string) (*engine.Project, error) {
	err := engine.ErrNotInitialized
	return nil, &engine.Error{Code: engine.NotFound, Message: err.Error(), Next: next.Init.On(), Err: err}
}

// piped sends lines through a server and returns its output lines.
func piped(t *testing.T, open func(string) (*engine.Project, error), o Options, lines ...string) []string {
	t.Helper()
	var out, logs bytes.Buffer
	assert.NoError(t, Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, &logs, open, o))
	if out.Len() == 0 {
		return nil
	}
	replies := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	checkReplies(t, lines, replies)
	return replies
}

// callLine is a tools/call request.
func callLine(id int, tool string, args any) string {
	line, _ := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args},
	})
	return string(line)
}

// answered is a reply as a client reads it.
type answered struct {
	Result struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	} `json:"result"`
	Error *rpcError       `json:"error"`
	ID    json.RawMessage `json:"id"`
}

func (a answered) text() string {
	if len(a.Result.Content) == 0 {
		return ""
	}
	return a.Result.Content[0].Text
}

func readAnswer(t *testing.T, line string) answered {
	t.Helper()
	var a answered
	assert.NoError(t, json.Unmarshal([]byte(line), &a), "reply %q", line)
	return a
}

// ask makes one call and returns its reply.
func ask(t *testing.T, open func(string) (*engine.Project, error), tool string, args any) answered {
	t.Helper()
	lines := piped(t, open, Options{}, callLine(1, tool, args))
	assert.Equal(t, 1, len(lines), "%q", lines)
	return readAnswer(t, lines[0])
}

// peer talks to a server that runs beside it.
type peer struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	logs *bytes.Buffer // to be read once the server has ended
	done chan error
}

// connect starts a server with tools of the test's own.
func connect(ctx context.Context, t *testing.T, tools ...toolset.Tool) *peer {
	t.Helper()
	var logs bytes.Buffer
	c := dial(ctx, t, newServer(&logs, blank, fixed(tools...), Options{Version: "0"}))
	c.logs = &logs
	return c
}

// dial talks to a server.
func dial(ctx context.Context, t *testing.T, s *server) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &peer{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		err := s.serve(ctx, inR, outW)
		outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
	})
	return c
}

// fixed is a catalog of tools of the test's own.
func fixed(tools ...toolset.Tool) catalog {
	return catalog{Tools: tools}
}

// table lists every tool of every toolset.
func table() []toolset.Tool {
	var out []toolset.Tool
	for _, set := range toolsets() {
		out = append(out, set.Tools...)
	}
	return out
}

func (c *peer) send(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *peer) receive() answered {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	return readAnswer(c.t, line)
}

// end closes the input and waits for the server.
func (c *peer) end() {
	c.t.Helper()
	c.in.Close()
	if rest, err := io.ReadAll(c.out); err != nil || len(rest) > 0 {
		c.t.Errorf("left over %q, %v", rest, err)
	}
	if err := <-c.done; err != nil && !errors.Is(err, context.Canceled) {
		c.t.Error(err)
	}
}

const listLine = `{"jsonrpc":"2.0","id":"list","method":"tools/list"}`
