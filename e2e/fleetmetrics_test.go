package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestFleet_metrics: a hub serves its metrics on loopback where it is asked to, a worker becomes chant-fleet for that, and a
// program without them says which one has them.
func TestFleet_metrics(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/fleet")
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot become another program")
	}
	p := newProject(t)
	plain, with := p.program, fleetBinary(t)
	p.git("init", "-q", "--bare", "-b", "main", p.home("app.git"))
	p.git("remote", "add", "origin", p.home("app.git"))
	p.addAll(map[string]string{parallelID(0): scriptedSpec(1, "", "")})
	p.git("push", "-q", "origin", "main")
	p.program = with
	hub := p.start("fleet", "up", "--listen", "127.0.0.1:0", "--name", "hub", "--metrics", "0", "--slots", "1")
	hub.await("on another machine:")
	hub.landed(1)
	page := scrape(t, hub)
	for _, line := range []string{`nodes{project="app"} 1`, `landed_total{project="app"} 1`, `runs_total{outcome="completed",project="app"} 1`, `waiting{project="app"} 0`} {
		assert.Contains(t, page, "\nchant_fleet_"+line+"\n", "%s is missing in", line)
	}

	p.program = plain
	p.chant("fleet", "invite", "w", "--out", p.home("w.fleet"))
	_, errs, code := p.try(nil, "fleet", "join", p.home("w.fleet"), "--metrics", "0")
	assert.Equal(t, 5, code)
	assert.Contains(t, errs, "chant-fleet")
	assert.NoError(t, os.MkdirAll(p.home("bin"), 0o755))
	assert.NoError(t, os.Symlink(with, filepath.Join(p.home("bin"), "chant-fleet")))
	w := &project{t: t, dir: p.home("bin"), env: append(p.env, "PATH="+p.home("bin")+":"+os.Getenv("PATH")), program: plain}
	worker := w.start("fleet", "join", p.home("w.fleet"), "--dir", p.home("clone"), "--slots", "1", "--metrics", "0")
	worker.await("metrics: http://127.0.0.1:")
	page = scrape(t, worker)
	assert.Contains(t, page, "chant_fleet_nodes{", "the worker has")
	assert.NotContains(t, page, "chant_fleet_waiting{", "the worker has")
	for name, b := range map[string]*background{"worker": worker, "hub": hub} {
		b.interrupt()
		assert.Equal(t, 0, b.end(), "the %s", name)
	}
}

// scrape reads the page of metrics that a process has printed.
func scrape(t *testing.T, b *background) string {
	t.Helper()
	_, address, _ := strings.Cut(b.said(b.out), "metrics: ")
	address, _, _ = strings.Cut(address, "\n")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	assert.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	assert.NoError(t, err)
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	assert.NoError(t, err)
	return string(page)
}
