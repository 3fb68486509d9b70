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
)

// read reads a file into a value.
func readSession[T any](t *testing.T, file string) (into T) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(src, &into); err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return into
}

// announce announces a server whose looks for its turn are the ticks that are sent.
func announce(t *testing.T, p *engine.Project, in AnnounceInput) (*Announced, chan time.Time) {
	t.Helper()
	own, ticks := *p, make(chan time.Time)
	own.After = func(time.Duration) <-chan time.Time { return ticks }
	a, err := Announce(t.Context(), &own, in)
	if err != nil {
		t.Fatal(err)
	}
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
	if got := readSession[MCPSession](t, file); first.Waits != "" || got.URL != "http://127.0.0.1:2/mcp" || got.Token != "one" || got.PID != os.Getpid() || !got.Started.Equal(p.Now()) {
		t.Errorf("found %+v", got)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	second, ticks := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:3/mcp", Token: "two"})
	third, _ := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:4/mcp", Token: "three"})
	ticks <- time.Time{}
	ticks <- time.Time{} // the first look is over
	if got := readSession[MCPSession](t, file); second.Waits == "" || got.Token != "one" {
		t.Errorf("the second server waits: %q; found %+v", second.Waits, got)
	}
	if err := third.Withdraw(); err != nil || readSession[MCPSession](t, file).Token != "one" {
		t.Errorf("a server that had no file ends: %v", err)
	}
	if err := first.Withdraw(); err != nil || engine.Exists(file) {
		t.Errorf("withdrawn: %v", err)
	}
	select { // the look that was under way may have found the file free
	case ticks <- time.Time{}:
	case <-second.Owned():
	}
	<-second.Owned()
	if got := readSession[MCPSession](t, file); got.Token != "two" {
		t.Errorf("found %+v", got)
	}
	if err := second.Withdraw(); err != nil || engine.Exists(file) {
		t.Errorf("withdrawn: %v", err)
	}
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
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	theirs := `{"mcpServers":{"rstn":{"type":"http","url":"` + other.URL + `/mcp"}}}`
	if err := os.WriteFile(file, []byte(theirs), 0o600); err != nil {
		t.Fatal(err)
	}
	a, ticks := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:2/mcp", Token: "secret", Client: Rstn})
	if src, err := os.ReadFile(file); err != nil || string(src) != theirs || a.Waits == "" {
		t.Errorf("the file of a running server is now %s, %v", src, err)
	}
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
	if src, err := os.ReadFile(file); err != nil || string(src) != want {
		t.Errorf("got %s, %v", src, err)
	}
	if err := os.WriteFile(file, []byte(theirs), 0o600); err != nil {
		t.Fatal(err)
	}
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
		if enginetest.CodeOf(t, err) != engine.Conflict || enginetest.Read(t, home, ".rstn/mcp-session.json") != theirs {
			t.Errorf("%s: %v", theirs, err)
		}
	}
}

// TestAnnounce_fresh makes the folder for the person alone.
func TestAnnounce_fresh(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	home := t.TempDir()
	p.Environ = append(p.Environ, "HOME="+home)
	a, _ := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:2/mcp", Client: Rstn})
	if info, err := os.Stat(filepath.Join(home, ".rstn")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("folder %v, %v", info, err)
	}
	if err := a.Withdraw(); err != nil {
		t.Error(err)
	}
	for _, in := range []struct{ client, home string }{{"x", home}, {Rstn, ""}, {Rstn, "relative"}} {
		own := *p
		own.Environ = append(p.Environ[:len(p.Environ):len(p.Environ)], "HOME="+in.home)
		if _, err := Announce(t.Context(), &own, AnnounceInput{Client: in.client}); err == nil {
			t.Errorf("%+v is accepted", in)
		}
	}
}

func TestAnnounce_withdrawMakesNothing(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	a, _ := announce(t, p, AnnounceInput{URL: "http://127.0.0.1:2/mcp", Token: "one"})
	if err := os.RemoveAll(filepath.Join(dir, ".chant")); err != nil {
		t.Fatal(err)
	}
	if err := a.Withdraw(); err != nil || engine.Exists(filepath.Join(dir, ".chant")) {
		t.Errorf("%v; the folder of a removed project is back: %t", err, engine.Exists(filepath.Join(dir, ".chant")))
	}
}
