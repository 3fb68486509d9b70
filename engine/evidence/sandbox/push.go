package sandbox

import (
	"context"
	"net/url"
	"slices"
	"strings"
)

// refusedAddress begins the address to which git pushes in place of a remote. It leads nowhere, and git prints it.
const refusedAddress = "/dev/null/agents do not push, chant lands their work; sandbox.push allows it/"

// pushSettings are settings of git with which pushing to the repository's remotes is refused, unless the settings allow it:
// what is pushed there is verified by nothing. Other repositories, such as those that tests make, are not concerned.
func (s *Sandbox) pushSettings() ([][2]string, error) {
	if s.Settings.Push {
		return nil, nil
	}
	fetched, pushed, err := s.Repo.RemoteAddresses(context.Background())
	if err != nil {
		return nil, err
	}
	var out [][2]string
	for _, prefix := range spellings(slices.Concat(fetched, pushed)) {
		out = append(out, [2]string{"url." + refusedAddress + ".pushInsteadOf", prefix})
	}
	// Of an address for pushing alone, git replaces only what it also would for fetching, so nothing is fetched from it.
	for _, address := range pushed {
		out = append(out, [2]string{"url." + refusedAddress + ".insteadOf", address})
	}
	return out, nil
}

// spellings lists addresses, and how else they can be written if they name a host: by each protocol, up to the host. The
// whole address is kept, since of several settings git obeys that with the longest match.
func spellings(addresses []string) []string {
	var out []string
	add := func(prefix string) {
		if !slices.Contains(out, prefix) {
			out = append(out, prefix)
		}
	}
	for _, address := range addresses {
		add(address)
		host, user := hostOf(address)
		if host == "" {
			continue
		}
		// A host may be written with or without its port.
		name, _, _ := strings.Cut(host, ":")
		for _, protocol := range []string{"https", "http", "ssh", "git", "git+ssh"} {
			// A login is often by user, and an address without one may use another.
			for _, at := range []string{"", "git@", user} {
				add(protocol + "://" + at + host + "/")
				add(protocol + "://" + at + name + "/")
			}
		}
		for _, at := range []string{"", "git@", user} {
			add(at + name + ":")
		}
	}
	return out
}

// hostOf returns the host of an address, with its port, and the user in front of it with the "@"; "" for a path.
func hostOf(address string) (host, user string) {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		if u.User != nil {
			user = u.User.String() + "@"
		}
		return u.Host, user
	}
	// The form of scp: a colon before any slash.
	before, _, found := strings.Cut(address, ":")
	if !found || strings.Contains(before, "/") {
		return "", ""
	}
	if i := strings.LastIndexByte(before, '@'); i >= 0 {
		return before[i+1:], before[:i+1]
	}
	return before, ""
}
