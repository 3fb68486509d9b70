package loop

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// cutStream answers with the beginning of an answer and then closes the connection.
func cutStream(api string, bytes int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		whole := stream(api, turn{text: "half of this", calls: []scripted{{"write_file", `{"path":"half","content":"no"}`}}}, 1)
		io.WriteString(w, whole[:bytes])
		_ = http.NewResponseController(w).Flush() // then it is dropped all the same
		panic(http.ErrAbortHandler)
	}
}

func TestAgent_retries(t *testing.T) {
	t.Parallel()
	type one = []http.HandlerFunc
	busy := `{"error":{"message":"slow down"}}`
	tests := []struct {
		name   string
		broken func(api string) one
		waits  []time.Duration
		reason string // "" = it comes to its end
	}{
		{"429 with seconds", func(string) one { return one{status(429, busy, "Retry-After", "7")} }, []time.Duration{7 * time.Second}, ""},
		{"429 for an hour", func(string) one { return one{status(429, busy, "Retry-After", "3600")} }, nil, "slow down; retry after 3600 seconds"},
		{"500 thrice", func(string) one { return one{status(500, busy), status(503, ""), status(529, "x")} },
			[]time.Duration{1125 * time.Millisecond, 2250 * time.Millisecond, 4500 * time.Millisecond}, ""},
		{"cut", func(api string) one { return one{cutStream(api, 150)} }, []time.Duration{1125 * time.Millisecond}, ""},
		{"garbage", func(string) one { return one{status(200, "data: <html>\n\n"), status(200, "")} }, []time.Duration{1125 * time.Millisecond, 2250 * time.Millisecond}, ""},
		{"500 for ever", func(string) one {
			return one{status(500, busy), status(500, busy), status(500, busy), status(500, busy), status(500, busy), status(500, busy)}
		}, []time.Duration{1125e6, 2250e6, 4500e6, 9e9, 18e9}, "the server answered 500 Internal Server Error: slow down"},
		{"error in a 200", func(string) one {
			return one{status(200, busy), status(200, busy), status(200, busy), status(200, busy), status(200, busy), status(200, busy)}
		}, []time.Duration{1125e6, 2250e6, 4500e6, 9e9, 18e9}, "the server broke off: slow down"},
		{"401", func(string) one { return one{status(401, `{"error":{"message":"bad key `+theKey+`"}}`)} }, nil, "401 Unauthorized: bad key [key]"},
		{"403", func(string) one { return one{status(403, `{"error":"not yours"}`)} }, nil, "403 Forbidden: not yours"},
		{"404", func(string) one { return one{status(404, `{"message":"no model small"}`)} }, nil, "404 Not Found: no model small"},
		{"400", func(string) one { return one{status(400, "too\n long")} }, nil, "400 Bad Request: too long"},
		{"redirect", func(string) one { return one{status(307, "", "Location", "http://127.0.0.1:1/")} }, nil, "307 Temporary Redirect"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			everyAPI(t, func(t *testing.T, api string) {
				s := serve(t, api, turn{text: "Done."})
				s.broken = test.broken(api)
				a, out := agentFor(t, s)
				err := a.Run(context.Background(), "Go.")
				end := out.finished(t)
				assert.Equal(t, test.reason == "", err == nil, "%s", out)
				assert.Contains(t, end.Reason, test.reason, "%s", out)
				assert.NotContains(t, out.String(), theKey, "the key was printed")
				assert.False(t, err != nil && strings.Contains(err.Error(), theKey), "the key was printed")
				assert.Equal(t, len(test.waits), len(out.waits), "waits %v, want %v", out.waits, test.waits)
				assert.Equal(t, len(test.waits), len(out.ofKind(t, sayRetry)), "waits %v, want %v", out.waits, test.waits)
				for i, want := range test.waits {
					assert.Equal(t, want, out.waits[i], "wait %d", i)
				}
				first, last := s.sent()[0], s.sent()[len(s.sent())-1]
				assert.Equal(t, last.body, first.body, "something of an answer that broke off was kept")
			})
		})
	}
}

// TestAgent_hugeAnswer: an answer without an end is not held in memory.
func TestAgent_hugeAnswer(t *testing.T) {
	t.Parallel()
	everyAPI(t, func(t *testing.T, api string) {
		s := serve(t, api)
		s.broken = []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("x", 1<<20)); err != nil {
					return
				}
			}
		}}
		a, out := agentFor(t, s)
		err := a.Run(context.Background(), "Go.")
		assert.Error(t, err)
		assert.Equal(t, errTooLong.Error(), out.finished(t).Reason)
		assert.NotEqual(t, 0, len(out.ofKind(t, sayWorking)), "nothing said that an answer was coming")
	})
}

func TestAgent_canceled(t *testing.T) {
	t.Parallel()
	everyAPI(t, func(t *testing.T, api string) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		s := serve(t, api)
		s.broken = []http.HandlerFunc{func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		}}
		a, out := agentFor(t, s)
		assert.IsError(t, a.Run(ctx, "Go."), context.Canceled)
		end := out.finished(t)
		assert.False(t, end.OK, "%+v", end)
		assert.Equal(t, "stopped", end.Reason)
	})
}

// TestAgent_unreachable: no server listens at the endpoint.
func TestAgent_unreachable(t *testing.T) {
	t.Parallel()
	s := serve(t, Ollama)
	s.Close()
	a, out := agentFor(t, s)
	err := a.Run(context.Background(), "Go.")
	assert.Error(t, err, "%v", out.waits)
	assert.Equal(t, 5, len(out.waits), "%v", out.waits)
	assert.Contains(t, err.Error(), "no answer from "+s.URL, "%v", out.waits)
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"": 0, "1.5": 1500 * time.Millisecond, "-3": 0, "soon": 0, "1e300": maxWait, "Fri, 20 Nov 1998 10:00:00 GMT": 0,
	} {
		assert.Equal(t, want, retryAfter(http.Header{"Retry-After": {value}}), "%q", value)
	}
	got := retryAfter(http.Header{"Retry-After": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}})
	assert.True(t, got >= 30*time.Minute, "a date in an hour: %s", got)
}
