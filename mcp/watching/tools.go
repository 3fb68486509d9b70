package watching

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"

	"chant/mcp/toolset"
)

// Tools knows which tools a client was shown, where these follow the settings of the project.
type Tools struct {
	List    func(context.Context) ([]any, error) // nil where the tools are fixed
	Dialect *toolset.Dialect                     // whose values are watched; nil where no toolset has one
	Values  func(context.Context) (map[string][]string, error)

	mu    sync.Mutex
	shown [sha256.Size]byte   // zero until the client has seen a list
	begun bool                // the client has sent initialize
	known map[string][]string // the values that the client knows of
}

// Begin begins to watch the values of a dialect, when the client has sent initialize.
func (w *Tools) Begin(ctx context.Context) {
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
func (w *Tools) Differing(ctx context.Context) []string {
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

// Show records a list that the client gets.
func (w *Tools) Show(tools []any) {
	if w.List == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown = stateOf(tools)
}

// Changed reports whether the tools differ from those that the client knows of, and then counts the client as
// informed.
func (w *Tools) Changed(ctx context.Context) bool {
	if w.List == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shown == [sha256.Size]byte{} {
		return false
	}
	tools, err := w.List(ctx)
	if err != nil {
		return false // tools/list reports it
	}
	now := stateOf(tools)
	changed := now != w.shown
	w.shown = now
	return changed
}

func stateOf(tools []any) [sha256.Size]byte {
	text, _ := json.Marshal(tools) // a list that cannot be encoded is the same each time
	return sha256.Sum256(text)
}
