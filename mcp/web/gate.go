package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Gate says who may use a server.
type Gate struct {
	Token  string   // bearer token to be shown; empty = none is asked for
	Hosts  []string // names, beside the loopback ones, by which the server is reached
	Public string   // the path that needs no token
	// Refuse answers a request that is turned away.
	Refuse func(w http.ResponseWriter, status int, why string)
}

// Guard turns away what a web page or a stranger could send: requests for another host, from pages of another origin,
// or without the token.
func (g Gate) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !g.known(r.Host):
			g.Refuse(w, http.StatusForbidden, "host is not allowed")
		case !g.knownOrigin(r.Header.Get("Origin")):
			g.Refuse(w, http.StatusForbidden, "origin is not allowed")
		case r.URL.Path != g.Public && !g.authorized(r):
			w.Header().Set("WWW-Authenticate", "Bearer")
			g.Refuse(w, http.StatusUnauthorized, "bearer token is missing or wrong")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// known reports whether a Host header names this machine's loopback or a host that
// the gate allows.
func (g Gate) known(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	named := func(other string) bool { return strings.EqualFold(name, other) }
	if named("localhost") || slices.ContainsFunc(g.Hosts, named) {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// knownOrigin reports whether a page may call; what is not a page sends no origin.
func (g Gate) knownOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && g.known(u.Host)
}

func (g Gate) authorized(r *http.Request) bool {
	if g.Token == "" {
		return true
	}
	scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(shown), []byte(g.Token)) == 1
}
