package work

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// read reads a file into a value.
func readSession[T any](t *testing.T, file string) (into T) {
	t.Helper()
	src, err := os.ReadFile(file)
	assert.NoError(t, err)
	assert.NoError(t, json.Unmarshal(src, &into), "%s", src)
	return into
}

// announce announces a server whose looks for its turn are the ticks that are sent.
func announce(t *testing.T, p *engine.Project, in AnnounceInput) (*Announced, chan time.Time) {
	t.Helper()
	own, ticks := *p, make(chan time.Time)
	own.After = func(time.Duration) <-chan time.Time { return ticks }
	a, err := Announce(t.Context(), &own, in)
	assert.NoError(t, err)
	return a, ticks
}

// TestAnnounce_inTurn: what a killed server has left is replaced, the file of a running server stays, and the next
// server has it when that one has ended.
func TestAnnounce_inTurn(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	file := filepath.Join(dir, ".chant", "cache", "mcp.json")
	enginetest.Write(t, dir, ".chant/cache/mcp.json", `{"url":"http://127.0.0.1:1/mcp","pid":1}`)
	first, _ := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:2/mcp", Token: "one"})
	<-first.Owned()
	got := readSession[MCPSession](t, file)
	assert.Equal(t, "", first.Waits)
	assert.Equal(t, "http://127.0.0.1:2/mcp", got.URL)
	assert.Equal(t, "one", got.Token)
	assert.Equal(t, os.Getpid(), got.PID)
	assert.True(t, got.Started.Equal(p.Now()), "found %+v", got)
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	second, ticks := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:3/mcp", Token: "two"})
	third, _ := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:4/mcp", Token: "three"})
	ticks <- time.Time{}
	ticks <- time.Time{} // the first look is over
	got = readSession[MCPSession](t, file)
	assert.NotEqual(t, "", second.Waits, "the second server waits")
	assert.Equal(t, "one", got.Token, "the second server waits")
	err := third.Withdraw()
	assert.NoError(t, err, "a server that had no file ends")
	assert.Equal(t, "one", readSession[MCPSession](t, file).Token, "a server that had no file ends")
	err = first.Withdraw()
	assert.NoError(t, err)
	assert.False(t, engine.Exists(file), "withdrawn: %v", err)
	select { // the look that was under way may have found the file free
	case ticks <- time.Time{}:
	case <-second.Owned():
	}
	<-second.Owned()
	got = readSession[MCPSession](t, file)
	assert.Equal(t, "two", got.Token, "found %+v", got)
	err = second.Withdraw()
	assert.NoError(t, err)
	assert.False(t, engine.Exists(file), "withdrawn: %v", err)
}

// TestAnnounce_rstn writes the file of rstn's clients in the person's home, and leaves that of another program alone as
// long as it answers.
func TestAnnounce_rstn(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	home := t.TempDir()
	p.Environ = append(p.Environ, "HOME="+home)
	file := filepath.Join(home, ".rstn", "mcp-session.json")
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer other.Close()
	assert.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	theirs := `{"mcpServers":{"rstn":{"type":"http","url":"` + other.URL + `/mcp"}}}`
	assert.NoError(t, os.WriteFile(file, []byte(theirs), 0o600))
	a, ticks := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:2/mcp", Token: "secret", Client: Rstn})
	src, err := os.ReadFile(file)
	assert.NoError(t, err, "the file of a running server")
	assert.Equal(t, theirs, string(src), "the file of a running server")
	assert.NotEqual(t, "", a.Waits, "the file of a running server")
	other.Close()
	ticks <- time.Time{}
	<-a.Owned()
	const want = `{
  "mcpServers": {
    "rstn": {
      "type": "http",
      "url": "http://127.0.0.1:2/mcp",
      "headers": {
        "Authorization": "Bearer secret"
      }
    }
  }
}
`
	src, err = os.ReadFile(file)
	assert.NoError(t, err)
	assert.Equal(t, want, string(src))
	assert.NoError(t, os.WriteFile(file, []byte(theirs), 0o600))
	if err := a.Withdraw(); err != nil || !engine.Exists(file) {
		t.Errorf("the file of another program: %v, exists %t", err, engine.Exists(file))
	}
}

// TestAnnounce_foreign leaves a file that a person has written, whatever is in it.
func TestAnnounce_foreign(t *testing.T) {
	t.Parallel()
	for _, theirs := range []string{`{"mcpServers":{"rstn":{"url":"http://127.0.0.1:1/mcp"},"mine":{"command":"x"}}}`, `{"mcpServers":{"mine":{}}}`, "notes", `{"theme":"dark"}`} {
		p, _ := enginetest.Project(t)
		home := t.TempDir()
		p.Environ = append(p.Environ, "HOME="+home)
		enginetest.Write(t, home, ".rstn/mcp-session.json", theirs)
		_, err := Announce(t.Context(), p, AnnounceInput{URL: "http://127.0.0.1:2/mcp", Token: "secret", Client: Rstn})
		assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err))
		assert.Equal(t, theirs, enginetest.Read(t, home, ".rstn/mcp-session.json"))
	}
}

// TestAnnounce_fresh makes the folder for the person alone.
func TestAnnounce_fresh(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	home := t.TempDir()
	p.Environ = append(p.Environ, "HOME="+home)
	a, _ := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:2/mcp", Client: Rstn})
	info, err := os.Stat(filepath.Join(home, ".rstn"))
	assert.NoError(t, err)
	assert.False(t, runtime.GOOS != "windows" && info.Mode().Perm() != 0o700, "folder %v, %v", info, err)
	assert.NoError(t, a.Withdraw())
	for _, in := range []struct{ client, home string }{{"x", home}, {Rstn, ""}, {Rstn, "relative"}} {
		own := *p
		own.Environ = append(p.Environ[:len(p.Environ):len(p.Environ)], "HOME="+in.home)
		_, err := Announce(t.Context(), &own, AnnounceInput{Client: in.client})
		assert.Error(t, err, "%+v is accepted", in)
	}
}

func TestAnnounce_withdrawMakesNothing(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	a, _ := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:2/mcp", Token: "one"})
	assert.NoError(t, os.RemoveAll(filepath.Join(dir, ".chant")))
	if err := a.Withdraw(); err != nil || engine.Exists(filepath.Join(dir, ".chant")) {
		t.Errorf("%v; the folder of a removed project is back: %t", err, engine.Exists(filepath.Join(dir, ".chant")))
	}
}
