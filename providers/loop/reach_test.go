package loop

import (
	"context"
	"errors"
	"net/http"
	"testing"
)

func TestReach(t *testing.T) {
	t.Parallel()
	s := serve(t, Ollama)
	s.broken = []http.HandlerFunc{status(404, "nothing here"), status(307, "", "Location", "http://127.0.0.1:1/")}
	for range 3 {
		if err := Reach(context.Background(), s.URL); err != nil {
			t.Error(err)
		}
	}
	s.Close()
	if err := Reach(context.Background(), s.URL); err == nil {
		t.Error("no server is there, and it answers")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Reach(ctx, s.URL); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := Reach(ctx, "://"); err == nil {
		t.Error("no URL is reached")
	}
}
