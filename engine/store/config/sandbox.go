package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chant/engine/spec"
	"chant/providers/proxy"

	"go.yaml.in/yaml/v3"
)

// SandboxMode says whether agents and criteria run behind a wall.
type SandboxMode string

// The modes of the sandbox.
const (
	SandboxAuto SandboxMode = "auto" // where the system supports it
	SandboxOn   SandboxMode = "on"   // always; without a wall nothing runs
	SandboxOff  SandboxMode = "off"  // never
)

// parseSandboxMode reads auto, on or off.
func parseSandboxMode(text string) (SandboxMode, error) {
	switch mode := SandboxMode(text); mode {
	case SandboxAuto, SandboxOn, SandboxOff:
		return mode, nil
	// YAML reads on and off as truth values, and people write them for this key.
	case "true":
		return SandboxOn, nil
	case "false":
		return SandboxOff, nil
	}
	return "", fmt.Errorf("invalid sandbox %q (use auto, on or off)", spec.Echo(text))
}

// Caches says which caches of tools the commands of criteria have.
type Caches string

// The caches of criteria.
const (
	CachesShared Caches = "shared" // one for all checks of the repository
	CachesOwn    Caches = "own"    // an empty one for each command
)

// parseCaches reads shared or own.
func parseCaches(text string) (Caches, error) {
	switch c := Caches(text); c {
	case CachesShared, CachesOwn:
		return c, nil
	}
	return "", fmt.Errorf("%q is not shared or own", text)
}

// Network says what agents may connect to: TCP ports, or hosts; "" = everything.
type Network string

// Ports returns the ports to which agents may connect; limited is false if there is no limit.
func (n Network) Ports() (ports []uint16, limited bool) {
	switch n {
	case "", ModelsNetwork:
		return nil, false
	case NoNetwork:
		return nil, true
	}
	for _, word := range strings.Split(string(n), ",") {
		port, err := strconv.ParseUint(word, 10, 16)
		if err == nil {
			ports = append(ports, uint16(port))
		}
	}
	return ports, true
}

// The networks that are words.
const (
	NoNetwork     Network = "none"   // no connection by TCP
	ModelsNetwork Network = "models" // nothing but the hosts of the provider's model and those of the settings
)

// String is the word or the list of ports in the settings.
func (n Network) String() string { return cmp.Or(string(n), "all") }

// UnmarshalYAML reads all, none, models, a port or a list of ports.
func (n *Network) UnmarshalYAML(node *yaml.Node) error {
	items := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		items = node.Content
	}
	var ports []string
	for _, item := range items {
		port, err := strconv.ParseUint(item.Value, 10, 16)
		switch {
		case node.Kind == yaml.ScalarNode && item.Value == "all":
			*n = ""
			return nil
		case node.Kind == yaml.ScalarNode && (item.Value == string(NoNetwork) || item.Value == string(ModelsNetwork)):
			*n = Network(item.Value)
			return nil
		case item.Kind != yaml.ScalarNode || err != nil || port == 0:
			return fmt.Errorf("line %d: invalid network %q (use all, none, models or a list of TCP ports)", item.Line, spec.Echo(item.Value))
		}
		ports = append(ports, strconv.FormatUint(port, 10))
	}
	// An empty list allows nothing, where a missing key allows everything.
	if len(ports) == 0 {
		*n = NoNetwork
		return nil
	}
	slices.Sort(ports)
	*n = Network(strings.Join(slices.Compact(ports), ","))
	return nil
}

// Hosts are hosts that may be reached, as package proxy reads them.
type Hosts []string

// UnmarshalYAML reads a host or a list of hosts.
func (h *Hosts) UnmarshalYAML(node *yaml.Node) error {
	var all spec.StringList
	if err := node.Decode(&all); err != nil {
		return err
	}
	for _, text := range all {
		if _, err := proxy.Parse(text); err != nil {
			return fmt.Errorf("line %d: %w", node.Line, err)
		}
	}
	*h = Hosts(all)
	return nil
}

// SandboxConfig is the section `sandbox` of the settings, or its mode alone.
type SandboxConfig struct {
	Mode    SandboxMode     `yaml:"mode" rule:"sandbox"`
	Write   spec.StringList `yaml:"write"`   // paths that agents may write too
	Checks  spec.StringList `yaml:"checks"`  // paths that criteria may write too
	Read    spec.StringList `yaml:"read"`    // the only paths beside the system's that agents may read
	Network Network         `yaml:"network"` // of agents
	Hosts   Hosts           `yaml:"hosts"`   // that ModelsNetwork allows beside those of the provider
	Caches  Caches          `yaml:"caches" rule:"caches"`
	Push    bool            `yaml:"push"` // whether agents and criteria may push to the remotes

	Secrets []string `yaml:"-"` // files that other settings name and that neither agents nor criteria may read
}

// sandboxForm has the keys of sandbox, which may be a single word.
type sandboxForm SandboxConfig

// UnmarshalYAML reads a mode, or a mapping with further settings. Its error names the line.
func (c *SandboxConfig) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode {
		// The second type has no UnmarshalYAML, so that decoding does not call this function again.
		form := sandboxForm(*c)
		if err := node.Decode(&form); err != nil {
			return err
		}
		*c = SandboxConfig(form)
		if c.Mode == "" {
			c.Mode = SandboxAuto
		}
	} else {
		c.Mode = SandboxMode(node.Value)
	}
	mode, err := parseSandboxMode(string(c.Mode))
	if err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	c.Mode = mode
	if c.Caches, err = parseCaches(string(cmp.Or(c.Caches, CachesShared))); err != nil {
		return fmt.Errorf("line %d: sandbox.caches: %w", node.Line, err)
	}
	return c.checkPaths(node)
}

// checkPaths refuses paths that no rule can be made for.
func (c *SandboxConfig) checkPaths(node *yaml.Node) error {
	var wrong []error
	for _, list := range []spec.StringList{c.Write, c.Checks, c.Read} {
		for _, path := range list {
			if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "~/") {
				wrong = append(wrong, fmt.Errorf("line %d: path %q is neither absolute nor below ~/", node.Line, spec.Echo(path)))
			}
		}
	}
	return errors.Join(wrong...)
}
