package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestFleet_metrics: a hub serves its metrics on loopback where it is asked to, a worker becomes chant-fleet for that, and a
// program without them says which one has them.
func TestFleet_metrics(t *testing.T) {
	t.Parallel()
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
		if !strings.Contains(page, "\nchant_fleet_"+line+"\n") {
			t.Errorf("%s is missing in\n%s", line, page)
		}
	}

	p.program = plain
	p.chant("fleet", "invite", "w", "--out", p.home("w.fleet"))
	if _, errs, code := p.try(nil, "fleet", "join", p.home("w.fleet"), "--metrics", "0"); code != 5 || !strings.Contains(errs, "chant-fleet") {
		t.Errorf("without chant-fleet: exit %d, %s", code, errs)
	}
	if err := os.MkdirAll(p.home("bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(with, filepath.Join(p.home("bin"), "chant-fleet")); err != nil {
		t.Fatal(err)
	}
	w := &project{t: t, dir: p.home("bin"), env: append(p.env, "PATH="+p.home("bin")+":"+os.Getenv("PATH")), program: plain}
	worker := w.start("fleet", "join", p.home("w.fleet"), "--dir", p.home("clone"), "--slots", "1", "--metrics", "0")
	worker.await("metrics: http://127.0.0.1:")
	if page := scrape(t, worker); !strings.Contains(page, "chant_fleet_nodes{") || strings.Contains(page, "chant_fleet_waiting{") {
		t.Errorf("the worker has\n%s", page)
	}
	for name, b := range map[string]*background{"worker": worker, "hub": hub} {
		b.interrupt()
		if code := b.end(); code != 0 {
			t.Errorf("the %s: exit %d", name, code)
		}
	}
}

// scrape reads the page of metrics that a process has printed.
func scrape(t *testing.T, b *background) string {
	t.Helper()
	_, address, _ := strings.Cut(b.said(b.out), "metrics: ")
	address, _, _ = strings.Cut(address, "\n")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}
