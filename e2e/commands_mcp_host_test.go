package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// climptProject is a project with the commands of climpt's documents, and a server of them.
type climptProject struct {
	*project
	*mcpPipe
	t *testing.T
}

// serveCommands makes the project and starts a server with these arguments, else with the toolset commands alone.
func serveCommands(t *testing.T, args ...string) climptProject {
	t.Helper()
	if len(args) == 0 {
		args = []string{"--toolsets", "commands"}
	}
	p := newProject(t)
	assert.NoError(t, os.CopyFS(filepath.Join(p.dir, ".agent"), os.DirFS("testdata/climpt")))
	c := climptProject{p, p.serve(t, p.dir, args...), t}
	t.Cleanup(func() {
		if !t.Failed() {
			c.mcpPipe.end()
		}
	})
	return c
}

// path is a file of the agent climpt.
func (c climptProject) path(name string) string {
	return filepath.Join(c.dir, ".agent", "climpt", filepath.FromSlash(name))
}

// replace replaces a text of a file of the agent climpt.
func (c climptProject) replace(name, before, after string) {
	c.t.Helper()
	src, err := os.ReadFile(c.path(name))
	if err != nil || !strings.Contains(string(src), before) {
		c.t.Fatalf("no %q in %s: %v", before, src, err)
	}
	if err := os.WriteFile(c.path(name), []byte(strings.ReplaceAll(string(src), before, after)), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a request and returns its result.
func (m *mcpPipe) ask(method string, params any, result any) {
	m.t.Helper()
	m.last++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.last, "method": method, "params": params})
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(string(line))
	got, err := m.out.ReadBytes('\n')
	if err != nil {
		m.t.Fatal(err)
	}
	var r struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(got, &r); err != nil || r.Error != nil {
		m.t.Fatalf("%s is answered with %s, %v", method, got, err)
	}
	if err := json.Unmarshal(r.Result, result); err != nil {
		m.t.Fatalf("%s in %s", err, r.Result)
	}
}

// named are the server's name and its tools.
func (m *mcpPipe) named() (server string, tools []string) {
	m.t.Helper()
	var hello struct{ ServerInfo struct{ Name string } }
	m.ask("initialize", fields{"protocolVersion": "2025-06-18", "capabilities": fields{}, "clientInfo": fields{"name": "e2e", "version": "1"}}, &hello)
	var list struct{ Tools []struct{ Name string } }
	m.ask("tools/list", fields{}, &list)
	for _, t := range list.Tools {
		tools = append(tools, t.Name)
	}
	return hello.ServerInfo.Name, tools
}

// array reads the text of a reply that is a list of objects.
func array(t *testing.T, r mcpReply) []map[string]any {
	t.Helper()
	var out []map[string]any
	if err := json.Unmarshal([]byte(r.text()), &out); err != nil || r.Result.IsError {
		t.Fatalf("%v, error %t: %s", err, r.Result.IsError, r.text())
	}
	return out
}

// sameJSON compares JSON.
func sameJSON(t *testing.T, what, got, want string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		t.Errorf("%s: %v in %q", what, err, got)
		return
	}
	assert.NoError(t, json.Unmarshal([]byte(want), &b))
	assert.Equal(t, b, a, "%s: got %s, want %s", what, got, want)
}

// groupCommit names the command of climpt's documents.
func groupCommit() fields {
	return fields{"agent": "climpt", "c1": "git", "c2": "group-commit", "c3": "unstaged-changes"}
}

// failed makes a call that fails and returns the error object, which is the same in text and structured content.
func (c climptProject) failed(tool string, args fields) string {
	c.t.Helper()
	r := c.call(tool, args)
	structured, err := json.Marshal(r.Result.StructuredContent)
	if err != nil || !r.Result.IsError {
		c.t.Errorf("%s %v succeeds: %s", tool, args, r.text())
	}
	sameJSON(c.t, tool, string(structured), r.text())
	return r.text()
}
