package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// network is a few hosts on one switch. It exists in a test that runs inOwnNetwork, and is gone with it.
type network struct {
	t     *testing.T
	hosts []*host
}

// host is a network namespace with an address, and a folder that is its HOME.
type host struct {
	t       *testing.T
	name    string // of the namespace
	address string
	dir     string
	env     []string
	full    string // the file that fills its disk
}

// newNetwork makes hosts with these names.
func newNetwork(t *testing.T, names ...string) *network {
	t.Helper()
	n := &network{t: t}
	n.ip("link", "add", "switch", "type", "bridge")
	n.ip("address", "add", "10.77.255.254/16", "dev", "switch") // the test reaches all hosts
	n.ip("link", "set", "switch", "up")
	for i, name := range names {
		n.hosts = append(n.hosts, n.add(name, fmt.Sprintf("10.77.%d.%d", i/250, i%250+1)))
	}
	return n
}

// add makes a host and connects it to the switch.
func (n *network) add(name, address string) *host {
	n.t.Helper()
	h := &host{t: n.t, name: name, address: address, dir: filepath.Join(n.t.TempDir(), name)}
	if err := os.Mkdir(h.dir, 0o755); err != nil {
		n.t.Fatal(err)
	}
	h.env = append(os.Environ(), environment(h.dir)...)
	n.ip("netns", "add", name)
	n.ip("link", "add", h.port(), "type", "veth", "peer", "name", "eth0", "netns", name)
	n.ip("link", "set", h.port(), "master", "switch", "up")
	n.ip("-n", name, "link", "set", "lo", "up")
	n.ip("-n", name, "address", "add", address+"/16", "dev", "eth0")
	n.ip("-n", name, "link", "set", "eth0", "up")
	n.t.Cleanup(func() { h.crash() })
	return h
}

func (n *network) ip(args ...string) {
	n.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		n.t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// port is the end of the host's cable at the switch.
func (h *host) port() string { return "to-" + h.name }

// disconnect takes the host's cable out of the switch. What it has sent before is on its way.
func (h *host) disconnect() { h.link("down") }

// connect puts the cable back.
func (h *host) connect() { h.link("up") }

func (h *host) link(state string) {
	h.t.Helper()
	if out, err := exec.Command("ip", "link", "set", h.port(), state).CombinedOutput(); err != nil {
		h.t.Fatalf("link of %s %s: %v\n%s", h.name, state, err, out)
	}
}

// command is a command on the host, in its folder.
func (h *host) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.t.Context(), "ip", slices.Concat([]string{"netns", "exec", h.name}, args)...)
	cmd.Dir, cmd.Env = h.dir, h.env
	return cmd
}

// try runs a command to its end.
func (h *host) try(args ...string) (out string, code int) {
	h.t.Helper()
	cmd := h.command(args...)
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		h.t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// run runs a command that has to succeed.
func (h *host) run(args ...string) string {
	h.t.Helper()
	out, code := h.try(args...)
	if code != 0 {
		h.t.Fatalf("%s: %s: exit %d\n%s", h.name, strings.Join(args, " "), code, out)
	}
	return strings.TrimSpace(out)
}

// install puts a program on the PATH of the host, and variables into the environment of all that runs there.
func (h *host) install(program string, env ...string) {
	h.env = append(h.env, "PATH="+filepath.Dir(program)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	h.env = append(h.env, env...)
}

// chant runs a command of chant that has to succeed, in the host's clone.
func (h *host) chant(args ...string) string {
	h.t.Helper()
	return h.run(append([]string{"sh", "-c", `cd clone && exec chant "$@"`, "chant"}, args...)...)
}
