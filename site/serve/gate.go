package serve

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// gate decides which requests are answered.
type gate struct {
	host   string // and port, as browsers send them
	folder string // in which all pages are, with a slash before and behind it
	token  string // of the address that is opened first
	cookie *http.Cookie
}

// newGate returns the gate of a server at an address.
func newGate(address string) gate {
	g := gate{host: address, folder: "/" + randomName(8) + "/", token: randomName(32)}
	// It is the address of a listener.
	_, port, _ := net.SplitHostPort(address)
	// The port is part of the name, because other servers of this machine share the cookies of the host.
	g.cookie = &http.Cookie{Name: "chant-" + port, Value: randomName(32), Path: g.folder, HttpOnly: true, SameSite: http.SameSiteStrictMode}
	return g
}

// entry returns the address to open first.
func (g *gate) entry() string { return "http://" + g.host + g.folder + "?token=" + g.token }

// policy allows a page its own scripts, styles, pictures and requests.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard answers requests that may be answered, below the folder of the pages.
func (g *gate) guard(pages http.Handler) http.Handler {
	inside := http.StripPrefix(strings.TrimSuffix(g.folder, "/"), pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Refusals have them too.
		setHeaders(w.Header())
		switch why := g.refusal(r); {
		case why != "":
			refuse(w, why)
		case g.hasToken(r):
			g.admit(w)
		case !g.hasCookie(r):
			refuse(w, "open the address that chant serve has printed: it contains the token of this server")
		default:
			inside.ServeHTTP(w, r)
		}
	})
}

// setHeaders sets the headers of each answer.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	// With no-referrer, browsers send forms without Origin.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

func refuse(w http.ResponseWriter, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	// The client may be gone.
	_, _ = fmt.Fprintln(w, "refused: "+why)
}

// refusal returns why a request is not answered, whatever it shows; "" if it may be.
func (g *gate) refusal(r *http.Request) string {
	origin, from := r.Header.Values("Origin"), r.Header.Get("Sec-Fetch-Site")
	own := len(origin) == 1 && origin[0] == "http://"+g.host
	switch {
	// A page whose name was pointed at this machine sends its own name.
	case r.Host != g.host:
		return fmt.Sprintf("the host is not %s", g.host)
	case len(origin) > 0 && !own:
		return "the origin is another page"
	case r.Method != http.MethodGet && r.Method != http.MethodHead && !own:
		return "the origin is missing"
	// A link in another program opens the address with the token.
	case from != "" && from != "same-origin" && from != "none" && !g.hasToken(r):
		return "another site has sent the request"
	case !strings.HasPrefix(r.URL.Path, g.folder):
		return "there is nothing at this address"
	}
	return ""
}

func (g *gate) hasToken(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Path == g.folder && equalSecrets(r.URL.Query().Get("token"), g.token)
}

func (g *gate) hasCookie(r *http.Request) bool {
	for _, c := range r.CookiesNamed(g.cookie.Name) {
		if equalSecrets(c.Value, g.cookie.Value) {
			return true
		}
	}
	return false
}

func equalSecrets(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// admit sets the cookie, on a page that leads to the first one.
func (g *gate) admit(w http.ResponseWriter) {
	http.SetCookie(w, g.cookie)
	// The address of this page is secret.
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// A page instead of a redirect: with SameSite=Strict, a browser that came from another program sends no cookie with a
	// redirect.
	_, _ = fmt.Fprint(w, `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>chant</title><link rel="icon" href="static/icon.svg"><meta http-equiv="refresh" content="0; url=index.html"></head>
<body><main><p><a href="index.html">Specs</a></p></main></body></html>
`) // the client may be gone
}
