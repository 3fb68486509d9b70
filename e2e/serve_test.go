package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

const servedID = "2026-01-02-001-abc"

// newServedProject is a project whose agents' work has to be approved, with a spec whose agent prints a line, waits for a
// file, and prints another.
func newServedProject(t *testing.T) *project {
	t.Helper()
	p := newProject(t)
	p.write(".chant/config.md", "---\ndefaults: {provider: shell, main_branch: main}\napproval: {require_approval_for_agent_work: true}\n---\n")
	p.write(".chant/specs/"+servedID+".md", "---\nstatus: pending\n---\n# Watch me\n\n## Script\n\n```sh\n"+
		"echo first line\nuntil test -f '"+p.home("go")+"'; do sleep 0.05; done\necho second line\necho x > made.txt\n```\n\n"+
		"## Acceptance Criteria\n\n- [ ] It is there `$ test -f made.txt`\n")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "settle")
	return p
}

// served is a server under test.
type served struct {
	*background
	address string // with the token
	top     string // of the pages
	host    string
	cookie  *http.Cookie
}

// servePages starts chant serve and waits for its address.
func (p *project) servePages() *served {
	p.t.Helper()
	s := &served{background: p.begin("serve", "--no-open")}
	p.t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // unless it has ended
	if !eventually(func() bool { return strings.HasSuffix(s.said(s.out), "\n") }) {
		p.t.Fatalf("no address\n%s", s.said(s.err))
	}
	s.address = strings.TrimSpace(s.said(s.out))
	u, err := url.Parse(s.address)
	if err != nil {
		p.t.Fatal(err)
	}
	s.host, s.top = u.Host, "http://"+u.Host+u.Path
	return s
}

// ask sends a request with the cookie and returns status and body. change may alter it.
func (s *served) ask(method, path, form string, change func(*http.Request)) (int, string) {
	s.p.t.Helper()
	r, err := http.NewRequestWithContext(s.p.t.Context(), method, s.top+path, strings.NewReader(form))
	if err != nil {
		s.p.t.Fatal(err)
	}
	if s.cookie != nil {
		r.AddCookie(s.cookie)
	}
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+s.host)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if change != nil {
		change(r)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		s.p.t.Fatal(err)
	}
	defer answer.Body.Close()
	for _, c := range answer.Cookies() {
		s.cookie = c
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.p.t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// TestServe_gate sends what the server refuses: nothing of it is answered, and no decision is made.
func TestServe_gate(t *testing.T) {
	t.Parallel()
	p := newServedProject(t)
	s := p.servePages()
	for name, path := range map[string]string{"no token": "", "a wrong one": "?token=x", "an empty one": "?token=", "elsewhere": "index.html?token=" + s.address[strings.Index(s.address, "=")+1:]} {
		code, body := s.ask("GET", path, "", nil)
		assert.Equal(t, 403, code, "%s", name)
		assert.True(t, s.cookie == nil, "%s: %d %s", name, code, body)
		assert.NotContains(t, body, "Watch me", "%s", name)
	}
	code, _ := s.ask("GET", strings.TrimPrefix(s.address, s.top), "", nil)
	assert.Equal(t, 200, code)
	assert.True(t, s.cookie != nil, "%d, cookie %v", code, s.cookie)
	assert.True(t, s.cookie.HttpOnly, "%d, cookie %v", code, s.cookie)
	assert.Equal(t, http.SameSiteStrictMode, s.cookie.SameSite)
	assert.NotEqual(t, "/", s.cookie.Path)
	code, body := s.ask("GET", "index.html", "", nil)
	assert.Equal(t, 200, code)
	assert.Contains(t, body, "Watch me")
	reject, header := "act=reject&reason=no", func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, c := range map[string]struct {
		method, path, form string
		change             func(*http.Request)
		code               int
	}{
		"another host":                {"GET", "index.html", "", func(r *http.Request) { r.Host = "evil.example" }, 403},
		"another port":                {"GET", "index.html", "", func(r *http.Request) { r.Host = "127.0.0.1:1" }, 403},
		"localhost":                   {"GET", "index.html", "", func(r *http.Request) { r.Host = strings.Replace(s.host, "127.0.0.1", "localhost", 1) }, 403},
		"another origin":              {"GET", "events", "", header("Origin", "http://evil.example"), 403},
		"no origin":                   {"POST", "act/" + servedID, reject, func(r *http.Request) { r.Header.Del("Origin") }, 403},
		"the origin null":             {"POST", "act/" + servedID, reject, header("Origin", "null"), 403},
		"two origins":                 {"POST", "act/" + servedID, reject, func(r *http.Request) { r.Header.Add("Origin", "http://evil.example") }, 403},
		"the origin of another port":  {"POST", "act/" + servedID, reject, header("Origin", "http://127.0.0.1:1"), 403},
		"the origin with TLS":         {"POST", "act/" + servedID, reject, header("Origin", "https://"+s.host), 403},
		"sent by another site":        {"GET", "index.html", "", header("Sec-Fetch-Site", "cross-site"), 403},
		"sent by another port":        {"POST", "act/" + servedID, reject, header("Sec-Fetch-Site", "same-site"), 403},
		"a wrong cookie":              {"POST", "act/" + servedID, reject, header("Cookie", s.cookie.Name+"=x"), 403},
		"no cookie":                   {"GET", "log/" + servedID + "?offset=0", "", func(r *http.Request) { r.Header.Del("Cookie") }, 403},
		"tasks without a cookie":      {"GET", "api/events", "", func(r *http.Request) { r.Header.Del("Cookie") }, 403},
		"another method":              {"PUT", "act/" + servedID, reject, header("Origin", "http://"+s.host), 405},
		"a decision by GET":           {"GET", "act/" + servedID + "?" + reject, "", nil, 405},
		"too much":                    {"POST", "act/" + servedID, "act=reject&reason=" + strings.Repeat("x", 1<<17), nil, 413},
		"an unknown action":           {"POST", "act/" + servedID, "act=cancel", nil, 400},
		"an unknown spec":             {"POST", "act/2026-01-02-099-abc", "act=work", nil, 404},
		"a part of an id":             {"GET", "spec/001.html", "", nil, 404},
		"a path above":                {"GET", "static/..%2f..%2fconfig.md", "", nil, 404},
		"approved, but what was seen": {"POST", "act/" + servedID, "act=approve&seen=x", nil, 409},
		"an answer without a number":  {"POST", "act/" + servedID, "act=answer&text=x", nil, 400},
	} {
		code, body := s.ask(c.method, c.path, c.form, c.change)
		assert.Equal(t, c.code, code, "%s", name)
		assert.NotContains(t, body, "Watch me", "%s", name)
	}
	shown := p.chant("show", servedID)
	assert.NotContains(t, strings.ToLower(shown), "reject", "it was rejected:\n%s", shown)
	code, body = s.ask("POST", "act/"+servedID, reject, nil)
	assert.Equal(t, 303, code, "a request as the page sends it: %s", body)
	shown = p.chant("show", servedID)
	assert.Contains(t, strings.ToLower(shown), "reject", "it was not rejected:\n%s", shown)
	s.interrupt()
	if code := s.end(); code != 0 {
		t.Errorf("exit %d after Ctrl-C\n%s", code, s.said(s.err))
	}
}

// TestServe_events: a hundred streams are told of a change at the same time, and all end with the server.
func TestServe_events(t *testing.T) {
	t.Parallel()
	p := newServedProject(t)
	s := p.servePages()
	s.ask("GET", strings.TrimPrefix(s.address, s.top), "", nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	greeted, told, ended := make(chan error, 100), make(chan error, 100), make(chan error, 100)
	for range 100 {
		go s.follow(ctx, greeted, told, ended)
	}
	all := func(what string, from chan error) {
		t.Helper()
		for range 100 {
			assert.NoError(t, <-from, "%s", what)
		}
	}
	all("hello", greeted)
	p.chant("add", "Added meanwhile")
	all("the change", told)
	s.interrupt()
	all("the end", ended)
	if code := s.end(); code != 0 {
		t.Errorf("exit %d after Ctrl-C\n%s", code, s.said(s.err))
	}
}

// follow reads a stream of events: it reports the greeting, the first change and the end.
func (s *served) follow(ctx context.Context, greeted, told, ended chan<- error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.top+"events", nil)
	if err == nil {
		r.AddCookie(s.cookie)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		greeted <- err
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		greeted <- fmt.Errorf("status %d", answer.StatusCode)
		return
	}
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		switch {
		case strings.Contains(lines.Text(), `"hello"`):
			greeted <- nil
		case strings.Contains(lines.Text(), `"change"`) && told != nil:
			told <- nil
			told = nil
		}
	}
	ended <- nil
}

// TestServe_browser starts a run, watches it and approves it in the pages, in a real browser, with many of them open, more
// than it makes connections. CHANT_E2E_PAGES is how many.
func TestServe_browser(t *testing.T) {
	t.Parallel()
	chromium := browser(t)
	node, modules := npmPackage(t, "puppeteer-core")
	npmPackage(t, "axe-core")
	p, pages := newServedProject(t), number(t, "CHANT_E2E_PAGES", 12)
	s := p.servePages()
	r := execute(t, p.dir, p.env, node, nodeScript(t, modules, "serve.mjs"), chromium, s.address, servedID, p.home("go"), strconv.Itoa(pages), p.program, "add", "Added meanwhile")
	want := fmt.Sprintf(`cookie: true Strict true
scripts see: ""
console: Executing inline script violates
inline script ran: false
log shows the first line
board shows the run
log, status and changes came by themselves: true
approved
a stranger: failed failed
a late page was told
told: %d
`, pages)
	got := shortLines(r.out)
	assert.Equal(t, 0, r.code, "exit %s %s", r.out, r.stderr)
	assert.Equal(t, want, got, "exit %s %s", r.out, r.stderr)
	p.chant("merge", servedID)
	_, err := os.Stat(p.dir + "/made.txt")
	assert.NoError(t, err)
}

// shortLines cuts what the browser says about its policy, which differs between versions.
func shortLines(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if before, _, long := strings.Cut(line, " the following Content Security Policy"); long {
			line = before + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
