package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestProxy_answersEarly has a server begin its answer before the end of the request: neither of them breaks off.
func TestProxy_answersEarly(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := make([]byte, 5)
		_, err := io.ReadFull(r.Body, begin)
		both := http.NewResponseController(w)
		if err != nil || both.EnableFullDuplex() != nil {
			t.Errorf("the beginning of the request: %q, %v", begin, err)
		}
		fmt.Fprintf(w, "%s, ", begin)
		if err := both.Flush(); err != nil {
			t.Error(err)
		}
		rest, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s: %v", rest, err)
	}))
	defer web.Close()
	host := strings.TrimPrefix(web.URL, "http://")
	s := serve(t, &Proxy{}, host)
	conn, err := net.Dial("tcp", s.address)
	assert.NoError(t, err)
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil { // of a proxy that waits for the rest
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST %s/ HTTP/1.1\r\nHost: %s\r\nContent-Length: 10\r\n\r\nbegin", web.URL, host)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	assert.NoError(t, err)
	defer res.Body.Close()
	fmt.Fprint(conn, " ends")
	got, err := io.ReadAll(res.Body)
	assert.NoError(t, err)
	assert.Equal(t, "begin,  ends: <nil>", string(got))
}
