package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestFleet_hosts has a fleet work a plan of specs: a hub, workers with clones of their own, and the remote are hosts
// of a network, and the queue uses TLS. Each spec lands once, and nothing is left. It prints how long that took, the
// ideal time, and what one host without a fleet takes for the same plan on as many slots: the machine's part.
func TestFleet_hosts(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/fleet and engine/work/node")
	plan := planOfEnvironment(t) // before: results of go test are kept for what this process has read
	if !inOwnNetwork(t) {
		return
	}
	f := newFleetHosts(t, plan.hosts, plan.slots)
	specs := plan.list()
	for _, w := range f.workers {
		f.join(w)
	}
	began := time.Now()
	f.add(plan, 0, len(specs))
	f.awaitLandings(len(specs))
	worked := time.Since(began)
	f.end()
	report := func(what string, took time.Duration) {
		t.Logf("%d specs in %s %s; the ideal of %d slots is %s", plan.specs, took.Round(time.Millisecond), what, plan.hosts*plan.slots, plan.ideal())
	}
	report(fmt.Sprintf("by a fleet of %d hosts", plan.hosts), worked)
	f.wantNothingLeft(fleetProblems(t, f.bare, specs))
	report("by one host without a fleet", f.alone(plan))
}

// planOfEnvironment is small unless variables say otherwise: CHANT_E2E_FLEET is the number of specs, and the others are
// named after it.
func planOfEnvironment(t *testing.T) fleetPlan {
	t.Helper()
	const key = "CHANT_E2E_FLEET"
	return fleetPlan{
		specs: number(t, key, 8), depth: number(t, key+"_DEPTH", 3), hosts: number(t, key+"_HOSTS", 3), slots: number(t, key+"_SLOTS", 2),
		seconds: number(t, key+"_SECONDS", 0), seed: uint64(number(t, key+"_SEED", 1)),
	}
}

// write puts the files of some specs of a plan into a checkout.
func (p fleetPlan) write(t *testing.T, checkout string, from, to int) {
	t.Helper()
	specs := p.list()
	for _, s := range specs[from:to] {
		assert.NoError(t, os.WriteFile(filepath.Join(checkout, ".chant", "specs", s.id+".md"), []byte(s.text(specs, p.seconds)), 0o644))
	}
}

// fleetHosts is a fleet on the hosts of a network.
type fleetHosts struct {
	t       *testing.T
	remote  *host
	bare    string // the folder of the remote
	hub     *fleetNode
	workers []*fleetNode
}

// fleetNode is a host of a fleet and the process of chant on it.
type fleetNode struct {
	*host
	command []string // its arguments of chant
	ready   string   // what it prints when it works
	runs    *daemon
	starts  int
	clock   int // seconds by which its clock is off
}

// newFleetHosts makes the hosts, and starts the hub. Workers are invited.
func newFleetHosts(t *testing.T, workers, slots int) *fleetHosts {
	t.Helper()
	names := []string{"remote", "hub"}
	for i := range workers {
		names = append(names, "w"+strconv.Itoa(i+1))
	}
	n := newNetwork(t, names...)
	f := &fleetHosts{t: t, remote: n.hosts[0]}
	var url string
	f.bare, url = f.remote.serveGit()
	hub := n.hosts[1]
	hub.install(fleetBinary(t))
	hub.run("git", "clone", "-q", url, "clone")
	hub.chant("init", "--provider", "shell")
	hub.run("sh", "-c", "cd clone && git push -q origin main")
	f.hub = &fleetNode{host: hub, command: []string{"up", "--listen", hub.address + ":4222", "--name", "hub"}, ready: "on another machine:"}
	f.hub.begin()
	for _, h := range n.hosts[2:] {
		h.install(fleetBinary(t))
		f.workers = append(f.workers, &fleetNode{
			host: h, command: []string{"join", "invitation", "--slots", strconv.Itoa(slots), "--dir", "clone"}, ready: " takes specs of ",
		})
	}
	t.Cleanup(func() {
		if t.Failed() {
			f.dump()
		}
	})
	return f
}

// join invites a worker and starts it.
func (f *fleetHosts) join(w *fleetNode, flags ...string) {
	f.t.Helper()
	f.hub.chant(append([]string{"fleet", "invite", w.name, "--output", f.hub.dir + "/" + w.name}, flags...)...)
	text, err := os.ReadFile(filepath.Join(f.hub.dir, w.name))
	if err != nil {
		f.t.Fatal(err)
	}
	if !strings.Contains(string(text), `"url": "tls://`+f.hub.address+`:4222"`) {
		f.t.Errorf("the invitation is not for TLS:\n%s", text)
	}
	w.command = append(w.command, flags...)
	if err := os.WriteFile(filepath.Join(w.dir, "invitation"), text, 0o600); err != nil {
		f.t.Fatal(err)
	}
	w.begin()
}

// begin starts the process of the node, and returns when it works.
func (n *fleetNode) begin() {
	n.t.Helper()
	n.starts++
	n.runs = n.start("fleet"+strconv.Itoa(n.starts), append([]string{"sh", "-c", `test "$1" = join || cd clone; exec chant fleet "$@"`, "chant"}, n.command...)...)
	n.runs.await(n.ready)
}

// crash ends all processes of the host.
func (n *fleetNode) crash() {
	n.t.Helper()
	n.host.crash()
	_ = n.runs.cmd.Wait() // it was killed
}

// add pushes some specs of a plan, on top of what has landed meanwhile.
func (f *fleetHosts) add(p fleetPlan, from, to int) {
	f.t.Helper()
	clone := filepath.Join(f.hub.dir, "clone")
	p.write(f.t, clone, from, to)
	f.hub.run("sh", "-c", "cd clone && git add .chant && git commit -q -m 'add specs'")
	var out string
	if !eventually(func() (pushed bool) {
		var code int
		out, code = f.hub.try("sh", "-c", "cd clone && git pull -q --rebase && git push -q origin HEAD:main")
		return code == 0
	}) {
		f.t.Fatalf("specs cannot be pushed:\n%s", out)
	}
}

// landings counts those in the remote.
func (f *fleetHosts) landings() int {
	f.t.Helper()
	n, err := strconv.Atoi(remote{f.t, f.bare}.git("rev-list", "--first-parent", "--merges", "--count", "main"))
	if err != nil {
		f.t.Fatal(err)
	}
	return n
}

// stuckAfter is how long nothing has to happen until a test of a fleet gives up. It is no measure of speed.
const stuckAfter = 3 * time.Minute

// awaitLandings returns when so many specs have landed. It fails when nothing lands for a long time.
func (f *fleetHosts) awaitLandings(want int) {
	f.t.Helper()
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	landed, tip, since := 0, "", time.Now()
	for ; ; <-tick.C {
		switch now := (remote{f.t, f.bare}).git("rev-parse", "main"); {
		case now != tip:
			tip, since = now, time.Now()
			if landed = f.landings(); landed >= want {
				return
			}
		case time.Since(since) > stuckAfter:
			f.t.Fatalf("%d of %d specs have landed, and nothing more does", landed, want)
		}
	}
}

// end drains all workers, stops the hub, and checks that no process is left.
func (f *fleetHosts) end() {
	f.t.Helper()
	for _, w := range f.workers {
		f.hub.chant("fleet", "drain", w.name)
	}
	for _, w := range f.workers {
		if code := w.runs.end(); code != 0 {
			f.t.Errorf("%s: exit %d\n%s", w.name, code, w.runs.said())
		}
	}
	f.hub.chant("fleet", "down")
	if code := f.hub.runs.end(); code != 0 {
		f.t.Errorf("the hub: exit %d\n%s", code, f.hub.runs.said())
	}
	for _, n := range append(f.workers, f.hub) {
		if left := n.processes(); len(left) > 0 {
			f.t.Errorf("%s has the processes %v", n.name, left)
		}
	}
}

// wantNothingLeft reports problems, and what is left in the clones.
func (f *fleetHosts) wantNothingLeft(problems []string) {
	f.t.Helper()
	for _, n := range f.workers {
		if left := n.run("git", "-C", "clone", "branch", "--list", "chant/*"); left != "" {
			problems = append(problems, fmt.Sprintf("%s has the branches %q", n.name, left))
		}
		if left := n.run("sh", "-c", "find clone/.git -name '*.lock' -not -name 'chant*' -not -path '*/chant/*'"); left != "" {
			problems = append(problems, fmt.Sprintf("%s has the locks %q", n.name, left))
		}
		if left := n.run("sh", "-c", "git -C clone worktree list --porcelain | sed -n 's/^worktree //p' | sed 1d"); left != "" {
			problems = append(problems, fmt.Sprintf("%s has the worktrees %q", n.name, left))
		}
	}
	if len(problems) > 0 {
		f.t.Errorf("%d problems:\n%s", len(problems), strings.Join(problems[:min(20, len(problems))], "\n"))
	}
}

// alone has one host work a plan without a fleet, from a remote and back to it.
func (f *fleetHosts) alone(p fleetPlan) time.Duration {
	f.t.Helper()
	n := network{t: f.t}
	server, h := n.add("other", "10.77.200.1"), n.add("alone", "10.77.200.2")
	bare, url := server.serveGit()
	h.install(chantBinary(f.t))
	h.run("git", "clone", "-q", url, "clone")
	h.chant("init", "--provider", "shell")
	p.write(f.t, filepath.Join(h.dir, "clone"), 0, p.specs)
	h.run("sh", "-c", "cd clone && git add .chant && git commit -q -m specs && git push -q origin main")
	began := time.Now()
	h.chant("work", "--all", "--parallel", strconv.Itoa(p.hosts*p.slots))
	worked := time.Since(began)
	h.run("git", "-C", "clone", "push", "-q", "origin", "main", "refs/notes/chant")
	if found := fleetProblems(f.t, bare, p.list()); len(found) > 0 {
		f.t.Errorf("%d problems of one host:\n%s", len(found), strings.Join(found[:min(20, len(found))], "\n"))
	}
	return worked
}

// dump logs what the processes have printed last, and the claims.
func (f *fleetHosts) dump() {
	f.t.Helper()
	for _, n := range append(f.workers, f.hub) {
		logs, _ := filepath.Glob(n.dir + "-fleet*.log") // the pattern is valid
		for _, log := range logs {
			text, err := os.ReadFile(log)
			if err != nil {
				f.t.Error(err)
			}
			f.t.Logf("%s:\n%s", filepath.Base(log), text[max(0, len(text)-6000):])
		}
	}
	refs, err := exec.Command("git", "--git-dir", f.bare, "for-each-ref", "--format=%(refname) %(raw)", "refs/chant/claims").CombinedOutput()
	f.t.Logf("the claims: %v\n%s", err, refs)
}
