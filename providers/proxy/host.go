package proxy

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Host is an allowed destination: a name, all names below one, or an address.
type Host struct {
	name  string // in lower case, without a dot at the end; an address in its usual form
	below bool   // the names below it, and not itself
	port  uint16 // 0 = 443 for tunnels, 80 for requests
}

// Parse reads a host: NAME, *.NAME or an address, each with :PORT if it is another than 80 and 443.
func Parse(text string) (Host, error) {
	invalid := fmt.Errorf("invalid host %q (use a name, *.name or an address, with :port if it is not 80 or 443)", text)
	h := Host{name: text}
	if name, port, err := net.SplitHostPort(text); err == nil {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 {
			return Host{}, invalid
		}
		h.name, h.port = name, uint16(number)
	} else if inner, found := strings.CutPrefix(text, "["); found {
		h.name = strings.TrimSuffix(inner, "]")
	}
	h.name = canonicalHost(h.name)
	if name, found := strings.CutPrefix(h.name, "*."); found {
		h.name, h.below = name, true
	}
	address := isAddress(h.name)
	if !address && !isName(h.name) || address && h.below {
		return Host{}, invalid
	}
	// A service of this machine needs a port, or all of them could be reached.
	if h.isLocal() && h.port == 0 {
		return Host{}, fmt.Errorf("host %q needs a port (such as %s:8080): it is this machine", text, text)
	}
	return h, nil
}

// Local returns the port of a host that is this machine, and its address; false for any other host.
func (h Host) Local() (port uint16, address string, local bool) {
	return h.port, net.JoinHostPort(h.name, strconv.Itoa(int(h.port))), h.isLocal()
}

func (h Host) isLocal() bool {
	address, err := netip.ParseAddr(h.name)
	return h.name == localhost || err == nil && address.IsLoopback()
}

// localhost is the name of the loopback interface.
const localhost = "localhost"

// allows reports whether a name or an address may be reached at a port. usual is the port that needs no mention.
func (h Host) allows(name string, port, usual uint16) bool {
	if h.port != port && (h.port != 0 || port != usual) {
		return false
	}
	if h.below {
		return strings.HasSuffix(name, "."+h.name) && !isAddress(name)
	}
	return name == h.name
}

// canonicalHost writes a name or an address as it is compared.
func canonicalHost(name string) string {
	if address, err := netip.ParseAddr(name); err == nil {
		return address.String()
	}
	return strings.ToLower(strings.TrimSuffix(name, "."))
}

func isAddress(name string) bool {
	address, err := netip.ParseAddr(name)
	return err == nil && address.Zone() == ""
}

// maxHostName is that of the domain name system, in bytes.
const maxHostName = 253

// isName reports whether a text is a name of the domain name system. One that ends in a number is none, since resolvers may
// take it for an address.
func isName(text string) bool {
	labels := strings.Split(text, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	// A resolver may take a name that ends in a number for an address.
	last := labels[len(labels)-1]
	_, err := strconv.ParseUint(last, 0, 64)
	return err != nil && len(text) <= maxHostName
}
