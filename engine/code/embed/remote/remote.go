package remote

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"chant/engine/code/embed"
	"chant/providers/secret"
)

// API is what a server understands.
type API string

// The APIs.
const (
	OpenAI API = "openai" // POST /embeddings below an endpoint such as https://api.openai.com/v1
	Ollama API = "ollama" // POST /api/embed below an endpoint such as http://127.0.0.1:11434
)

// Config says which server to ask.
type Config struct {
	API      API
	Endpoint string // an http or https URL
	Model    string
	Key      string                                           // "" = none
	Secrets  *secret.Redactor                                 // of the environment; nil = none are known
	Batch    int                                              // texts of a request; 64 if it is 0
	Timeout  time.Duration                                    // of a request; a minute if it is 0
	Retries  int                                              // of a request; 4 if it is 0, none if it is negative
	Sleep    func(ctx context.Context, d time.Duration) error // waits before a retry; nil for the clock
}

// Client makes vectors by a server. It may be used by several goroutines.
type Client struct {
	Config
	dim  atomic.Int64
	http *http.Client
}

var _ embed.Embedder = (*Client)(nil)

// New returns a client. It fails if the settings are wrong, and asks nothing yet.
func New(c Config) (*Client, error) {
	if c.API != OpenAI && c.API != Ollama {
		return nil, fmt.Errorf("unknown API %q (use openai or ollama)", c.API)
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("invalid URL %q (use one such as http://127.0.0.1:11434)", secret.InSettings(c.Endpoint))
	}
	if c.Model == "" {
		return nil, fmt.Errorf("missing the name of a model for %s", secret.InSettings(c.Endpoint))
	}
	c.Endpoint = strings.TrimRight(c.Endpoint, "/")
	c.Batch, c.Timeout, c.Retries = max(0, c.Batch), cmp.Or(c.Timeout, time.Minute), cmp.Or(c.Retries, 4)
	c.Batch = cmp.Or(c.Batch, 64)
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	// A transport of its own can be closed without touching the connections of others.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &Client{Config: c, http: &http.Client{
		Transport: transport,
		// A redirect could send texts to another server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// ID names the API, the server and the model.
func (c *Client) ID() string {
	return fmt.Sprintf("%s %s %s", c.API, secret.InSettings(c.Endpoint), c.Model)
}

// Dim returns the length of the vectors, or 0 before the first ones.
func (c *Client) Dim() int { return int(c.dim.Load()) }

// Vectors returns the vectors of texts. That of an empty text, and of one that holds a secret, is nil.
func (c *Client) Vectors(ctx context.Context, texts []string) ([][]float32, error) {
	list := make([][]float32, len(texts))
	var batch []string
	var places []int
	send := func() error {
		if len(batch) == 0 {
			return nil
		}
		vectors, err := c.ask(ctx, batch)
		if err != nil {
			return err
		}
		for i, v := range vectors {
			list[places[i]] = v
		}
		batch, places = batch[:0], places[:0]
		return nil
	}
	for i, text := range texts {
		// A text that is not sent keeps its place without a vector.
		if strings.TrimSpace(text) == "" || c.HoldsSecret(text) {
			continue
		}
		batch, places = append(batch, text), append(places, i)
		if len(batch) == c.Batch {
			if err := send(); err != nil {
				return nil, err
			}
		}
	}
	if err := send(); err != nil {
		return nil, err
	}
	return list, ctx.Err()
}

// HoldsSecret reports whether a text is not to be sent.
func (c *Client) HoldsSecret(text string) bool {
	return secret.Suspect(text) || assignsSecret(text) || c.Secrets.Text(text) != text || c.Key != "" && strings.Contains(text, c.Key)
}

// accept checks the vectors of a batch, and gives each the length 1.
func (c *Client) accept(vectors [][]float32, want int) error {
	if len(vectors) != want {
		return fmt.Errorf("the server returned %d vectors for %d texts", len(vectors), want)
	}
	for _, v := range vectors {
		if len(v) == 0 {
			return fmt.Errorf("the server returned an empty vector")
		}
		// The first vector decides the length for all goroutines.
		c.dim.CompareAndSwap(0, int64(len(v)))
		if n := c.Dim(); len(v) != n {
			return fmt.Errorf("the server returned a vector of %d numbers after one of %d", len(v), n)
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		// A vector without a direction would be similar to nothing, or to everything.
		if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
			return fmt.Errorf("the server returned a vector without a direction")
		}
		for d := range v {
			v[d] = float32(float64(v[d]) / math.Sqrt(sum))
		}
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
