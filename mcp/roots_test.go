package mcp

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// outside starts a server where there is no project, for a client with roots.
func outside(t *testing.T, capabilities string) *peer {
	t.Helper()
	c := dial(t.Context(), t, newServer(io.Discard, opener(t.TempDir()), fixed(table()...), Options{Version: "0"}))
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":` + capabilities + `}}`)
	c.receive()
	return c
}

// answerRoots reads the server's question and names a folder.
func (c *peer) answerRoots(dir string) {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	var question struct{ ID, Method string }
	if err != nil || json.Unmarshal([]byte(line), &question) != nil || question.Method != "roots/list" {
		c.t.Fatalf("got %q, %v", line, err)
	}
	reply, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": question.ID, "result": map[string]any{
		"roots": []any{map[string]int{"uri": 5}, 7, map[string]string{"uri": "https://example.com"}, map[string]string{"uri": fileURI(dir)}},
	}})
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(reply))
}

func fileURI(dir string) string {
	path := filepath.ToSlash(dir)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func TestRoots_showTheProject(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	c := outside(t, `{"roots":{"listChanged":true}}`)
	get := callLine(1, "chant_spec_get", map[string]any{"id": id})
	c.send(get)
	c.answerRoots(t.TempDir())
	if got := c.receive(); !got.Result.IsError || !strings.HasPrefix(got.text(), "Chant not initialized") {
		t.Errorf("a folder without a project: %s", got.text())
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, get)
	c.answerRoots(dir)
	if got := c.receive(); got.Result.IsError || !strings.Contains(got.text(), id) {
		t.Errorf("got %s", got.text())
	}
	c.send(get) // it knows by now
	if got := c.receive(); got.Result.IsError {
		t.Errorf("got %s", got.text())
	}
	c.end()
}

func TestRoots_refusedOrNotOffered(t *testing.T) {
	t.Parallel()
	c := outside(t, `{"roots":{}}`)
	c.send(callLine(1, "chant_status", struct{}{}))
	_, err := c.out.ReadString('\n')
	assert.NoError(t, err)
	c.send(`{"jsonrpc":"2.0","id":"chant-1","error":{"code":-32601,"message":"no roots"}}`)
	if got := c.receive(); !got.Result.IsError {
		t.Errorf("got %s", got.text())
	}
	c.end()
	c = outside(t, `{}`)
	c.send(callLine(1, "chant_status", struct{}{}))
	got := c.receive()
	assert.Equal(t, "1", string(got.ID))
	assert.True(t, got.Result.IsError, "got %+v", got)
	c.end()
}
