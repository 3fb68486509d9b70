package forge

import (
	"fmt"
	"net/url"
	"strings"
)

// Place is a repository on a forge.
type Place struct {
	Host string // with a port if the address is one of HTTP and has one
	Path string // such as team/app, without slashes at its ends
}

// AddressError reports an address of a remote that no forge can have.
type AddressError struct{ Address string }

// Error names the address.
func (e *AddressError) Error() string {
	return fmt.Sprintf("%q is not the address of a repository on a forge", e.Address)
}

// ParseAddress reads the address of a remote, in any form that git takes for another host. Error: *AddressError.
func ParseAddress(address string) (Place, error) {
	refused := &AddressError{Address: withoutLogin(address)}
	host, path, ok := split(address)
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	parts := strings.Split(path, "/")
	if !ok || host == "" || len(parts) < 2 {
		return Place{}, refused
	}
	for _, part := range append(parts, host) {
		if part == "" || part == "." || part == ".." || strings.HasPrefix(part, "-") || strings.ContainsFunc(part, strange) {
			return Place{}, refused
		}
	}
	return Place{Host: strings.ToLower(host), Path: path}, nil
}

// split returns the host and the path of an address; false for a path of this machine.
func split(address string) (host, path string, ok bool) {
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil || u.RawQuery != "" || u.Fragment != "" {
			return "", "", false
		}
		switch u.Scheme {
		case "https", "http":
			return u.Host, u.Path, true
		case "ssh", "git", "git+ssh", "ssh+git":
			return u.Hostname(), u.Path, true // its port is not that of the forge
		}
		return "", "", false
	}
	host, path, ok = strings.Cut(address, ":") // as ssh writes it
	if _, after, login := strings.Cut(host, "@"); login {
		host = after
	}
	return host, path, ok && len(host) > 1 && !strings.ContainsAny(host, `/\`) // one letter is a drive of Windows
}

// strange reports whether a character is in no name of a host, group or repository.
func strange(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	return !letter && !strings.ContainsRune("-._~+:", r)
}

// withoutLogin returns an address without user and password.
func withoutLogin(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		return address
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}
