package config

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"chant/engine/spec"
	"chant/providers/secret"
)

// fleetConfig is the section `fleet`: the queue that several machines share. It names files with secrets and never
// contains one.
type fleetConfig struct {
	URL         string                  `yaml:"url" rule:"fleet_url"`           // of the server, or several with commas; empty: no fleet
	Credentials string                  `yaml:"credentials" rule:"secret_file"` // file that proves to the server who this machine is
	CA          string                  `yaml:"ca" rule:"secret_file"`          // file with the certificates that the server is checked with
	Remote      string                  `yaml:"remote" rule:"remote"`           // of git, by which machines exchange branches, origin
	Land        FleetLanding            `yaml:"land" rule:"fleet_landing"`      // how work gets to the target, merge
	Accounts    map[string]fleetAccount `yaml:"accounts"`                       // by provider
}

// fleetAccount is the account that all machines use for a provider.
type fleetAccount struct {
	Starts int `yaml:"starts_per_minute" rule:"count"` // of agents at most, 0 = as many as its server accepts
}

// FleetLanding says how the work of a fleet gets to the target.
type FleetLanding string

// How work lands.
const (
	LandByMerge FleetLanding = "merge" // one machine merges and pushes
	LandByPR    FleetLanding = "pr"    // one machine opens pull requests
)

// Servers lists the addresses of the server, none without a fleet.
func (c *fleetConfig) Servers() []string {
	var out []string
	for _, server := range strings.Split(c.URL, ",") {
		if server = strings.TrimSpace(server); server != "" {
			out = append(out, server)
		}
	}
	return out
}

// parseFleetLanding reads merge or pr.
func parseFleetLanding(text string) (FleetLanding, error) {
	switch l := FleetLanding(text); l {
	case LandByMerge, LandByPR:
		return l, nil
	}
	return "", fmt.Errorf("unknown value %q (one of merge, pr)", spec.Echo(text))
}

// CheckServers refuses a text that is not the address of a NATS server, or several with commas.
func CheckServers(text string) error {
	if text == "" {
		return errors.New("the address of the server is empty")
	}
	_, err := parseFleetURL(text)
	return err
}

// parseFleetURL reads the addresses of a NATS server, or nothing.
func parseFleetURL(text string) (string, error) {
	servers := (&fleetConfig{URL: text}).Servers()
	if len(servers) == 0 && text != "" {
		return "", fmt.Errorf("invalid URL %q (use one such as nats://queue.example.com:4222)", spec.Echo(text))
	}
	for _, server := range servers {
		u, err := url.Parse(server)
		// An address that was pasted with a password must not appear in an error.
		shown := spec.Echo(secret.InSettings(server))
		switch {
		case err == nil && u.User != nil:
			return "", errors.New("an address must not contain a user, password or token (name a file with credentials: fleet.credentials, or --credentials)")
		case err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls":
			return "", fmt.Errorf("invalid URL %q (use one such as nats://queue.example.com:4222 or tls://queue.example.com)", shown)
		case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
			return "", fmt.Errorf("invalid URL %q (after the host there can only be a port)", shown)
		}
	}
	return text, nil
}

// parseSecretFile reads the path of a file whose content must not be in the settings, or nothing.
func parseSecretFile(text string) (string, error) {
	// This is the form of a secret seed of an nkey, which people paste instead of the path of its file.
	seed := len(text) == 58 && text[0] == 'S' && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
	if seed || strings.ContainsAny(text, "\r\n") || strings.Contains(text, "-----BEGIN") || secret.InSettings(text) != text {
		return "", errors.New("use the path of a file, never its content")
	}
	return text, nil
}

// parseRemote reads the name of a remote of git.
func parseRemote(text string) (string, error) {
	// These characters would make it an address, an option of git, or no name of a ref.
	if text == "" || strings.ContainsAny(text, " \t\r\n:@~^?*[\\") || strings.Trim(text, "-/.") != text || strings.Contains(text, "..") {
		return "", fmt.Errorf("%q is not the name of a remote (use one such as origin, never an address)", spec.Echo(secret.InSettings(text)))
	}
	return text, nil
}

// completePath makes a path of the settings that is relative to home absolute. One below ~/ stays.
func completePath(path *string, home string) {
	// ~ is resolved where the file is used, since it is that of the user there.
	if *path != "" && !filepath.IsAbs(*path) && !strings.HasPrefix(*path, "~/") {
		*path = filepath.Join(home, filepath.FromSlash(*path))
	}
}
