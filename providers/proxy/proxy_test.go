package proxy

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// served is a proxy that serves.
type served struct {
	*Proxy
	address string
	mu      sync.Mutex
	refused []string
	end     func()
}

// serve has a proxy for these hosts listen until the test ends.
func serve(t *testing.T, p *Proxy, hosts ...string) *served {
	t.Helper()
	s := &served{Proxy: p}
	for _, text := range hosts {
		h, err := Parse(text)
		assert.NoError(t, err)
		p.Hosts = append(p.Hosts, h)
	}
	p.Refused = func(target, why string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refused = append(s.refused, target+": "+why)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	ended := make(chan bool)
	go func() {
		defer close(ended)
		p.Serve(l)
	}()
	s.address = l.Addr().String()
	s.end = sync.OnceFunc(func() {
		l.Close()
		<-ended
	})
	t.Cleanup(s.end)
	return s
}

func (s *served) reported() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.refused, "\n")
}

// say sends bytes to a proxy and returns the first line of the answer, and the rest until the proxy ends the connection.
func (s *served) say(t *testing.T, text string) (first, rest string) {
	t.Helper()
	conn, err := net.Dial("tcp", s.address)
	assert.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, text)
	assert.NoError(t, err)
	all, err := io.ReadAll(conn)
	if err != nil && len(all) == 0 {
		return "closed", ""
	}
	first, rest, _ = strings.Cut(string(all), "\r\n")
	return first, rest
}

// names is a resolver that knows these names alone.
func names(t *testing.T, known map[string]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	assert.NoError(t, err)
	ended := make(chan bool)
	t.Cleanup(func() { conn.Close(); <-ended })
	go func() {
		defer close(ended)
		for {
			packet := make([]byte, 1500)
			count, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(packet[:count]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			m.Response, m.Authoritative, m.Additionals = true, true, nil
			to, err := netip.ParseAddr(known[strings.TrimSuffix(q.Name.String(), ".")])
			header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
			switch {
			case err != nil:
				m.RCode = dnsmessage.RCodeNameError
			case to.Is4() && q.Type == dnsmessage.TypeA:
				m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: to.As4()}}}
			case to.Is6() && q.Type == dnsmessage.TypeAAAA:
				m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: to.As16()}}}
			}
			if answer, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// TestServe_targets: only what is named is reached, whatever a client writes.
func TestServe_targets(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "reached as %s", r.Host)
	}))
	t.Cleanup(web.Close)
	_, port, _ := net.SplitHostPort(web.Listener.Addr().String())
	resolver := names(t, map[string]string{
		"named.example": "127.0.0.1", "inside.example": "127.0.0.1", "link.example": "169.254.169.254", "private.example": "10.0.0.1", "six.example": "::1",
		"mapped.example": "::ffff:10.0.0.1", "any.example": "0.0.0.0", "a.wide.example": "127.0.0.1", "site.example": "fd00::1", "translated.example": "64:ff9b::a00:1",
	})
	// The address of the server is named, so that a name may lead to it.
	s := serve(t, &Proxy{resolver: resolver}, "127.0.0.1:"+port, "named.example:"+port, "*.wide.example:"+port,
		"inside.example", "link.example", "private.example", "six.example", "mapped.example", "any.example", "site.example", "translated.example")
	const (
		ok, refused, bad = "HTTP/1.1 200 OK", "HTTP/1.1 403 Forbidden", "HTTP/1.1 400 Bad Request"
		tunnel           = "HTTP/1.1 200 Connection established"
	)
	get := func(url, host string) string {
		return "GET " + url + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"
	}
	connect := func(target string) string {
		return "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n" + get("/", "x.example")
	}
	for name, c := range map[string]struct{ said, want, rest string }{
		"a request":                         {get("http://named.example:"+port+"/", "named.example:"+port), ok, "reached as named.example:" + port},
		"in capitals, with a dot":           {get("http://NAMED.example.:"+port+"/", "x"), ok, "reached as named.example:" + port},
		"a name below":                      {get("http://a.wide.example:"+port+"/", "x"), ok, "reached as a.wide.example"},
		"a tunnel":                          {connect("named.example:" + port), tunnel, "reached as x.example"},
		"a tunnel in capitals, with a dot":  {connect("Named.EXAMPLE.:" + port), tunnel, "reached as x.example"},
		"a tunnel to a named address":       {connect("127.0.0.1:" + port), tunnel, "reached as x.example"},
		"another host":                      {get("http://evil.example:"+port+"/", "named.example:"+port), refused, ""},
		"the header names an allowed host":  {get("http://evil.example/", "named.example"), refused, ""},
		"the header names another host":     {get("http://named.example:"+port+"/", "evil.example"), ok, "reached as named.example:" + port},
		"a tunnel to another host":          {connect("evil.example:443"), refused, ""},
		"a host with the same end":          {connect("evilnamed.example:" + port), refused, ""},
		"a host with the same begin":        {connect("named.example.evil.example:" + port), refused, ""},
		"the name around all names":         {connect("wide.example:" + port), refused, ""},
		"another port":                      {connect("named.example:1"), refused, ""},
		"the port of requests":              {connect("inside.example:80"), refused, ""},
		"a request to the port of tunnels":  {get("http://inside.example:443/", "x"), refused, ""},
		"another address":                   {connect("127.0.0.2:" + port), refused, ""},
		"the address in other words":        {connect("2130706433:" + port), bad, ""},
		"the address in octal":              {connect("0177.0.0.1:" + port), bad, ""},
		"the address in short":              {connect("127.1:" + port), bad, ""},
		"the address, mapped":               {connect("[::ffff:127.0.0.1]:" + port), refused, ""},
		"a user":                            {connect("named.example:" + port + "@evil.example:443"), bad, ""},
		"a user of a request":               {get("http://named.example:"+port+"@evil.example/", "x"), bad, ""},
		"a tunnel with a user":              {connect("user@named.example:" + port), bad, ""},
		"a tunnel with a path":              {connect("named.example:" + port + "/x"), bad, ""},
		"a tunnel to a URL":                 {connect("http://named.example:" + port), bad, ""},
		"a tunnel without a port":           {connect("named.example"), bad, ""},
		"a tunnel to a port in words":       {connect("named.example:http"), bad, ""},
		"another scheme":                    {get("https://named.example:"+port+"/", "x"), bad, ""},
		"the proxy itself":                  {get("/", "named.example:"+port), bad, ""},
		"a name with an escape":             {get("http://named.example%2eevil.example/", "x"), bad, ""},
		"a name with a NUL":                 {connect("named.example\x00.evil.example:" + port), bad, ""},
		"two lengths":                       {"POST http://evil.example/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get("http://evil.example/", "x"), refused, ""},
		"two hosts":                         {"GET http://named.example:" + port + "/ HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", bad, ""},
		"everything":                        {"OPTIONS * HTTP/1.1\r\nHost: named.example\r\nConnection: close\r\n\r\n", bad, ""},
		"an older version":                  {"GET http://evil.example/ HTTP/1.0\r\n\r\n", "HTTP/1.0 403 Forbidden", ""},
		"a second version of HTTP":          {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", bad, ""},
		"a name that leads to this machine": {connect("inside.example:443"), refused, "127.0.0.1, which is not public"},
		"the same by IPv6":                  {connect("six.example:443"), refused, "::1, which is not public"},
		"a name that leads to metadata":     {connect("link.example:443"), refused, "169.254.169.254, which is not public"},
		"a private address":                 {get("http://private.example/", "x"), refused, "10.0.0.1, which is not public"},
		"a private address, mapped":         {connect("mapped.example:443"), refused, "10.0.0.1, which is not public"},
		"a private address of IPv6":         {connect("site.example:443"), refused, "fd00::1, which is not public"},
		"a translated address":              {connect("translated.example:443"), refused, "64:ff9b::a00:1, which is not public"},
		"no address":                        {connect("any.example:443"), refused, "0.0.0.0, which is not public"},
		"a name that is unknown":            {connect("x.wide.example:" + port), "HTTP/1.1 502 Bad Gateway", "no such host"},
		"many headers":                      {"GET http://evil.example/ HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 2*maxHeader) + "\r\n\r\n", "HTTP/1.1 431 Request Header Fields Too Large", ""},
	} {
		first, rest := s.say(t, c.said)
		assert.HasPrefix(t, first, c.want, "%s", name)
		assert.Contains(t, rest, c.rest, "%s", name)
		assert.False(t, c.rest == "" && strings.Contains(rest, "reached"), "%s: %q, %q, want %q with %q", name, first, rest, c.want, c.rest)
	}
	s.end()
	for _, once := range []string{"evil.example:443: it is none of", "private.example:80: it leads to 10.0.0.1", "evilnamed.example:" + port + ":"} {
		got := s.reported()
		assert.Equal(t, 1, strings.Count(got, "\n"+once)+strings.Count(got[:len(once)], once))
	}
}

// TestServe_requestsOfOneConnection: each request of a connection is judged by itself.
func TestServe_requestsOfOneConnection(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }))
	t.Cleanup(web.Close)
	s := serve(t, &Proxy{}, web.Listener.Addr().String())
	conn, err := net.Dial("tcp", s.address)
	assert.NoError(t, err)
	defer conn.Close()
	answers := bufio.NewReader(conn)
	for i, want := range []int{http.StatusOK, http.StatusForbidden, http.StatusOK} {
		url := map[bool]string{true: web.URL, false: "http://evil.example"}[want == http.StatusOK]
		r, err := http.NewRequest(http.MethodPost, url+"/x", strings.NewReader("text "+strconv.Itoa(i)))
		assert.NoError(t, err)
		assert.NoError(t, r.WriteProxy(conn))
		answer, err := http.ReadResponse(answers, r)
		assert.NoError(t, err)
		text, _ := io.ReadAll(answer.Body)
		assert.Equal(t, want, answer.StatusCode, "request %s", answer.Status)
		assert.Equal(t, want == http.StatusOK, string(text) == "text "+strconv.Itoa(i), "request %s", answer.Status)
	}
}

// TestServe_handshake: a tunnel to a server of TLS is for the name that was asked for.
func TestServe_handshake(t *testing.T) {
	t.Parallel()
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "reached") }))
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	web.StartTLS()
	t.Cleanup(web.Close)
	there := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, web.Listener.Addr().String())
	}
	for name, c := range map[string]struct {
		config   *tls.Config
		want     string // "" if the server is reached
		reported string
	}{
		"the same name":      {&tls.Config{ServerName: "named.example"}, "", ""},
		"in capitals":        {&tls.Config{ServerName: "Named.Example"}, "", ""},
		"with a long hello":  {&tls.Config{ServerName: "named.example", NextProtos: []string{strings.Repeat("x", 255), strings.Repeat("y", 255), "http/1.1"}}, "", ""},
		"another name":       {&tls.Config{ServerName: "evil.example"}, "EOF", "evil.example:443: it was asked for in a tunnel to named.example:443"},
		"no name":            {&tls.Config{}, "EOF", "named.example:443: the tunnel did not begin with a TLS handshake"},
		"an address as name": {&tls.Config{ServerName: "127.0.0.1"}, "EOF", "named.example:443: the tunnel did not begin with a TLS handshake"},
	} {
		s := serve(t, &Proxy{connect: there}, "named.example")
		conn, err := net.Dial("tcp", s.address)
		assert.NoError(t, err)
		c.config.InsecureSkipVerify = true
		fmt.Fprint(conn, "CONNECT named.example:443 HTTP/1.1\r\nHost: x\r\n\r\n")
		answer, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, http.StatusOK, answer.StatusCode, "%s", name)
		inside := tls.Client(conn, c.config)
		_, err = io.WriteString(inside, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
		text, _ := io.ReadAll(inside)
		assert.Equal(t, c.want == "", err == nil, "%s: %q", name, text)
		assert.Equal(t, c.want == "", strings.Contains(string(text), "reached"), "%s: %q", name, text)
		conn.Close()
		s.end()
		got := s.reported()
		assert.HasPrefix(t, got, c.reported, "%s: reported", name)
		assert.False(t, c.reported == "" && got != "", "%s: reported %q, want %q", name, got, c.reported)
	}
}

// TestServe_notTLS: what is no handshake does not get to a server of TLS, and neither does a handshake that hides its name.
func TestServe_notTLS(t *testing.T) {
	t.Parallel()
	there, theirs := net.Pipe()
	t.Cleanup(func() { there.Close() })
	s := serve(t, &Proxy{connect: func(context.Context, string, string) (net.Conn, error) { return theirs, nil }}, "named.example")
	got := make(chan string)
	go func() {
		text, _ := io.ReadAll(there)
		got <- string(text)
	}()
	s.say(t, "CONNECT named.example:443 HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
	assert.Equal(t, "", <-got)
}

// TestServerName_hidden: a handshake whose name is hidden is not accepted for the name that can be seen.
func TestServerName_hidden(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	go func() {
		config := &tls.Config{ServerName: "named.example", MinVersion: tls.VersionTLS13, EncryptedClientHelloConfigList: hiddenConfig()}
		_ = tls.Client(here, config).Handshake()
		here.Close()
	}()
	name, read, err := serverName(there)
	there.Close()
	assert.Error(t, err, "%d", len(read))
	assert.Equal(t, "", name, "%d", len(read))
	assert.True(t, read == nil, "%q, %d bytes, %v", name, len(read), err)
}

// hiddenConfig is a list with one configuration of an encrypted handshake, for the public name cover.example (RFC 9849).
func hiddenConfig() []byte {
	key := append([]byte{0, 32}, make([]byte, 32)...)
	key[33] = 9 // a point of the curve
	body := append([]byte{1, 0, 32}, key...)
	body = append(body, 0, 4, 0, 1, 0, 1) // HKDF-SHA256, AES-128-GCM
	body = append(body, 32, 13)
	body = append(body, "cover.example"...)
	body = append(body, 0, 0)
	config := append([]byte{0xfe, 0x0d, 0, byte(len(body))}, body...)
	return append([]byte{0, byte(len(config))}, config...)
}

// TestServe_ends: connections that clients leave open end with the listener.
func TestServe_ends(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	defer l.Close()
	s := serve(t, &Proxy{}, l.Addr().String())
	var conns []net.Conn
	for _, said := range []string{"", "GET http", "CONNECT " + l.Addr().String() + " HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://" + l.Addr().String() + "/ HTTP/1.1\r\nHost: x\r\n\r\n"} {
		conn, err := net.Dial("tcp", s.address)
		assert.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, said)
		assert.NoError(t, err)
		if strings.HasSuffix(said, "\n\r\n") { // both have got there
			there, err := l.Accept()
			assert.NoError(t, err)
			defer there.Close()
		}
		conns = append(conns, conn)
	}
	s.end()
	for i, conn := range conns {
		_, err := io.ReadAll(conn)
		assert.False(t, err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset"), "connection %d: %v", i, err)
	}
}

// TestForward connects with an address until the listener is closed.
func TestForward(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "reached") }))
	t.Cleanup(web.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	ended := make(chan bool)
	go func() {
		defer close(ended)
		Forward(web.Listener.Addr().String())(l)
	}()
	left, err := net.Dial("tcp", l.Addr().String())
	assert.NoError(t, err)
	defer left.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + l.Addr().String())
	assert.NoError(t, err)
	text, _ := io.ReadAll(answer.Body)
	assert.Equal(t, "reached", string(text))
	answer.Body.Close()
	l.Close()
	<-ended
}
