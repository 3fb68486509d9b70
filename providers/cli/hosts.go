package cli

import (
	"net"
	"net/url"
	"slices"

	"chant/providers"
)

// hosts lists the hosts of the model's API and of the login in the environment of an agent.
func (d Definition) hosts(env []string) []string {
	all := slices.Clone(d.Hosts)
	urls := []string{d.Endpoint}
	for _, name := range d.URLs {
		urls = append(urls, providers.Variable(env, name))
	}
	for _, text := range urls {
		if host := hostOf(text); host != "" && !slices.Contains(all, host) {
			all = append(all, host)
		}
	}
	return all
}

// hostOf returns the host of a URL with its port, "" if there is none: the CLI reports what is wrong with its URL.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	case u.Scheme == "http":
		port = "80"
	default:
		return ""
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Hosts of APIs of models that more than one CLI asks.
const (
	anthropicHost = "api.anthropic.com"
	openAIHost    = "api.openai.com"
	geminiHost    = "generativelanguage.googleapis.com"
)
