package loop

import (
	"context"
	"net/http"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestReach(t *testing.T) {
	t.Parallel()
	s := serve(t, Ollama)
	s.broken = []http.HandlerFunc{status(404, "nothing here"), status(307, "", "Location", "http://127.0.0.1:1/")}
	for range 3 {
		assert.NoError(t, Reach(context.Background(), s.URL))
	}
	s.Close()
	assert.Error(t, Reach(context.Background(), s.URL), "no server is there, and it answers")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.IsError(t, Reach(ctx, s.URL), context.Canceled)
	assert.Error(t, Reach(ctx, "://"), "no URL is reached")
}
