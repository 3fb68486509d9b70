package node

import (
	"errors"
	"net"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/config"
)

// checkAddress checks where a server is to listen.
func checkAddress(listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || host == "" || net.ParseIP(host) == nil && !isHostName(host) {
		return errors.New("invalid address " + strconv.Quote(listen) + " (use host:port, such as 127.0.0.1:4222 or 0.0.0.0:4222)")
	}
	return nil
}

// isHostName reports whether a text has the form of the name of a host.
func isHostName(text string) bool {
	if text == "" || len(text) > 253 {
		return false
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(text, "."), ".") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" || strings.HasPrefix(part, "-") {
			return false
		}
	}
	return true
}

// publicHost returns the host by which other machines reach a server: the first one that was named, now or the last time,
// else where it listens, and an address of this machine where it listens on all of them.
func publicHost(listen string, named []string, last string) string {
	if len(named) > 0 {
		return named[0]
	}
	if _, address, found := strings.Cut(last, "://"); found {
		if host, _, err := net.SplitHostPort(address); err == nil {
			return host
		}
	}
	// Its form was checked before.
	host, _, _ := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		return append(addresses(), hostName())[0]
	}
	return host
}

// addresses lists those by which other machines may reach this one, IPv4 first.
func addresses() []string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil // the name of the machine remains
	}
	var four, six []string
	for _, a := range all {
		n, ok := a.(*net.IPNet)
		switch {
		case !ok || !n.IP.IsGlobalUnicast():
		case n.IP.To4() != nil:
			four = append(four, n.IP.String())
		default:
			six = append(six, n.IP.String())
		}
	}
	return append(four, six...)
}

// ownAddress is how this machine reaches a server that listens on a host of it.
func ownAddress(host string) string {
	ip := net.ParseIP(host)
	switch {
	case ip == nil || !ip.IsUnspecified():
		return host
	case ip.To4() == nil:
		return "::1"
	}
	return "127.0.0.1"
}

// isLoopback reports whether a host is reached by processes of this machine only.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// isLocal reports whether the address of a server, scheme://host:port, is reached by processes of this machine only.
func isLocal(url string) bool {
	_, address, _ := strings.Cut(url, "://")
	host, _, err := net.SplitHostPort(address)
	return err == nil && isLoopback(host)
}

// maxSlots limits how many specs a machine works at once.
const maxSlots = 1000

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
	if slots < 0 || slots > maxSlots {
		return engine.Fail(engine.Usage, help, "invalid number of slots %d (use 0 to %d)", slots, maxSlots)
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
	// Files of keys are read here once, so that a wrong path is an error of this call and not of the connection.
	if err := jetstream.Check(m.options()); err != nil {
		return m.problem(err)
	}
	return nil
}

// isServer reports whether a text is meant as the address of a server, not as the path of a file.
func isServer(text string) bool { return strings.Contains(text, "://") }
