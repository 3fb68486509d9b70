package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
	assert.Equal(t, "first-one first-three first-two", onRemote(hub, dir))
	loseNetwork(workers[0], workers[1])
	loseSpace(workers[2], workers[1])
	loseProcesses(workers[1])
	assert.Equal(t, "afterwards-two first-one first-three first-two meanwhile-two offline-one space-three", onRemote(hub, dir))
	assert.Equal(t, "", hub.run("git", "--git-dir", dir, "fsck", "--no-dangling", "--no-progress"))
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
