package e2e

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// daemon is a process that runs on a host until it is stopped.
type daemon struct {
	host *host
	cmd  *exec.Cmd
	log  string // the file with what it prints
}

// start starts a command in the background. What it prints is in the file NAME.log in the folder beside the host's: a full
// disk or a crash of the host does not touch it.
func (h *host) start(name string, args ...string) *daemon {
	h.t.Helper()
	d := &daemon{host: h, cmd: h.command(args...), log: h.dir + "-" + name + ".log"}
	file, err := os.OpenFile(d.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		h.t.Fatal(err)
	}
	defer file.Close()
	d.cmd.Stdout, d.cmd.Stderr = file, file
	if err := d.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	return d
}

// said is what it has printed so far.
func (d *daemon) said() string {
	d.host.t.Helper()
	text, err := os.ReadFile(d.log)
	if err != nil {
		d.host.t.Fatal(err)
	}
	return string(text)
}

// await returns once it has printed a text.
func (d *daemon) await(text string) {
	d.host.t.Helper()
	if !eventually(func() bool { return strings.Contains(d.said(), text) }) {
		d.host.t.Fatalf("%s does not print %q:\n%s", d.host.name, text, d.said())
	}
}

// end waits for its end and returns the exit code, -1 if it was killed.
func (d *daemon) end() int {
	d.host.t.Helper()
	if err := d.cmd.Wait(); err != nil && d.cmd.ProcessState == nil {
		d.host.t.Fatal(err)
	}
	return d.cmd.ProcessState.ExitCode()
}

// kill ends it and all that it has started, by SIGKILL, and waits for its end. Nothing can be cleaned up.
func (d *daemon) kill() {
	d.host.t.Helper()
	killTree(d.cmd.Process.Pid)
	if code := d.end(); code != -1 {
		d.host.t.Errorf("%s had ended by itself: exit %d\n%s", d.host.name, code, d.said())
	}
}

// killTree stops a process and its descendants one after the other, so that none starts another one, and then kills them.
func killTree(pid int) {
	tree := []int{pid}
	for i := 0; i < len(tree); i++ {
		_ = syscall.Kill(tree[i], syscall.SIGSTOP) // it may have ended
		tree = append(tree, childrenOf(tree[i])...)
	}
	for _, pid := range tree {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// childrenOf lists the children of a process.
func childrenOf(pid int) []int {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil
	}
	var out []int
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				out = append(out, child)
			}
		}
	}
	return out
}

// crash ends everything that runs on the host, as if its power had failed. Its files stay.
func (h *host) crash() {
	h.t.Helper()
	none := func() bool {
		for _, pid := range h.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
		return len(h.processes()) == 0
	}
	if !eventually(none) {
		h.t.Errorf("%s has processes that cannot be killed: %v", h.name, h.processes())
	}
}

// processes lists what runs on the host. A zombie does not.
func (h *host) processes() (pids []int) {
	h.t.Helper()
	out, err := exec.Command("ip", "netns", "pids", h.name).CombinedOutput()
	if err != nil {
		h.t.Fatalf("ip netns pids %s: %v\n%s", h.name, err, out)
	}
	for field := range strings.FieldsSeq(string(out)) {
		if pid, err := strconv.Atoi(field); err == nil && alive(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// limitDisk gives the folder of the host, which must be empty, a disk of a size such as "20m". Commands that run already
// do not see it.
func (h *host) limitDisk(size string) {
	h.t.Helper()
	mountSmall(h.t, h.dir, size)
	h.full = filepath.Join(h.dir, "full")
}

// fillDisk leaves no space on the host's disk, and emptyDisk gives it back.
func (h *host) fillDisk() {
	h.t.Helper()
	file, err := os.Create(h.full)
	if err != nil {
		h.t.Fatal(err)
	}
	defer file.Close()
	for block := make([]byte, 1<<16); len(block) > 0; {
		if _, err := file.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
}

func (h *host) emptyDisk() {
	h.t.Helper()
	if err := os.Remove(h.full); err != nil {
		h.t.Fatal(err)
	}
}

// serveGit makes a bare repository with one commit on main and serves it to all hosts, for pushes too. It returns the
// folder and the address.
func (h *host) serveGit() (dir, url string) {
	h.t.Helper()
	dir = filepath.Join(h.dir, "git", "project.git")
	h.run("git", "init", "-q", "--bare", "-b", "main", dir)
	// A server packs what it has received; this one leaves no process behind that does.
	h.run("git", "--git-dir", dir, "config", "gc.autoDetach", "false")
	h.run("git", "--git-dir", dir, "config", "gc.auto", "3000")
	h.run("sh", "-c", `git --git-dir "$0" update-ref refs/heads/main "$(git --git-dir "$0" commit-tree -m begin "$(git --git-dir "$0" mktree </dev/null)")"`, dir)
	d := h.start("git", "git", "daemon", "--reuseaddr", "--export-all", "--enable=receive-pack", "--max-connections=0",
		"--base-path="+filepath.Dir(dir), "--listen="+h.address, "--port="+gitPort)
	answers := func() bool {
		c, err := net.Dial("tcp", net.JoinHostPort(h.address, gitPort))
		return err == nil && c.Close() == nil
	}
	if !eventually(answers) {
		h.t.Fatalf("git daemon does not answer:\n%s", d.said())
	}
	return dir, "git://" + h.address + "/project.git"
}

const gitPort = "9418"
