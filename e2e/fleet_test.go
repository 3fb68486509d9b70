package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// scriptedSpec is a spec whose agent runs a script and leaves a file.
func scriptedSpec(n int, front, script string) string {
	return fmt.Sprintf("---\nstatus: pending\n%s---\n# Spec %d\n\n## Script\n\n```sh\n%s\necho %d > f%d.txt\n```\n\n## Acceptance Criteria\n\n- [ ] It is there `$ test -s f%d.txt`\n",
		front, n, script, n, n, n)
}

// fleetStatus is the part of a status that these tests read.
type fleetStatus struct {
	Leader string
	Nodes  []struct {
		Name               string
		Running            []string
		Cordoned, Draining bool
		Trouble            string
	}
	Stranded []struct{ ID string }
	Queue    struct{ Waiting, Running int }
	Specs    []struct {
		ID, State string
	}
}

// start starts chant, whose output is followed by await.
func (p *project) start(args ...string) *background {
	p.t.Helper()
	c := exec.CommandContext(p.t.Context(), p.program, args...)
	b := &background{p: p, cmd: c, out: p.output("stdout"), err: p.output("stderr")}
	c.Dir, c.Env, c.Stdout, c.Stderr = p.dir, p.env, b.out, b.err
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = c.Process.Kill() // unless it has ended
		if p.t.Failed() {
			p.t.Logf("chant %s:\n%s%s", strings.Join(args, " "), b.said(b.out), b.said(b.err))
		}
	})
	return b
}

// await returns once a process has printed a text.
func (b *background) await(text string) {
	b.p.t.Helper()
	if !eventually(func() bool { return strings.Contains(b.said(b.out)+b.said(b.err), text) }) {
		b.p.t.Fatalf("%q is not printed", text)
	}
}

// landed returns once a hub has landed specs.
func (b *background) landed(numbers ...int) {
	b.p.t.Helper()
	for _, n := range numbers {
		b.await(parallelID(n-1) + "  landed")
	}
}

// awaitStatus returns the status of a fleet once it is as it should be.
func (p *project) awaitStatus(what string, so func(fleetStatus) bool) (s fleetStatus) {
	p.t.Helper()
	var out string
	asked := 0
	if !eventually(func() bool {
		if asked++; asked%20 != 1 { // to ask takes much longer than to read a file
			return false
		}
		out, s = p.chant("fleet", "status", "--json"), fleetStatus{}
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			p.t.Fatalf("%v\n%s", err, out)
		}
		return so(s)
	}) {
		p.t.Fatalf("%s: never\n%s", what, out)
	}
	return s
}

// node returns what a machine does.
func (s fleetStatus) node(name string) (running []string, cordoned, there bool) {
	for _, n := range s.Nodes {
		if n.Name == name {
			return n.Running, n.Cordoned, true
		}
	}
	return nil, false, false
}

// trouble returns why the last round of a leader failed.
func (s fleetStatus) trouble(name string) string {
	for _, n := range s.Nodes {
		if n.Name == name {
			return n.Trouble
		}
	}
	return ""
}

// state returns how far the work on a spec is, "" without a claim.
func (s fleetStatus) state(n int) string {
	for _, one := range s.Specs {
		if one.ID == parallelID(n-1) {
			return one.State
		}
	}
	return ""
}

// TestFleet is the story of a fleet in real processes: a hub and two workers on a bare remote work specs that depend on
// each other. One fails and is tried again, and a worker is killed in the middle of another. In the end each spec has
// landed once, and nothing is left.
func TestFleet(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a signal cannot be sent to one process")
	}
	p := newProject(t)
	bare := p.home("app.git")
	p.program = fleetBinary(t)
	p.git("init", "-q", "--bare", "-b", "main", bare)
	p.git("remote", "add", "origin", bare)
	needs := func(n int) string { return parallelID(n - 1) }
	let := func(files ...string) {
		for _, file := range files {
			if err := os.WriteFile(p.home(file), nil, 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(func() { let("go") }) // the agent of a worker that was killed ends by itself
	add := func(specs map[string]string) {
		p.addAll(specs)
		p.git("push", "-q", "origin", "main")
	}
	add(map[string]string{
		needs(1): scriptedSpec(1, "", ""),
		needs(2): scriptedSpec(2, "depends_on: ["+needs(1)+"]\n", ""),
		needs(3): scriptedSpec(3, "depends_on: ["+needs(1)+"]\n", "test -e '"+p.home("ok")+"' || exit 3"),
		needs(4): scriptedSpec(4, "depends_on: ["+needs(2)+", "+needs(3)+"]\n", ""),
		needs(5): scriptedSpec(5, "", "until test -e '"+p.home("go")+"' || test ! -d '"+p.dir+"'; do sleep 0.1; done"),
		needs(6): scriptedSpec(6, "runs_on: [gpu]\n", ""),
	})

	hub := p.start("fleet", "up", "--listen", "127.0.0.1:0", "--name", "hub")
	hub.await("on another machine:")
	if text := p.chant("fleet", "status"); !strings.Contains(text, `no machine now has provider "shell" and gpu`) {
		t.Errorf("the status does not name what no machine can work:\n%s", text)
	}
	p.chant("fleet", "invite", "two", "--output", p.home("two.fleet"))
	join := func(name, invitation string) (*project, *background) {
		w := &project{t: t, dir: p.home(name), env: p.env, program: p.program}
		assert.NoError(t, os.MkdirAll(w.dir, 0o755))
		b := w.start("fleet", "join", invitation, "--slots", "2", "--label", "gpu")
		b.await(name + " takes specs of app")
		w.dir = filepath.Join(w.dir, "app")
		return w, b
	}
	_, printed, _ := strings.Cut(hub.said(hub.out), "chant fleet join ")
	printed, _, _ = strings.Cut(printed, " --slots")
	invitations := map[string]string{"worker-1": printed, "two": p.home("two.fleet")}
	clones, workers := map[string]*project{}, map[string]*background{}
	for name, file := range invitations {
		clones[name], workers[name] = join(name, file)
	}

	hub.landed(1, 2, 6)
	s := p.awaitStatus("the third has failed", func(s fleetStatus) bool { return s.state(3) == "ended" && s.state(5) == "working" })
	text := p.chant("fleet", "status")
	assert.Equal(t, "hub", s.Leader)
	assert.Contains(t, text, "hub")
	assert.Contains(t, text, "next: chant fleet retry "+needs(3))
	_, errs, code := clones["two"].try(nil, "fleet", "drain", "hub")
	assert.Equal(t, 5, code, "a worker drains the hub")
	assert.Contains(t, errs, "only the hub may give orders", "a worker drains the hub")
	out := clones["two"].chant("fleet", "status")
	assert.Contains(t, out, "leads", "the status on a worker:")
	assert.NotContains(t, out, "waiting", "the status on a worker:")

	killed, other := "two", "worker-1"
	if running, _, _ := s.node(other); slices.Contains(running, needs(5)) {
		killed, other = other, killed
	}
	assert.NoError(t, workers[killed].cmd.Process.Kill())
	_ = workers[killed].cmd.Wait() // it was killed
	let("go", "ok")
	p.chant("fleet", "retry", needs(3))
	hub.landed(3, 4, 5)

	p.chant("fleet", "cordon", other)
	p.awaitStatus("cordoned", func(s fleetStatus) bool { _, cordoned, _ := s.node(other); return cordoned })
	p.git("pull", "-q", "--ff-only", "origin", "main")
	add(map[string]string{needs(7): scriptedSpec(7, "", "")})
	p.awaitStatus("the seventh waits", func(s fleetStatus) bool { return s.Queue.Waiting == 1 && s.state(7) == "" })
	hook := filepath.Join(bare, "hooks", "update")
	assert.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\n[ \"$1\" != refs/heads/main ] || { echo not today >&2; exit 1; }\n"), 0o755))
	p.chant("fleet", "uncordon", other)
	p.awaitStatus("the remote refuses the landing", func(s fleetStatus) bool { return strings.Contains(s.trouble("hub"), "completed work waits") })
	if text := p.chant("fleet", "status"); !strings.Contains(text, "hub leads, but its last round failed: completed work waits") {
		t.Errorf("the status does not say that nothing lands:\n%s", text)
	}
	assert.NoError(t, os.Remove(hook))
	hub.landed(7)
	s = p.awaitStatus("there is no trouble any more", func(s fleetStatus) bool { return s.trouble("hub") == "" })
	assert.Zero(t, s.Stranded, "specs for which there is no machine: %+v", s.Stranded)

	p.chant("fleet", "drain", other)
	assert.Equal(t, 0, workers[other].end(), "the drained worker")
	_, workers[killed] = join(killed, invitations[killed])
	clones[killed].chant("fleet", "down")
	assert.Equal(t, 0, workers[killed].end(), "the worker that was sent down")
	p.awaitStatus("the workers have left", func(s fleetStatus) bool { return len(s.Nodes) == 1 })
	hub.interrupt()
	code = hub.end()
	assert.Equal(t, 0, code, "the hub after a Ctrl-C")
	assert.Contains(t, hub.said(hub.err), "nothing more is taken", "the hub after a Ctrl-C")
	p.chant("fleet", "down")
	p.landedOnce(bare, 7)
	for _, clone := range append([]*project{p}, clones["two"], clones["worker-1"]) {
		clone.noLocks()
		assert.Equal(t, "", clone.git("branch", "--list", "chant/*"), "%s has the branches", clone.dir)
	}
	for _, clone := range []*project{p, clones[killed]} {
		_, err := os.Stat(filepath.Join(clone.dir, ".git", "chant", "fleet.json"))
		assert.Error(t, err, "%s takes part in a fleet", clone.dir)
	}
}

// landedOnce checks that specs have landed in a remote, each once, and that nothing but history is left there.
func (p *project) landedOnce(bare string, specs int) {
	p.t.Helper()
	in := func(args ...string) string { return p.git(append([]string{"-C", bare}, args...)...) }
	if got := in("rev-list", "--merges", "--count", "main"); got != fmt.Sprint(specs) {
		p.t.Errorf("%s merges, want %d\n%s", got, specs, in("log", "--oneline", "--graph", "main"))
	}
	for i := range specs {
		if text := in("show", "main:.chant/specs/"+parallelID(i)+".md"); !strings.Contains(text, "status: completed") {
			p.t.Errorf("%s is\n%s", parallelID(i), text)
		}
	}
	if refs := in("for-each-ref", "--format=%(refname)"); strings.Contains(refs, "claims") || strings.Contains(refs, "heads/chant") {
		p.t.Errorf("refs are left:\n%s", refs)
	}
	if out := in("fsck", "--no-dangling", "--no-progress"); out != "" {
		p.t.Errorf("fsck: %s", out)
	}
}

// TestFleet_absent: without a fleet no port is opened and no file of a fleet is written.
func TestFleet_absent(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.addAll(map[string]string{parallelID(0): scriptedSpec(1, "", "touch '"+p.home("began")+"'; until test -e '"+p.home("go")+"' || test ! -d '"+p.dir+"'; do sleep 0.05; done")})
	work := p.start("work", parallelID(0))
	p.awaitFile("began")
	p.chant("status")
	ports := listening(t, work.cmd.Process.Pid)
	assert.Zero(t, ports, "chant work listens on %s", ports)
	assert.NoError(t, os.WriteFile(p.home("go"), nil, 0o644))
	assert.Equal(t, 0, work.end())
	err := filepath.WalkDir(filepath.Dir(p.dir), func(path string, _ fs.DirEntry, err error) error {
		if strings.Contains(filepath.Base(path), "fleet") {
			t.Errorf("%s was written", path)
		}
		return err
	})
	assert.NoError(t, err)
}

// listening lists the addresses on which a process listens, as Linux writes them.
func listening(t *testing.T, pid int) (out []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	assert.NoError(t, err, "no files of process %d", pid)
	assert.NotEqual(t, 0, len(files), "no files of process %d", pid)
	own := map[string]bool{}
	for _, file := range files {
		if to, err := os.Readlink(file); err == nil {
			own[strings.TrimSuffix(strings.TrimPrefix(to, "socket:["), "]")] = true
		}
	}
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		assert.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 9 && f[3] == "0A" && own[f[9]] {
				out = append(out, f[1])
			}
		}
	}
	return out
}

// TestFleet_unit: what keeps a machine running is printed with the line that it runs.
func TestFleet_unit(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	text := p.chant("fleet", "unit", "--user", "chant", "--path", "/opt/bin:/usr/bin", "--", "join", "two.fleet", "--slots", "2")
	for _, want := range []string{"[Unit]\n", "User=chant\n", " fleet join two.fleet --slots 2\n", "Environment=PATH=/opt/bin:/usr/bin\n", "Restart=on-failure\n"} {
		assert.Contains(t, text, want)
	}
	text = p.chant("fleet", "containerfile", "--", "join", "/run/secrets/two.fleet")
	assert.Contains(t, text, `CMD ["fleet","join","/run/secrets/two.fleet"]`)
}
