package sandbox

import (
	"fmt"
	"net"
	"slices"
	"strconv"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/config"
	"chant/providers"
	"chant/providers/proxy"
	"chant/providers/wall"
)

// proxyPort is where the proxy listens in the network of an agent: in the loopback interface of that network nothing else
// does, and the kernel gives no connection a port as high.
const proxyPort = 61801

// NetworkKey is a variable of processes that have a network to themselves, with the value of sandbox.network. chant makes no
// other network for what it starts there.
const NetworkKey = "CHANT_NETWORK"

// networkEnv has programs use the proxy for all but their own servers.
func networkEnv() []string {
	// Node's fetch needs to be asked.
	env := []string{NetworkKey + "=" + string(config.ModelsNetwork), "NODE_USE_ENV_PROXY=1"}
	at := "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(proxyPort))
	// In both cases, since programs disagree about them.
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "YARN_HTTP_PROXY", "YARN_HTTPS_PROXY"} {
		env = append(env, name+"="+at)
	}
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		// A test that starts a server connects to it without the proxy.
		env = append(env, name+"=localhost,127.0.0.1,::1")
	}
	return env
}

// NetworkError returns why an agent cannot be kept to the hosts of its model, as the settings want; nil if they do not, or the
// person has turned off the sandbox.
func (s *Sandbox) NetworkError() error {
	if s.Settings.Network != config.ModelsNetwork {
		return nil
	}
	state := s.State()
	why := state.Why
	if state.InForce {
		err := s.ownNetwork()
		if err == nil {
			return nil
		}
		why = err.Error()
		// The person has turned the sandbox off.
	} else if state.Mode == config.SandboxOff {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonSetup, Next: next.Guide.On("trust"),
		Message: "agents need a network to themselves (sandbox.network: models), but there is none: " + why,
	}
}

// Offline returns the wall of a command of a criterion in a tree with nothing to connect to but its own processes, and not even
// them if down; nil if it has no wall, since the person has turned that off or the tree is the person's. Error: *journal.Failure.
func (s *Sandbox) Offline(around *wall.Policy, tree string, down bool) (*wall.Policy, error) {
	state := s.State()
	why := state.Why
	switch {
	case around != nil:
		err := wall.OwnNetwork()
		if err == nil {
			p := *around
			p.Network = &wall.Network{Empty: true, Down: down}
			if s.Chant != "" {
				p.Network.Enter = []string{s.Chant, "enter", "--"}
			}
			return &p, nil
		}
		why = err.Error()
	case state.Mode == config.SandboxOff:
		return nil, nil
	}
	// What an agent or a person checks in a tree of its own proves nothing, and an agent may have no right to a network.
	if !isCheck(tree) {
		return nil, nil
	}
	return nil, &journal.Failure{
		Kind: spec.ReasonSetup, Next: next.Guide.On("trust"),
		Message: "criteria need a network to themselves (verify.network), but there is none: " + why,
	}
}

// ownNetwork returns why processes can have no network to themselves, nil if they can, or if this process has one already.
func (s *Sandbox) ownNetwork() error {
	// A network in a network is not needed, and often not allowed.
	if s.inOwnNetwork() {
		return nil
	}
	return wall.OwnNetwork()
}

// inOwnNetwork reports whether this process has a network to itself already: it says so, and the loopback interface is all
// there is, as it is nowhere else where a variable could have been set by mistake.
func (s *Sandbox) inOwnNetwork() bool {
	if providers.Variable(s.Environ, NetworkKey) == "" {
		return false
	}
	all, err := net.Interfaces()
	return err == nil && !slices.ContainsFunc(all, func(i net.Interface) bool { return i.Flags&net.FlagUp != 0 && i.Flags&net.FlagLoopback == 0 })
}

// addNetwork gives those behind a wall a network to themselves, from which they reach the hosts of the settings. In one that
// already is such a network, they have that.
func (s *Sandbox) addNetwork(b *Bounds) error {
	b.network = networkEnv()
	b.Env = append(b.Env, b.network...)
	// The proxy of the process that made the network serves this one too.
	if s.inOwnNetwork() {
		return nil
	}
	b.proxy = &proxy.Proxy{}
	b.Wall.Network = &wall.Network{Services: []wall.Service{{Port: proxyPort, Serve: b.proxy.Serve}}}
	if s.Chant != "" {
		b.Wall.Network.Enter = []string{s.Chant, "enter", "--"}
	}
	return b.allowHosts(s.Settings.Hosts)
}

// allowHosts allows further hosts. Those that are this machine have their ports in the network, too, since programs ask no proxy
// for them.
func (b *Bounds) allowHosts(hosts []string) error {
	// Without a network of its own there is nothing to allow.
	if b.proxy == nil {
		return nil
	}
	for _, text := range hosts {
		h, err := proxy.Parse(text)
		if err != nil {
			return &journal.Failure{Kind: spec.ReasonSetup, Message: err.Error(), Next: next.Config.On().Flag("validate")}
		}
		b.proxy.Hosts = append(b.proxy.Hosts, h)
		port, address, local := h.Local()
		// Two hosts can be the same port of this machine.
		taken := slices.ContainsFunc(b.Wall.Network.Services, func(s wall.Service) bool { return s.Port == port })
		if local && !taken {
			b.Wall.Network.Services = append(b.Wall.Network.Services, wall.Service{Port: port, Serve: proxy.Forward(address)})
		}
	}
	return nil
}

// OnRefused has a function called with each connection, in words, that the network does not allow, once. It must be called
// before anything starts.
func (b *Bounds) OnRefused(report func(text string)) {
	if b.proxy != nil {
		b.proxy.Refused = func(target, why string) {
			report(fmt.Sprintf("connection to %q refused: %s; allow it with sandbox.hosts", target, why))
		}
	}
}

// NetworkEnv are those variables of Env by which programs use the network.
func (b *Bounds) NetworkEnv() []string { return b.network }
