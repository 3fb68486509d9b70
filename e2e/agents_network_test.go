package e2e

import (
	"fmt"
	"strings"
	"testing"

	"chant/e2e/fakemodel"
	"chant/providers/wall"
)

// needsOwnNetwork skips a test where agents can have no network to themselves.
func needsOwnNetwork(t *testing.T) {
	t.Helper()
	needsWall(t)
	if err := wall.OwnNetwork(); err != nil {
		t.Skip(err)
	}
}

// TestAgents_network has each agent land a spec with a network to itself, in which it reaches its model and chant.
func TestAgents_network(t *testing.T) {
	t.Parallel()
	needsOwnNetwork(t)
	for _, c := range realCLIs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := fakemodel.StartScript(t, c.words.greet())
			p := newAgentProject(t, c, model)
			hosts := "proxy.golang.org"
			if c.name == "codex" || c.name == "opencode" { // whose settings alone name the model
				hosts += ", " + strings.TrimPrefix(model.URL(), "http://")
			}
			p.configure(fmt.Sprintf("defaults: {model: %s}\n%s", c.model, strings.ReplaceAll(c.project, "URL", model.URL())), "network: models", "hosts: ["+hosts+"]")
			id := p.add("Greet the reader", "greeting exists `$ test -f hello.txt`", "reads well")

			p.want(0, "work", id, "--provider", c.name, "--model", c.model)

			p.wantTools(c, model)
			if log := p.log(id); !strings.Contains(log, "network: models") || strings.Contains(log, "has never asked") {
				t.Errorf("the log does not name the network, or the agent has not asked our server:\n%s", log)
			}
			if got := p.git("show", "main:hello.txt"); got != "Hello, reader" {
				t.Errorf("hello.txt on main holds %q", got)
			}
			p.wantNothingLeft()
		})
	}
}
