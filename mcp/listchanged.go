package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"

	"chant/mcp/toolset"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// toolWatch knows which tools a client was shown, where these follow the settings of the project.
type toolWatch struct {
	lists   func(context.Context) ([]any, error) // nil where the tools are fixed
	dialect *toolset.Dialect                     // whose values are watched; nil where no toolset has one
	values  func(context.Context) (map[string][]string, error)

	mu    sync.Mutex
	shown [sha256.Size]byte   // zero until the client has seen a list
	begun bool                // the client has sent initialize
	known map[string][]string // the values that the client knows of
}

func (s *server) newToolWatch() *toolWatch {
	w := &toolWatch{dialect: s.catalog.Dialect, values: s.values}
	if s.catalog.Follows() {
		w.lists = s.lists
	}
	return w
}

// begin begins to watch the values of a dialect, when the client has sent initialize.
func (w *toolWatch) begin(ctx context.Context) {
	if w.dialect == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun = true
	w.known, _ = w.values(ctx) // tools/list reports an error
}

// differing returns the categories whose values differ from those that the client knows of, and then counts the client
// as informed.
func (w *toolWatch) differing(ctx context.Context) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.begun {
		return nil
	}
	now, err := w.values(ctx)
	if err != nil {
		return nil
	}
	out := w.dialect.Changed(w.known, now)
	w.known = now
	return out
}

// show records a list that the client gets.
func (w *toolWatch) show(tools []any) {
	if w.lists == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown = stateOf(tools)
}

// changed reports whether the tools differ from those that the client knows of, and then counts the client as
// informed.
func (w *toolWatch) changed(ctx context.Context) bool {
	if w.lists == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shown == [sha256.Size]byte{} {
		return false
	}
	tools, err := w.lists(ctx)
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

// SetSubscriptionFilter begins to watch the tools for a subscriptions/listen request that asks for it.
func (s *session) SetSubscriptionFilter(filter mcpgo.SubscriptionFilter) {
	s.filter.Store(&filter)
	if !filter.ToolsListChanged {
		return
	}
	s.tools.begin(context.Background())
	if s.tools.lists == nil {
		return
	}
	if tools, err := s.tools.lists(context.Background()); err == nil {
		s.tools.show(tools)
	}
}

// SubscriptionFilter returns what a subscriptions/listen request asks for.
func (s *session) SubscriptionFilter() (mcpgo.SubscriptionFilter, bool) {
	filter := s.filter.Load()
	if filter == nil {
		return mcpgo.SubscriptionFilter{}, false
	}
	return *filter, true
}

// hintsChanged is the notification of a dialect that values of these categories have changed.
func hintsChanged(categories []string, tag any) mcpgo.JSONRPCNotification {
	return notification("tools/listChanged", map[string]any{"hintCategories": categories}, tag)
}

// listChanged is the notification that the tools have changed.
func listChanged(tag any) mcpgo.JSONRPCNotification {
	return notification(mcpgo.MethodNotificationToolsListChanged, nil, tag)
}
