package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// mcpSpec is the spec that clients of the server look for.
const mcpSpec = "---\nstatus: pending\n---\n# Greet the reader\n\n## Acceptance Criteria\n\n- [ ] reads well\n"

const mcpID = "2026-01-03-007-mcp"

// newMCPProject is a project with that spec.
func newMCPProject(t *testing.T) *project {
	t.Helper()
	p := newProject(t)
	p.addFile(mcpID, mcpSpec)
	return p
}

// command is a chant command that a client of its own starts.
func (p *project) command(args ...string) *exec.Cmd {
	p.t.Helper()
	// The context of the test ends before its cleanup, which ends the command in peace.
	c := p.raced(context.WithoutCancel(p.t.Context()), args...)
	c.WaitDelay = 10 * time.Second
	return c
}

// mcpHTTP is `chant mcp --http` as others find it.
type mcpHTTP struct {
	URL     string    `json:"url"`
	Token   string    `json:"token"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`

	file string // where this is written
	end  func() // asks the server to end and waits for it
	kill func() // ends it as a crash does
}

// serveHTTP starts a server on a free port, which ends with the test at the
// latest.
func (p *project) serveHTTP(args ...string) *mcpHTTP {
	p.t.Helper()
	c := p.command(append([]string{"mcp", "--http", "127.0.0.1:0"}, args...)...)
	c.Stderr = p.t.Output()
	out, err := c.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	ended := false
	kill := func() {
		ended = true
		if err := c.Process.Kill(); err != nil {
			p.t.Error(err)
		}
		_ = c.Wait() // says that it was killed
	}
	s := &mcpHTTP{kill: kill, file: filepath.Join(p.dir, ".chant", "cache", "mcp.json"), end: func() {
		if ended {
			return
		}
		ended = true
		if runtime.GOOS == "windows" || c.Process.Signal(os.Interrupt) != nil {
			_ = c.Process.Kill() // it may have ended already
		}
		rest, _ := io.ReadAll(lines)
		if err := c.Wait(); err != nil && runtime.GOOS != "windows" || len(rest) > 0 {
			p.t.Errorf("chant mcp --http: %v, and more on stdout: %q", err, rest)
		}
	}}
	p.t.Cleanup(s.end)
	url, err := lines.ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	src, err := os.ReadFile(s.file)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := json.Unmarshal(src, s); err != nil {
		p.t.Fatal(err)
	}
	if s.URL+"\n" != url || s.PID != c.Process.Pid {
		p.t.Errorf("session file %s\nserver %d at %s", src, c.Process.Pid, url)
	}
	return s
}

// RoundTrip sends a request with the token.
func (s *mcpHTTP) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.Token)
	return http.DefaultTransport.RoundTrip(r)
}

func TestMCP_sessionFile(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	first := p.serveHTTP()
	info, err := os.Stat(first.file)
	assert.NoError(t, err)
	assert.False(t, runtime.GOOS != "windows" && info.Mode().Perm() != 0o600, "session file: %v, %v", info, err)
	assert.True(t, len(first.Token) >= 20, "session %+v", first)
	assert.False(t, first.Started.IsZero(), "session %+v", first)
	assert.Equal(t, "", p.git("status", "--porcelain"), "git sees the session file:")
	for name, tt := range map[string]struct {
		path, token string
		status      int
	}{
		"health":      {"/healthz", "", http.StatusOK},
		"stranger":    {"/mcp", "", http.StatusUnauthorized},
		"wrong token": {"/mcp", "nonsense", http.StatusUnauthorized},
		"no stream":   {"/mcp", first.Token, http.StatusMethodNotAllowed},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(first.URL, "/mcp")+tt.path, http.NoBody)
		assert.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+tt.token)
		reply, err := http.DefaultClient.Do(r)
		assert.NoError(t, err)
		reply.Body.Close()
		assert.Equal(t, tt.status, reply.StatusCode, "%s: got %s", name, reply.Status)
	}
	if runtime.GOOS == "windows" {
		return // no signal that a server could end upon in peace
	}
	first.end()
	_, err = os.Stat(first.file)
	assert.True(t, os.IsNotExist(err), "session file is left: %v", err)
}

// TestMCP_sessionFileOfAKilledServer: what a crash leaves is replaced by the next
// server and goes with it.
func TestMCP_sessionFileOfAKilledServer(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	killed := p.serveHTTP()
	killed.kill()
	_, err := os.Stat(killed.file)
	assert.NoError(t, err, "nothing is left that could be in the way")
	next := p.serveHTTP() // checks that the file is its own
	assert.NotEqual(t, killed.Token, next.Token, "the token of the killed server still works")
	next.end()
	_, err = os.Stat(next.file)
	assert.False(t, runtime.GOOS != "windows" && !os.IsNotExist(err), "session file is left: %v", err)
}

// TestMCP_addressAsJSON: with --json the address is a result like any other.
func TestMCP_addressAsJSON(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	c := p.command("mcp", "--http", "127.0.0.1:0", "--json")
	out, err := c.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, c.Start())
	var told map[string]string
	assert.NoError(t, json.NewDecoder(out).Decode(&told))
	assert.Equal(t, 1, len(told))
	assert.HasPrefix(t, told["url"], "http://127.0.0.1:")
	assert.NoError(t, c.Process.Kill())
	_ = c.Wait() // says that it was killed
}

func TestMCP_httpRefusals(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	for _, addr := range []string{"0.0.0.0:0", "192.0.2.1:0", "nonsense"} {
		_, errs, code := p.try(nil, "mcp", "--http", addr)
		assert.Equal(t, 2, code, "%s", addr)
		assert.Contains(t, errs, "not a loopback address", "%s", addr)
	}
	busy := strings.TrimSuffix(strings.TrimPrefix(p.serveHTTP().URL, "http://"), "/mcp")
	_, errs, code := p.try(nil, "mcp", "--http", busy)
	assert.Equal(t, 7, code)
	assert.Contains(t, errs, busy)
}
