package watching

import (
	"context"
	"sync"

	"chant/mcp/toolset"
)

// Hints knows which values of a dialect a client was shown.
type Hints struct {
	Dialect *toolset.Dialect // whose values are watched; nil where no toolset has one
	Values  func(context.Context) (map[string][]string, error)

	mu    sync.Mutex
	begun bool                // the client has sent initialize
	known map[string][]string // the values that the client knows of
}

// Begin begins to watch the values of a dialect, when the client has sent initialize.
func (w *Hints) Begin(ctx context.Context) {
	if w.Dialect == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun = true
	w.known, _ = w.Values(ctx) // tools/list reports an error
}

// Differing returns the categories whose values differ from those that the client knows of, and then counts the client
// as informed.
func (w *Hints) Differing(ctx context.Context) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.begun {
		return nil
	}
	now, err := w.Values(ctx)
	if err != nil {
		return nil
	}
	out := w.Dialect.Changed(w.known, now)
	w.known = now
	return out
}
