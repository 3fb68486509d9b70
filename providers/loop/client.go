package loop

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"chant/providers/secret"
)

// asker sends a conversation in one wire form and reads the answer to its end. Errors:
// *statusError, *brokenError, errTooLong, errPrint, ctx's own.
type asker interface {
	ask(ctx context.Context, c conversation) (answer, error)
}

// statusError is a server's refusal in its own words.
type statusError struct {
	code       int
	words      string
	retryAfter time.Duration // 0 = the server did not say
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("the server answered %d %s: %s", e.code, http.StatusText(e.code), cmp.Or(e.words, "nothing more"))
	if e.retryAfter > 0 {
		text += fmt.Sprintf("; retry after %.0f seconds", math.Ceil(e.retryAfter.Seconds()))
	}
	return text
}

// brokenError is an answer that never came, or not to its end.
type brokenError struct {
	why  string
	code int // that the server names for it as it would for a refusal, 0 = none
}

func (e *brokenError) Error() string { return e.why }

// brokenErrorf returns a brokenError.
func brokenErrorf(format string, args ...any) error {
	return &brokenError{why: fmt.Sprintf(format, args...)}
}

// client sends requests to one endpoint.
type client struct {
	endpoint, key string
	http          *http.Client
	beat          func(n int) error // hears of the bytes of answers as they come
}

func newClient(endpoint, key string) *client {
	// A model may think for long before its first byte, so nothing here limits that.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &client{endpoint: endpoint, key: key, http: &http.Client{
		Transport: transport,
		// A redirect could send the key to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// post sends JSON and has read consume the stream that answers. It returns the bytes
// that were sent.
func (c *client) post(ctx context.Context, path string, header http.Header, body any, read func(io.Reader) error) (int, error) {
	src, err := json.Marshal(body)
	if err != nil {
		return 0, fmt.Errorf("request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint+path, bytes.NewReader(src))
	if err != nil {
		return 0, fmt.Errorf("request: %w", err)
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		// The address in the settings may have a password in it.
		return 0, brokenErrorf("no answer from %s: %s", secret.InSettings(c.endpoint), rootOf(err))
	}
	// Nothing is lost by a close that fails: the answer was read, or is not wanted.
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, refusal(res)
	}
	return len(src), read(heard{res.Body, c.beat})
}

// bearerHeader is the header of those who take the key as a token.
func (c *client) bearerHeader() http.Header {
	h := http.Header{}
	if c.key != "" {
		h.Set("Authorization", "Bearer "+c.key)
	}
	return h
}

// heard reports the bytes that are read.
type heard struct {
	io.Reader
	beat func(n int) error
}

func (h heard) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if n > 0 && h.beat != nil {
		err = errors.Join(h.beat(n), err)
	}
	if err != nil && errors.Is(err, io.EOF) {
		// Readers compare io.EOF alone, not what wraps it.
		err = io.EOF
	}
	return n, err
}

// rootOf is the innermost cause, without the URL that every layer repeats.
func rootOf(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// Reach checks whether a server answers at a URL, whatever the answer is. It sends no key.
// Error: the connection's, or ctx's own.
func Reach(ctx context.Context, url string) error {
	c := newClient(url, "")
	defer c.close()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("no answer from %s: %w", url, rootOf(err))
	}
	return res.Body.Close()
}
