package sandbox

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/store/config"
	"chant/providers"
	"chant/providers/wall"

	"github.com/alecthomas/assert/v2"
)

// portsOf lists what can be reached in a network of its own, nil without one.
func portsOf(p *wall.Policy) []uint16 {
	if p == nil || p.Network == nil {
		return nil
	}
	var ports []uint16
	for _, s := range p.Network.Services {
		ports = append(ports, s.Port)
	}
	return ports
}

// TestForAgent_models: agents have a network to themselves, with a proxy and the ports of this machine that the settings and
// the provider name, and criteria have that without the provider's.
func TestForAgent_models(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{Network: config.ModelsNetwork, Hosts: config.Hosts{"registry.npmjs.org", "localhost:5432"}})
	if err := wall.OwnNetwork(); err != nil {
		t.Skip(err)
	}
	f.Chant = "/opt/chant"
	b, err := f.ForAgent(f.tree, f.state)
	assert.NoError(t, err)
	launch := providers.Launch{Hosts: []string{"api.example.com", "127.0.0.1:8080", "[::1]:8080"}}
	assert.NoError(t, f.Admit(&b, launch))
	assert.Equal(t, []uint16{proxyPort, 5432, 8080}, portsOf(b.Wall), "an agent reaches")
	assert.Equal(t, "/opt/chant", b.Wall.Network.Enter[0], "an agent reaches")
	for _, want := range []string{"HTTPS_PROXY=http://127.0.0.1:61801", "http_proxy=http://127.0.0.1:61801", "NO_PROXY=localhost,127.0.0.1,::1", "NODE_USE_ENV_PROXY=1", NetworkKey + "=models"} {
		assert.SliceContains(t, b.Env, want)
		assert.SliceContains(t, b.NetworkEnv(), want)
	}
	assert.Equal(t, 5, len(b.proxy.Hosts), "hosts %+v", b.proxy.Hosts)
	var reported []string
	b.OnRefused(func(text string) { reported = append(reported, text) })
	b.proxy.Refused("evil.example:443", "why")
	assert.Equal(t, 1, len(reported))
	assert.Contains(t, reported[0], `"evil.example:443" refused: why; allow it with sandbox.hosts`)
	err = f.Admit(&b, providers.Launch{Hosts: []string{"not a host"}})
	assert.Error(t, err, "a host that is none")
	assert.Contains(t, err.Error(), `invalid host "not a host"`, "a host that is none")
	broker, err := f.ForBroker(&b, id)
	if err != nil || !slices.Equal(portsOf(broker), portsOf(b.Wall)) {
		t.Errorf("a command that the agent asks for reaches %v, %v", portsOf(broker), err)
	}
	criteria, err := f.ForCriteria(f.check)
	assert.NoError(t, err)
	assert.Equal(t, []uint16{proxyPort, 5432}, portsOf(criteria.Wall))
	assert.Equal(t, 2, len(criteria.proxy.Hosts))
	got := f.State()
	assert.Equal(t, "models", got.Network)
	assert.HasSuffix(t, got.String(), "; network: models")
	// The variable alone is not believed where there are other interfaces than that of this machine with itself.
	f.Environ = append(f.Environ, NetworkKey+"=models")
	again, err := f.ForAgent(f.tree, f.state)
	assert.NoError(t, err, "with the variable")
	assert.Equal(t, f.inOwnNetwork(), again.Wall.Network == nil, "with the variable")
	assert.SliceContains(t, again.Env, NetworkKey+"=models", "with the variable")
	assert.NoError(t, f.Admit(&again, launch))
}

// TestNetworkError: agents do not start where they cannot be kept to their model, unless a person has turned off the sandbox.
func TestNetworkError(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings config.SandboxConfig
		prefix   string
		environ  []string
		want     string // "" for no error
	}{
		"no wall, all":                     {config.SandboxConfig{}, "run-", nil, ""},
		"no wall, models":                  {config.SandboxConfig{Network: config.ModelsNetwork}, "run-", nil, "(sandbox.network: models), but there is none: "},
		"turned off by the settings":       {config.SandboxConfig{Network: config.ModelsNetwork, Mode: config.SandboxOff}, "run-", nil, ""},
		"turned off by the environment":    {config.SandboxConfig{Network: config.ModelsNetwork}, "chant/", []string{ModeKey + "=off"}, ""},
		"an environment that is not clear": {config.SandboxConfig{Network: config.ModelsNetwork}, "chant/", []string{ModeKey + "=maybe"}, "invalid CHANT_SANDBOX"},
	} {
		f := newFixture(t, c.settings, c.prefix, c.environ...)
		err := f.NetworkError()
		_, agent := f.ForAgent(f.tree, f.state)
		assert.Equal(t, c.want == "", err == nil, "%s", name)
		assert.False(t, err != nil && !strings.Contains(err.Error(), c.want), "%s: %v, an agent: %v", name, err, agent)
		assert.Equal(t, err == nil, agent == nil, "%s", name)
	}
}
