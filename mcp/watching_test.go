package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/mcp/prompts"

	"github.com/alecthomas/assert/v2"
)

// oneSpec is a project of a single spec with a log.
func oneSpec(t *testing.T) (dir, id string) {
	t.Helper()
	id = "2026-01-01-001-aaa"
	dir = project(t, map[string]string{id: "---\ntype: code\n---\n# One\n"})
	appendLog(t, dir, id, "2026-01-02T10:00:00Z hello\n")
	return dir, id
}

func result(t *testing.T, line string, into any) {
	t.Helper()
	var reply struct {
		Result json.RawMessage `json:"result"`
		Error  *rpcError       `json:"error"`
	}
	err := json.Unmarshal([]byte(line), &reply)
	assert.NoError(t, err, "reply %s", line)
	assert.True(t, reply.Error == nil, "reply %s: %v", line, err)
	assert.NoError(t, json.Unmarshal(reply.Result, into))
}

func TestResources_read(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	read := func(uri string) string {
		return piped(t, opener(dir), Options{}, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, uri))[0]
	}
	for uri, want := range map[string]string{
		"spec://" + id:          `{"uri":"spec://` + id + `","mimeType":"text/markdown","text":"---\ntype: code\n---\n# One\n"}`,
		"spec://001":            `{"uri":"spec://001","mimeType":"text/markdown","text":"---\ntype: code\n---\n# One\n"}`,
		"spec://" + id + "/log": `{"uri":"spec://` + id + `/log","mimeType":"text/plain","text":"2026-01-02T10:00:00Z hello\n"}`,
		"spec://999":            `"error":{"code":-32002,"message":"no spec matches \"999\"`,
		"spec://999/log":        `"error":{"code":-32002,"message":"no spec matches \"999\"`,
		"spec://":               `"error":{"code":-32002,`,
		"spec://../config":      `"error":{"code":-32002,`,
		"spec://%2e%2e%2fx":     `"error":{"code":-32`,
		"file:///etc/passwd":    `"error":{"code":-32002,`,
		"":                      `"error":{"code":-32`,
	} {
		assert.Contains(t, read(uri), want, "%q", uri)
	}
}

// TestResources_archived reads what was put away, in order or not: its address
// stays good.
func TestResources_archived(t *testing.T) {
	t.Parallel()
	dir := project(t, nil)
	for id, text := range map[string]string{
		"2026-01-01-001-aaa": "---\nstatus: completed\n---\n# Done\n",
		"2026-01-01-002-bbb": "---\nstatus: [broken\n---\n# Torn\n",
	} {
		away := filepath.Join(dir, ".chant", "archive", "2026-01-01")
		assert.NoError(t, os.MkdirAll(away, 0o755))
		assert.NoError(t, os.WriteFile(filepath.Join(away, id+".md"), []byte(text), 0o644))
		for _, name := range []string{id, id[11:14]} {
			var got struct{ Contents []struct{ Text string } }
			result(t, piped(t, opener(dir), Options{}, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, prompts.Scheme+name))[0], &got)
			assert.Equal(t, 1, len(got.Contents), "%s", name)
			assert.Equal(t, text, got.Contents[0].Text, "%s", name)
		}
	}
}

func TestResources_listInPages(t *testing.T) {
	t.Parallel()
	dir := project(t, nil)
	const n = prompts.PageSize + 20
	for i := range n {
		writeSpec(t, dir, fmt.Sprintf("2026-01-01-%03d-aaa", i+1), "# One\n")
	}
	cursor, seen, pages := "", map[string]bool{}, 0
	for {
		var page struct {
			Resources []struct{ URI string } `json:"resources"`
			Next      string                 `json:"nextCursor"`
		}
		result(t, piped(t, opener(dir), Options{}, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":%q}}`, cursor))[0], &page)
		for _, r := range page.Resources {
			seen[r.URI] = true
		}
		pages++
		if cursor = page.Next; cursor == "" || pages > n {
			break
		}
	}
	assert.Equal(t, n, len(seen))
	assert.Equal(t, 2, pages)
	if got := piped(t, nowhere, Options{}, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)[0]; got != `{"jsonrpc":"2.0","result":{"resources":[]},"id":1}` {
		t.Errorf("without a project got %s", got)
	}
	if got := piped(t, nowhere, Options{}, `{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`)[0]; !strings.Contains(got, `"uriTemplate":"spec://{id}/log"`) {
		t.Errorf("templates %s", got)
	}
}

func TestResources_complete(t *testing.T) {
	t.Parallel()
	dir := project(t, map[string]string{"2026-01-01-001-aaa": "# One\n", "2026-01-01-002-bbb": "# Two\n"})
	var got struct {
		Completion struct{ Values []string } `json:"completion"`
	}
	result(t, piped(t, opener(dir), Options{}, `{"jsonrpc":"2.0","id":1,"method":"completion/complete",`+
		`"params":{"ref":{"type":"ref/resource","uri":"spec://{id}"},"argument":{"name":"id","value":"002"}}}`)[0], &got)
	assert.Equal(t, 1, len(got.Completion.Values))
	assert.Equal(t, "2026-01-01-002-bbb", got.Completion.Values[0])
}

func TestResources_updates(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	s := newServer(t.Output(), opener(dir), fixed(), Options{Version: "0"})
	session := newSession(s.newClient("1"), nil)
	uri, logURI := prompts.Scheme+id, prompts.Scheme+id+"/log"
	for _, each := range []string{uri, logURI} {
		assert.NoError(t, session.SubscribeToResourceErr(each))
	}
	assert.Error(t, session.SubscribeToResourceErr("spec://999"), "subscribed to nothing")
	expect := func(want ...string) {
		t.Helper()
		session.reportChangesNow(t.Context())
		session.reportChangesNow(t.Context()) // has nothing to say
		for _, uri := range want {
			if got := (<-session.notes).Params.AdditionalFields["uri"]; got != uri {
				t.Errorf("told of %v, want %q", got, uri)
			}
		}
		if n := len(session.notes); n > 0 {
			t.Errorf("%d notes too many", n)
		}
	}
	expect()
	writeSpec(t, dir, id, "---\ntype: code\n---\n# Two\n")
	expect(uri)
	appendLog(t, dir, id, "2026-01-02T10:00:01Z more\n")
	expect(logURI)
	session.UnsubscribeFromResource(uri)
	writeSpec(t, dir, id, "---\ntype: code\n---\n# Three\n")
	expect()
}

// TestServe_seesFilesChange edits specs under a running server.
func TestServe_seesFilesChange(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	get := func() answered { return ask(t, opener(dir), "chant_spec_get", map[string]any{"id": id}) }
	if got := get(); !strings.Contains(got.text(), "# One") {
		t.Errorf("got %s", got.text())
	}
	writeSpec(t, dir, id, "---\nstatus: [broken\n---\n# One\n")
	got := get()
	assert.True(t, got.Result.IsError, "got %+v", got)
	assert.Contains(t, got.text(), id)
	if got := ask(t, opener(dir), "chant_spec_list", struct{}{}); !strings.Contains(got.text(), `"invalid"`) {
		t.Errorf("got %s", got.text())
	}
}
