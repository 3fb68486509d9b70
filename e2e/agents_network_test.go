package e2e

import (
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"chant/e2e/fakemodel"
	"chant/providers/wall"

	"github.com/alecthomas/assert/v2"
)

// needsOwnNetwork skips a test where agents can have no network to themselves.
func needsOwnNetwork(t *testing.T) {
	t.Helper()
	needsWall(t)
	if err := wall.OwnNetwork(); err != nil {
		t.Skip(err)
	}
}

// at is the CLI of a person whose model has another URL.
func (c realCLI) at(url string) realCLI {
	moved := c
	if c.settings != nil {
		moved.settings = func(string) map[string]string { return c.settings(url) }
	}
	moved.env = func(string) []string { return c.env(url) }
	moved.project = strings.ReplaceAll(c.project, "URL", url)
	return moved
}

// nameOfThisMachine is a name other than localhost that leads to this machine, as most have; "" without one.
func nameOfThisMachine() string {
	name, err := os.Hostname()
	if err != nil || name == "localhost" {
		return ""
	}
	addresses, err := net.LookupHost(name)
	if err != nil || !slices.Contains(addresses, "127.0.0.1") {
		return ""
	}
	return name
}

// TestAgents_network has each agent land a spec with a network to itself, in which it reaches its model and chant. The model
// of most is reached by a name, for which they have to ask the proxy; that of ollama is a port of this machine.
func TestAgents_network(t *testing.T) {
	t.Parallel()
	needsOwnNetwork(t)
	for _, c := range realCLIs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := fakemodel.StartScript(t, c.words.greet())
			address := strings.TrimPrefix(model.URL(), "http://")
			hosts := []string{"proxy.golang.org"}
			if name := nameOfThisMachine(); name != "" && c.name != "ollama" {
				_, port, _ := net.SplitHostPort(address)
				hosts = append(hosts, address) // to which the name leads
				address = net.JoinHostPort(name, port)
			}
			if c.name == "codex" || c.name == "opencode" { // whose settings alone name the model
				hosts = append(hosts, address)
			}
			c = c.at("http://" + address)
			p := newAgentProject(t, c, model)
			p.configure("defaults: {model: "+c.model+"}\n"+c.project, "network: models", "hosts: ["+strings.Join(hosts, ", ")+"]")
			id := p.add("Greet the reader", "greeting exists `$ test -f hello.txt`", "reads well")

			p.want(0, "work", id, "--provider", c.name, "--model", c.model)

			p.wantTools(c, model)
			log := p.log(id)
			assert.Contains(t, log, "network: models", "the log does not name the network, or the agent has not asked our server:")
			assert.NotContains(t, log, "has never asked", "the log does not name the network, or the agent has not asked our server:")
			for line := range strings.Lines(log) {
				if strings.Contains(line, "sandbox: connection to ") {
					t.Logf("not allowed, and not needed: %s", line)
				}
			}
			assert.Equal(t, "Hello, reader", p.git("show", "main:hello.txt"), "hello.txt on main")
			p.wantNothingLeft()
		})
	}
}
