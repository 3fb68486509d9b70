package node

import (
	"net"
	"strings"

	"chant/engine"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/config"
)

// slotsMost limits how many specs a machine works at once.
const slotsMost = 1000

// check refuses what no hub can use, before anything is started.
func (in UpInput) check() error {
	help := next.FleetUp.Help()
	if in.Listen != "" {
		if err := checkAddress(in.Listen); err != nil {
			return engine.Fail(engine.Usage, help, "%s", err)
		}
	}
	for _, host := range in.Hosts {
		if net.ParseIP(host) == nil && !isHostName(host) {
			return engine.Fail(engine.Usage, help, "invalid host %q (use a name or an address without a port)", host)
		}
	}
	if err := in.Observation.check(help); err != nil {
		return err
	}
	return checkNode(help, in.Name, in.Project, in.Slots, in.Labels)
}

// check refuses what no machine can join with, before anything is started.
func (in JoinInput) check() error {
	help := next.FleetJoin.Help()
	if isServer(in.From) {
		if err := config.CheckServers(in.From); err != nil {
			return engine.Fail(engine.Usage, help, "%s", err)
		}
	}
	if strings.HasPrefix(in.Remote, "-") || strings.TrimSpace(in.Remote) != in.Remote {
		return engine.Fail(engine.Usage, help, "invalid remote %q (use an address that git can clone)", in.Remote)
	}
	if err := in.Observation.check(help); err != nil {
		return err
	}
	return checkNode(help, in.Name, in.Project, in.Slots, in.Labels)
}

// checkNode refuses what no node of a fleet can be. Names may be empty.
func checkNode(help next.Step, name, project string, slots int, labels []string) error {
	if slots < 0 || slots > slotsMost {
		return engine.Fail(engine.Usage, help, "invalid number of slots %d (use 0 to %d)", slots, slotsMost)
	}
	for _, label := range labels {
		if err := spec.CheckLabel(label); err != nil {
			return engine.Fail(engine.Usage, help, "%s", err)
		}
	}
	if project != "" {
		if _, err := jetstream.ParseProject(project); err != nil {
			return engine.Fail(engine.Usage, help, "%s", err)
		}
	}
	if name == "" {
		return nil
	}
	return nodeName(name)
}

// checkConnection refuses the address and the files of a membership with which no connection is possible.
func (m Membership) checkConnection() error {
	if err := config.CheckServers(m.URL); err != nil {
		return engine.Fail(engine.Invalid, next.Guide.On("fleet"), "%s", err)
	}
	if err := jetstream.Check(m.options()); err != nil {
		return m.problem(err)
	}
	return nil
}

// isServer reports whether a text is meant as the address of a server, not as the path of a file.
func isServer(text string) bool { return strings.Contains(text, "://") }
