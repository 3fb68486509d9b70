package e2e

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestOffline_criteria has criteria that connect to nothing, to a server of their own, and to one of this machine. Each passes
// where the settings leave the network to chant, and evidence names the one that needed it.
func TestOffline_criteria(t *testing.T) {
	t.Parallel()
	needsOwnNetwork(t)
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	server, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	connect := fmt.Sprintf("bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d'", server.Addr().(*net.TCPAddr).Port)
	own := "bash -c 'exec 3<>/dev/udp/127.0.0.1/9'" // which needs a loopback interface, and sends nothing
	criteria := []string{"test -e x.txt", connect, own}

	ways := []string{"", "setpriv --bounding-set=-sys_admin"}
	for _, by := range ways[:sizeOf(1, len(ways))] {
		p := newWalledProject(t)
		if by != "" { // who may make a network only in a user namespace, as people may who are not root
			if out, err := exec.Command("sh", "-c", by+" unshare -Un true").CombinedOutput(); err != nil {
				t.Logf("not tried in a user namespace: %v: %s", err, out)
				continue
			}
			p.tool("chant-by", "#!/bin/sh\nexec "+by+" '"+p.program+"' \"$@\"\n")
			p.program = p.home("bin/chant-by")
		}
		add := func(n int, verify string) string {
			id := fmt.Sprintf("2026-01-02-%03d-abc", n)
			text := "---\nstatus: pending\nverify: {" + verify + "}\n---\n# Make a file\n\n## Script\n\n```sh\ndate +%N >> x.txt\n```\n\n## Acceptance Criteria\n\n"
			for i, line := range criteria {
				text += fmt.Sprintf("- [ ] criterion %d `$ %s`\n", i, line)
			}
			p.addFile(id, text)
			return id
		}

		p.chant("work", add(1, "timeout: 1m"))
		shown := p.chant("show", "2026-01-02-001-abc")
		assert.Equal(t, 1, strings.Count(shown, ", with the network"), shown)
		assert.Contains(t, lineWith(shown, "/dev/tcp/"), ", with the network")
		assert.Equal(t, 2, strings.Count(p.chant("show", "2026-01-02-001-abc", "--json"), `"network": "loopback"`))
		for i, use := range []string{"loopback", "off"} {
			id := add(2+i, "network: "+use)
			_, stderr, code := p.try(nil, "work", id)
			assert.Equal(t, 9, code, stderr)
			assert.Contains(t, lineWith(stderr, "error: "), "/dev/tcp/")
			assert.Contains(t, lineWith(stderr, "error: "), "; it tried to reach what verify.network: "+use+" does not allow")
			assert.Equal(t, use == "off", strings.Contains(lineWith(stderr, "error: "), "/dev/udp/"), stderr)
		}
		p.chant("work", add(4, "network: all"))
		assert.Equal(t, 3, strings.Count(p.chant("show", "2026-01-02-004-abc"), ", with the network"))
	}
}

// lineWith is the first line that has a text.
func lineWith(lines, part string) string {
	for line := range strings.Lines(lines) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}
