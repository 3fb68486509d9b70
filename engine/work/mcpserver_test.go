package work

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// TestSession_lastServerIsTheOneFound starts and stops two servers, after one that
// was killed and left a file that everyone could read.
func TestSession_lastServerIsTheOneFound(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	file := filepath.Join(dir, ".chant", "cache", "mcp.json")
	found := func() (s MCPSession) {
		t.Helper()
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(src, &s); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		return s
	}
	enginetest.Write(t, dir, ".chant/cache/mcp.json", `{"url":"http://127.0.0.1:1/mcp","pid":1}`)
	ctx, end := context.WithCancel(t.Context())
	first, err := Announce(ctx, p, "http://127.0.0.1:2/mcp", "one")
	if err != nil {
		t.Fatal(err)
	}
	if got := found(); got != first || got.URL != "http://127.0.0.1:2/mcp" || got.Token != "one" || got.PID != os.Getpid() || !got.Started.Equal(p.Now()) {
		t.Errorf("found %+v, announced %+v", got, first)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	second, err := Announce(ctx, p, "http://127.0.0.1:3/mcp", "two")
	if err != nil {
		t.Fatal(err)
	}
	end() // as when a signal comes
	if err := Withdraw(ctx, p, first); err != nil || found() != second {
		t.Errorf("%v; found %+v", err, found())
	}
	for range 2 { // the second time there is nothing to remove
		if err := Withdraw(ctx, p, second); err != nil || engine.Exists(file) {
			t.Errorf("withdrawn: %v, file is left: %t", err, engine.Exists(file))
		}
	}
}

func TestSession_withdrawMakesNothing(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	s, err := Announce(t.Context(), p, "http://127.0.0.1:2/mcp", "one")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".chant")); err != nil {
		t.Fatal(err)
	}
	if err := Withdraw(t.Context(), p, s); err != nil || engine.Exists(filepath.Join(dir, ".chant")) {
		t.Errorf("%v; the folder of a removed project is back: %t", err, engine.Exists(filepath.Join(dir, ".chant")))
	}
}
