package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFleetNetwork uses the hosts of the tests of a fleet with git alone: pushes of all arrive, one without a network or
// without space fails and works again afterwards, and what is killed leaves nothing.
func TestFleetNetwork(t *testing.T) {
	t.Parallel()
	if !inOwnNetwork(t) {
		return
	}
	n := newNetwork(t, "hub", "one", "two", "three")
	hub, workers := n.hosts[0], n.hosts[1:]
	dir, url := hub.serveGit()
	workers[2].limitDisk("8m")
	for _, h := range workers {
		h.run("git", "clone", "-q", url, "clone")
		h.work("first")
	}
	if got := onRemote(hub, dir); got != "first-one first-three first-two" {
		t.Fatalf("the remote has %q", got)
	}
	loseNetwork(workers[0], workers[1])
	loseSpace(workers[2], workers[1])
	loseProcesses(workers[1])
	if got := onRemote(hub, dir); got != "afterwards-two first-one first-three first-two meanwhile-two offline-one space-three" {
		t.Errorf("the remote has %q", got)
	}
	if out := hub.run("git", "--git-dir", dir, "fsck", "--no-dangling", "--no-progress"); out != "" {
		t.Errorf("fsck: %s", out)
	}
}

// TestFleetPlan_oneHost has one host work the plan of a fleet without one, from the remote and back to it, and prints how
// long that takes: what the tests of a fleet are compared with.
func TestFleetPlan_oneHost(t *testing.T) {
	t.Parallel()
	if !inOwnNetwork(t) {
		return
	}
	plan := planOfEnvironment(t)
	n := newNetwork(t, "hub", "one")
	dir, url := n.hosts[0].serveGit()
	h := n.hosts[1]
	h.install(chantBinary(t))
	h.run("git", "clone", "-q", url, "clone")
	h.chant("init", "--provider", "shell")
	specs := plan.write(t, filepath.Join(h.dir, "clone"))
	h.run("sh", "-c", "cd clone && git add .chant && git commit -q -m specs && git push -q origin main")
	began := time.Now()
	h.chant("work", "--all", "--parallel", strconv.Itoa(plan.hosts*plan.slots))
	worked := time.Since(began)
	h.run("git", "-C", "clone", "push", "-q", "origin", "main", "refs/notes/chant")
	t.Logf("%d specs in %s, the ideal of %d slots is %s", plan.specs, worked.Round(time.Millisecond), plan.hosts*plan.slots, plan.ideal())
	if found := fleetProblems(t, dir, specs); len(found) > 0 {
		t.Errorf("%d problems:\n%s", len(found), strings.Join(found[:min(20, len(found))], "\n"))
	}
}

// loseNetwork takes a host off the network: what it commits then gets to the remote as soon as it is back, and others are
// not disturbed.
func loseNetwork(h, other *host) {
	h.t.Helper()
	h.disconnect()
	h.commit("offline")
	if out, code := h.push(); code == 0 || !strings.Contains(out, "unable to connect") {
		h.t.Errorf("without a network: exit %d\n%s", code, out)
	}
	other.work("meanwhile")
	h.connect()
	h.run("git", "-C", "clone", "pull", "-q", "--rebase")
	if out, code := h.push(); code != 0 {
		h.t.Errorf("with a network again: exit %d\n%s", code, out)
	}
}

// loseSpace fills the disk of a host, and only that.
func loseSpace(h, other *host) {
	h.t.Helper()
	h.run("git", "-C", "clone", "pull", "-q", "--rebase")
	h.fillDisk()
	if out, code := h.try("sh", "-c", `cp "$(command -v git)" clone/x`); code == 0 || !strings.Contains(out, "No space left on device") {
		h.t.Errorf("without space: exit %d\n%s", code, out)
	}
	other.run("sh", "-c", `cp "$(command -v git)" x`)
	h.emptyDisk()
	h.run("rm", "-f", "clone/x")
	h.work("space")
}

// loseProcesses kills a process with its descendants, and then, as a crash does, one that has left it.
func loseProcesses(h *host) {
	h.t.Helper()
	h.run("git", "-C", "clone", "pull", "-q", "--rebase")
	d := h.start("tree", "sh", "-c", `(setsid sh -c 'echo $$ > child; while :; do sleep 100; done' & ); sh -c 'while :; do sleep 100; done' & sleep 100 & echo up; wait`)
	d.await("up")
	h.awaitFile("child")
	if n := len(h.processes()); n < 4 {
		h.t.Errorf("%d processes run", n)
	}
	d.kill()
	if left := h.processes(); len(left) == 0 || len(left) > 2 {
		h.t.Errorf("%d processes are left, want only the one that had left its parent, and what it runs", len(left))
	}
	h.crash()
	if left := h.processes(); len(left) > 0 {
		h.t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(h.dir, "clone", "meanwhile-two")); err != nil {
		h.t.Errorf("the files of a host do not survive a crash: %v", err)
	}
	h.work("afterwards")
}

// work commits a file in the host's clone and pushes it on top of what others have pushed.
func (h *host) work(name string) {
	h.t.Helper()
	h.commit(name)
	h.run("git", "-C", "clone", "pull", "-q", "--rebase")
	if out, code := h.push(); code != 0 {
		h.t.Fatalf("%s: push: exit %d\n%s", h.name, code, out)
	}
}

func (h *host) commit(name string) {
	h.t.Helper()
	h.run("sh", "-c", `cd clone && echo x > "$0" && git add "$0" && git commit -q -m "$0"`, name+"-"+h.name)
}

func (h *host) push() (out string, code int) {
	h.t.Helper()
	return h.try("git", "-C", "clone", "push", "-q", "origin", "HEAD:main")
}

// awaitFile returns once a file in the folder of the host exists.
func (h *host) awaitFile(name string) {
	h.t.Helper()
	there := func() bool {
		_, err := os.Stat(filepath.Join(h.dir, name))
		return err == nil
	}
	if !eventually(there) {
		h.t.Fatalf("%s: %s does not appear", h.name, name)
	}
}

// onRemote lists the files on main.
func onRemote(h *host, dir string) string {
	h.t.Helper()
	return strings.Join(strings.Fields(h.run("git", "--git-dir", dir, "ls-tree", "--name-only", "main")), " ")
}

// planOfEnvironment is small unless variables say otherwise: CHANT_E2E_FLEET is the number of specs, and the others are
// named after it.
func planOfEnvironment(t *testing.T) fleetPlan {
	t.Helper()
	const key = "CHANT_E2E_FLEET"
	return fleetPlan{
		specs: number(t, key, 12), depth: number(t, key+"_DEPTH", 3), hosts: number(t, key+"_HOSTS", 3), slots: number(t, key+"_SLOTS", 2),
		seconds: number(t, key+"_SECONDS", 0), seed: uint64(number(t, key+"_SEED", 1)),
	}
}

// write puts the files of all specs of a plan into a checkout.
func (p fleetPlan) write(t *testing.T, checkout string) []fleetSpec {
	t.Helper()
	specs := p.list()
	for _, s := range specs {
		if err := os.WriteFile(filepath.Join(checkout, ".chant", "specs", s.id+".md"), []byte(s.text(specs, p.seconds)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return specs
}
