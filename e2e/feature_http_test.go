package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// rstnHTTP is `chant mcp --http --session rstn` or without a session file, as its client finds it.
type rstnHTTP struct {
	url  string
	auth string       // the header
	errs bytes.Buffer // to be read once the server has ended
	kill func()
}

// sessionConfig is a session file as claude reads it.
type sessionConfig struct {
	Servers map[string]struct {
		Type, URL string
		Headers   map[string]string
	} `json:"mcpServers"`
}

// serveFeature starts a server over HTTP in a folder; it ends with the test at the latest. token is what it asks for.
func (p *project) serveFeature(dir, token string, args ...string) *rstnHTTP {
	p.t.Helper()
	c := p.command(append([]string{"mcp", "--http"}, args...)...)
	s := &rstnHTTP{auth: "Bearer " + token}
	c.Dir, c.Stderr, c.Env = dir, &s.errs, append(c.Env, "CHANT_MCP_TOKEN="+token)
	out, err := c.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := false
	s.kill = func() {
		if !ended {
			ended = true
			_ = c.Process.Kill()
			_ = c.Wait() // says that it was killed
		}
	}
	p.t.Cleanup(s.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.kill()
		p.t.Fatalf("%v: %s", err, &s.errs)
	}
	s.url = strings.TrimSpace(line)
	return s
}

// call makes a call.
func (s *rstnHTTP) call(tool string, args map[string]any) (mcpReply, error) {
	var reply mcpReply
	body, err := json.Marshal(fields{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": fields{"name": tool, "arguments": args}})
	if err != nil {
		return reply, err
	}
	status, text, err := s.post(body, nil)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, text)
	}
	if err == nil {
		err = json.Unmarshal(text, &reply)
	}
	if err == nil && reply.Error != nil {
		err = errors.New(reply.Error.Message)
	}
	return reply, err
}

// post sends a message; change alters the request.
func (s *rstnHTTP) post(body []byte, change func(*http.Request)) (int, []byte, error) {
	r, err := http.NewRequest(http.MethodPost, s.url, bytes.NewReader(body)) //nolint:noctx // the server ends with the test
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", s.auth)
	if change != nil {
		change(r)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	return reply.StatusCode, text, err
}

// sessionFileOf reads the session file of rstn's clients.
func sessionFileOf(t *testing.T, p *project) (file string, url, auth string) {
	t.Helper()
	file = filepath.Join(filepath.Dir(p.dir), ".rstn", "mcp-session.json")
	src, err := os.ReadFile(file)
	if err != nil {
		return file, "", ""
	}
	var c sessionConfig
	err = json.Unmarshal(src, &c)
	assert.NoError(t, err)
	assert.Equal(t, "http", c.Servers["rstn"].Type)
	assert.True(t, bytes.HasPrefix(src, []byte("{\n  \"mcpServers\": {\n    \"rstn\": {\n")), "session file %s: %v", src, err)
	return file, c.Servers["rstn"].URL, c.Servers["rstn"].Headers["Authorization"]
}

// TestFeatureMCP_sessionFile: the file of a running server survives another one that is killed, that of a killed server
// becomes the next one's, and strangers are turned away.
func TestFeatureMCP_sessionFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	one := p.serveFeature(p.dir, "token-of-one", "--session", "rstn")
	file, url, auth := sessionFileOf(t, p)
	assert.Equal(t, one.url, url)
	assert.Equal(t, "Bearer token-of-one", auth)
	assert.HasPrefix(t, url, "http://127.0.0.1:")
	assert.HasSuffix(t, url, "/mcp")
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	two := p.serveFeature(p.dir, "token-of-two", "--session", "rstn", "--toolsets", "feature")
	three := p.serveFeature(p.dir, "token-of-three", "--session", "rstn")
	three.kill()
	if _, url, _ := sessionFileOf(t, p); url != one.url {
		t.Errorf("after the end of another server the file says %q", url)
	}
	assert.Contains(t, three.errs.String(), "is the file of another server", "a server without a file")
	one.kill()
	if !eventually(func() bool { _, url, auth = sessionFileOf(t, p); return url == two.url && auth == two.auth }) {
		t.Errorf("the file of a killed server still says %q", url)
	}
	two.kill()
	four := p.serveFeature(p.dir, "token-of-four", "--session=rstn")
	if _, url, _ := sessionFileOf(t, p); url != four.url {
		t.Errorf("what a killed server has left says %q", url)
	}
	for name, tt := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"known":       {nil, http.StatusOK},
		"host":        {func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		"origin":      {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"own origin":  {func(r *http.Request) { r.Header.Set("Origin", "http://localhost:3000") }, http.StatusOK},
		"no token":    {func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"wrong token": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer token-of-one") }, http.StatusUnauthorized},
	} {
		status, text, err := four.post([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), tt.change)
		assert.NoError(t, err, "%s: %s", name, text)
		assert.Equal(t, tt.status, status, "%s: %s", name, text)
	}
}
