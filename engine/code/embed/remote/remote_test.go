package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/providers/secret"

	"github.com/alecthomas/assert/v2"
)

const theKey = "sk-test-0123456789"

// fake is a server that answers with the length of each text as a vector, after the scripted answers.
type fake struct {
	*httptest.Server
	mu       sync.Mutex
	scripted []http.HandlerFunc
	asked    [][]string
	headers  []http.Header
	paths    []string
}

func newFake(t *testing.T, scripted ...http.HandlerFunc) *fake {
	f := &fake{scripted: scripted}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model string
		Input []string
	}
	src, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(src, &in)
	f.mu.Lock()
	f.asked, f.headers, f.paths = append(f.asked, in.Input), append(f.headers, r.Header), append(f.paths, r.URL.Path)
	var script http.HandlerFunc
	if len(f.scripted) > 0 {
		script, f.scripted = f.scripted[0], f.scripted[1:]
	}
	f.mu.Unlock()
	if script != nil {
		script(w, r)
		return
	}
	var data []map[string]any
	var plain [][]float32
	for i, text := range in.Input {
		v := []float32{float32(len(text)), 1}
		data = append([]map[string]any{{"index": i, "embedding": v}}, data...) // in another order
		plain = append(plain, v)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "embeddings": plain, "model": in.Model})
}

func newClient(t *testing.T, f *fake, change func(*Config)) (*Client, *[]time.Duration) {
	t.Helper()
	var waits []time.Duration
	c := Config{API: OpenAI, Endpoint: f.URL + "/v1/", Model: "small", Key: theKey, Sleep: func(ctx context.Context, d time.Duration) error {
		waits = append(waits, d)
		return ctx.Err()
	}}
	if change != nil {
		change(&c)
	}
	client, err := New(c)
	assert.NoError(t, err)
	t.Cleanup(client.Close)
	return client, &waits
}

func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func TestVectors(t *testing.T) {
	t.Parallel()
	for api, path := range map[API]string{OpenAI: "/v1/embeddings", Ollama: "/v1/api/embed"} {
		f := newFake(t)
		c, _ := newClient(t, f, func(c *Config) { c.API, c.Batch = api, 2 })
		texts := []string{"a", "bbb", "", "cc", "dddd", "e"}
		got, err := c.Vectors(t.Context(), texts)
		assert.NoError(t, err)
		for i, text := range texts {
			if text == "" {
				assert.True(t, got[i] == nil, "an empty text has the vector %v", got[i])
				continue
			}
			n := float64(len(text))
			assert.Equal(t, 2, len(got[i]), "%q: %v", text, got[i])
			assert.False(t, math.Abs(float64(got[i][0])-n/math.Sqrt(n*n+1)) > 1e-5, "%q: %v", text, got[i])
		}
		assert.Equal(t, "[[a bbb] [cc dddd] [e]]", fmt.Sprint(f.asked))
		assert.Equal(t, path, f.paths[0])
		assert.Equal(t, 2, c.Dim())
		if f.headers[0].Get("Authorization") != "Bearer "+theKey || strings.Contains(c.ID(), theKey) {
			t.Errorf("header %v, ID %s", f.headers[0], c.ID())
		}
	}
}

// TestVectors_secrets: what holds a secret never reaches the server.
func TestVectors_secrets(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	c, _ := newClient(t, f, func(c *Config) { c.Secrets = secret.From("DB_PASSWORD=correct-horse-battery") })
	texts := []string{
		"const key = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"", "dial(\"postgres://me:hunter2hunter@db/x\")",
		"pass(\"correct-horse-battery\")", "use " + theKey,
		"dbPassword := \"hunter2hunter\"", "{\"api_key\": 'hunter2hunter'}", "API_TOKEN=`hunter2hunter`", "setPassword(\"hunter2hunter\")",
		"func harmless() { key := \"a b\"; author = 'somebody'; password := read() }",
	}
	got, err := c.Vectors(t.Context(), texts)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(f.asked))
	assert.Equal(t, 1, len(f.asked[0]))
	assert.Equal(t, texts[len(texts)-1], f.asked[0][0])
	for i, v := range got {
		assert.Equal(t, i == len(texts)-1, v != nil, "%q has the vector", texts[i])
	}
}

func TestVectors_failures(t *testing.T) {
	t.Parallel()
	type one = []http.HandlerFunc
	busy := status(503, "busy")
	for name, c := range map[string]struct {
		script one
		waits  string
		want   string // of the error; "" = it ends well
	}{
		"busy once":      {one{busy}, "[1s]", ""},
		"asks to wait":   {one{status(429, "", "Retry-After", "7")}, "[7s]", ""},
		"for an hour":    {one{status(429, "slow", "Retry-After", "3600")}, "[]", "429"},
		"busy for ever":  {one{busy, busy, busy, busy, busy}, "[1s 2s 4s 8s]", "503 Service Unavailable: busy"},
		"refused":        {one{status(401, "bad key "+theKey)}, "[]", "bad key [key]"},
		"redirected":     {one{status(307, "", "Location", "http://example.invalid/")}, "[]", "307"},
		"no JSON":        {one{status(200, "<html>")}, "[]", "no list of vectors"},
		"none":           {one{status(200, "{}")}, "[]", "an empty vector"},
		"too few":        {one{status(200, `{"data":[{"index":0,"embedding":[1,2]}]}`)}, "[]", "an empty vector"},
		"twice the same": {one{status(200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`)}, "[]", "text 0 of 2"},
		"other lengths":  {one{status(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`)}, "[]", "2 numbers after one of 1"},
		"zero":           {one{status(200, `{"data":[{"index":0,"embedding":[0]},{"index":1,"embedding":[1]}]}`)}, "[]", "without a direction"},
		"broken off":     {one{func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}, "[1s]", ""},
	} {
		f := newFake(t, c.script...)
		client, waits := newClient(t, f, nil)
		got, err := client.Vectors(t.Context(), []string{"a", "b"})
		assert.False(t, c.want == "" && (err != nil || len(got) != 2), "%s: %v, %v; want %q", name, got, err, c.want)
		assert.False(t, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || got != nil), "%s: %v, %v; want %q", name, got, err, c.want)
		assert.False(t, err != nil && strings.Contains(err.Error(), theKey), "%s: the key is in %q", name, err)
		waited := fmt.Sprint(*waits)
		assert.Equal(t, c.waits, waited, "%s: waited", name)
	}
}

// TestVectors_timeout: a server that does not answer in time, or not to the end, is not asked again.
func TestVectors_timeout(t *testing.T) {
	t.Parallel()
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	half := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"data": [`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	f := newFake(t, hang, half)
	c, waits := newClient(t, f, func(c *Config) { c.Timeout, c.Retries = 20*time.Millisecond, 1 })
	for range 2 {
		_, err := c.Vectors(t.Context(), []string{"a"})
		assert.Error(t, err)
		assert.HasSuffix(t, err.Error(), "within 20ms")
		assert.Zero(t, *waits)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Vectors(ctx, []string{"a"})
	assert.IsError(t, err, context.Canceled)
}

func TestNew_wrong(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{
		{API: "x", Endpoint: "http://h", Model: "m"}, {API: OpenAI, Endpoint: "h", Model: "m"}, {API: Ollama, Endpoint: "http://h"},
		{API: OpenAI, Endpoint: "ftp://me:hunter2hunter@h", Model: "m"},
	} {
		got, err := New(c)
		assert.Error(t, err, "%+v", c)
		assert.True(t, got == nil, "%+v: %v", c, err)
		assert.NotContains(t, err.Error(), "hunter2", "%+v", c)
	}
}
