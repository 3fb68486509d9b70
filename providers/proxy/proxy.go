package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"strconv"
	"sync"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
	"golang.org/x/net/netutil"
)

// How long a client may take to say what it wants, and a server to accept a connection.
const (
	requestLimit = 30 * time.Second
	dialLimit    = 30 * time.Second
)

const (
	maxConnections = 256      // at once, to one listener; the others wait
	maxHeader      = 64 << 10 // of a request, in bytes
	maxRefused     = 100      // that are reported
)

// Ports that need no mention.
const (
	tunnelPort  = 443
	requestPort = 80
)

// Proxy is an HTTP proxy for named hosts. Its fields must not change while it serves.
type Proxy struct {
	Hosts []Host
	// Refused, if set, gets each target that is refused, once, and why. It is called from many goroutines, one at a time.
	Refused func(target, why string)

	resolver *net.Resolver // nil = the system's
	connect  func(ctx context.Context, network, target string) (net.Conn, error)
	turn     sync.Mutex // of those who report
	reported map[string]bool
}

// Serve answers all requests that come to a listener until that is closed.
func (p *Proxy) Serve(l net.Listener) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var open requests
	s := http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// A request must not begin after the end of all was waited for.
			if open.begin() {
				defer open.end()
				p.answer(w, r)
			}
		}),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: requestLimit, MaxHeaderBytes: maxHeader, DisableGeneralOptionsHandler: true,
		// It would be about clients that do not use HTTP.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	// The error is that the listener was closed.
	_ = s.Serve(netutil.LimitListener(l, maxConnections))
	// This ends tunnels, which the server does not know.
	cancel()
	// Nothing can be done about a connection that does not close.
	_ = s.Close()
	open.close()
}

// requests counts those that are being answered.
type requests struct {
	mu     sync.Mutex
	closed bool
	all    sync.WaitGroup
}

// begin reports whether one more may begin.
func (r *requests) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.all.Add(1)
	}
	return !r.closed
}

func (r *requests) end() { r.all.Done() }

// close waits for the end of all, and has none begin.
func (r *requests) close() {
	r.mu.Lock()
	// Setting this under the lock before waiting keeps the counter from rising again.
	r.closed = true
	r.mu.Unlock()
	r.all.Wait()
}

// unnamed is why most targets are refused.
const unnamed = "it is none of the hosts that the provider and sandbox.hosts name"

// answer passes a request on, or refuses it.
func (p *Proxy) answer(w http.ResponseWriter, r *http.Request) {
	name, port, err := targetOf(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	usual := uint16(requestPort)
	if r.Method == http.MethodConnect {
		usual = tunnelPort
	}
	switch {
	case !p.allows(name, port, usual):
		p.refuse(join(name, port), unnamed)
		http.Error(w, fmt.Sprintf("chant: %s: %s", join(name, port), unnamed), http.StatusForbidden)
	case r.Method == http.MethodConnect:
		p.tunnel(w, r, name, port)
	default:
		p.forward(w, r, name, port)
	}
}

// targetOf returns the host that a request is for. The line of the request decides; what else a client says of its host does
// not count, and neither are there users in front of a host.
func targetOf(r *http.Request) (name string, port uint16, err error) {
	host, text := r.URL.Hostname(), r.URL.Port()
	if r.Method == http.MethodConnect {
		// Only the line of the request counts: another host in a header would pass the check and reach the wrong server.
		if host, text, err = net.SplitHostPort(r.RequestURI); err != nil || r.URL.Host != r.RequestURI {
			return "", 0, errors.New("chant: a tunnel is for HOST:PORT")
		}
	} else if r.URL.Scheme != "http" || r.URL.User != nil || host == "" {
		return "", 0, errors.New("chant: a request to a proxy is for http://HOST/ and has no user")
	} else if text == "" {
		text = strconv.Itoa(requestPort)
	}
	number, err := strconv.ParseUint(text, 10, 16)
	if name = canonicalHost(host); err != nil || !isName(name) && !isAddress(name) {
		return "", 0, errors.New("chant: the request has no valid host and port")
	}
	return name, uint16(number), nil
}

func join(name string, port uint16) string { return net.JoinHostPort(name, strconv.Itoa(int(port))) }

func (p *Proxy) allows(name string, port, usual uint16) bool {
	for _, h := range p.Hosts {
		if h.allows(name, port, usual) {
			return true
		}
	}
	return false
}

// refuse reports a target that was refused, if it was not reported before.
func (p *Proxy) refuse(target, why string) {
	p.turn.Lock()
	defer p.turn.Unlock()
	// A client that tries many hosts must not fill the log.
	if p.reported[target] || p.Refused == nil || len(p.reported) >= maxRefused {
		return
	}
	if p.reported == nil {
		p.reported = map[string]bool{}
	}
	p.reported[target] = true
	p.Refused(target, why)
}

// privateError is that a name leads to an address that is not public.
type privateError struct{ address netip.Addr }

func (e *privateError) Error() string {
	return fmt.Sprintf("it leads to %s, which is not public and not among the hosts itself", e.address)
}

// dial connects to an allowed target. Error: a *privateError, or that of the network.
func (p *Proxy) dial(ctx context.Context, network, target string) (net.Conn, error) {
	name, _, err := net.SplitHostPort(target)
	if err != nil {
		return nil, err
	}
	if p.connect != nil {
		return p.connect(ctx, network, target)
	}
	d := net.Dialer{Timeout: dialLimit, Resolver: p.resolver}
	// The system calls this for each address before it connects, so what was looked up is what is dialled.
	d.Control = func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		named := p.allows(to.Addr().String(), to.Port(), tunnelPort) || p.allows(to.Addr().String(), to.Port(), requestPort)
		// A name that is allowed may lead to an address of this machine or its network.
		if named || name == localhost && to.Addr().IsLoopback() || ssrf.New().SafeAddr(to.Addr()) == nil {
			return nil
		}
		return &privateError{to.Addr()}
	}
	return d.DialContext(ctx, network, target)
}

// fail answers that a target could not be reached.
func (p *Proxy) fail(w http.ResponseWriter, target string, err error) {
	if private, is := errors.AsType[*privateError](err); is {
		p.refuse(target, private.Error())
		http.Error(w, fmt.Sprintf("chant: %s: %s", target, private), http.StatusForbidden)
		return
	}
	http.Error(w, "chant: "+err.Error(), http.StatusBadGateway)
}

// forward passes a request of plain HTTP on.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, name string, port uint16) {
	target := join(name, port)
	// An answer may begin before the end of the request was seen. Otherwise the server would close the request then, with which
	// the transport closes the connection: one in forty answers broke off on a busy machine.
	if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
		p.fail(w, target, err)
		return
	}
	// The client chooses the encoding, and connections are not kept, since each is for one allowed target.
	transport := &http.Transport{DialContext: p.dial, DisableKeepAlives: true, DisableCompression: true}
	through := httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Host, r.Out.Host = target, target
			// Servers compare this header with their name, which has no port for the usual one.
			if port == requestPort {
				r.Out.Host = r.Out.URL.Hostname()
				if address, err := netip.ParseAddr(name); err == nil && address.Is6() {
					r.Out.Host = "[" + name + "]"
				}
			}
		},
		Transport: transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { p.fail(w, target, err) },
	}
	through.ServeHTTP(w, r)
}

// tunnel connects a client with a server.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request, name string, port uint16) {
	target := join(name, port)
	// The server is connected before the client gets its answer, or a failure could not be answered with HTTP any more.
	there, err := p.dial(r.Context(), "tcp", target)
	if err != nil {
		p.fail(w, target, err)
		return
	}
	defer there.Close()
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		// The client is gone.
		return
	}
	defer here.Close()
	defer closeAtEnd(r.Context(), here, there)()
	// The limits of the request would otherwise end the tunnel.
	if here.SetDeadline(time.Time{}) != nil {
		return
	}
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	// The addresses of large networks serve all their customers and answer for the name in the handshake, so that is
	// compared, too.
	if port == tunnelPort && !isAddress(name) {
		if here.SetReadDeadline(time.Now().Add(requestLimit)) != nil {
			return
		}
		asked, hello, err := serverName(buffered)
		switch {
		case err == nil && canonicalHost(asked) == name:
		case asked != "":
			p.refuse(join(canonicalHost(asked), port), "it was asked for in a tunnel to "+target)
			return
		default:
			p.refuse(target, "the tunnel did not begin with a TLS handshake that names the host")
			return
		}
		// What was read for the check belongs to the server. From here on a connection may be silent: a model may think for
		// long.
		if _, err := there.Write(hello); err != nil || here.SetReadDeadline(time.Time{}) != nil {
			return
		}
	}
	exchange(here, buffered, there)
}

// closeAtEnd closes connections when a context ends. The function that it returns must be called.
func closeAtEnd(ctx context.Context, connections ...net.Conn) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		for _, c := range connections {
			c.Close()
		}
	})
}

// exchange copies what two sides send to each other, until both have ended.
func exchange(here net.Conn, fromHere io.Reader, there net.Conn) {
	var both sync.WaitGroup
	both.Go(func() { copyAndClose(there, fromHere) })
	both.Go(func() { copyAndClose(here, there) })
	both.Wait()
}

// copyAndClose copies to a connection, and then says that nothing more comes. Errors end the connection, which both sides see.
func copyAndClose(to net.Conn, from io.Reader) {
	if _, err := io.Copy(to, from); err != nil {
		to.Close()
		return
	}
	// The other direction may still have something to send.
	if half, is := to.(interface{ CloseWrite() error }); !is || half.CloseWrite() != nil {
		to.Close()
	}
}

// Forward returns a function that connects all who come to a listener with an address, until the listener is closed.
func Forward(address string) func(net.Listener) {
	return func(l net.Listener) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var open sync.WaitGroup
		defer open.Wait()
		// This runs before the wait: what is open ends with the listener.
		defer cancel()
		limited := netutil.LimitListener(l, maxConnections)
		for {
			here, err := limited.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer here.Close()
				d := net.Dialer{Timeout: dialLimit}
				there, err := d.DialContext(ctx, "tcp", address)
				if err != nil {
					return
				}
				defer there.Close()
				defer closeAtEnd(ctx, here, there)()
				exchange(here, here, there)
			})
		}
	}
}
