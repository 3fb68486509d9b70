package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// toolWatch knows which tools a client was shown, where these follow the settings of the project.
type toolWatch struct {
	lists func(context.Context) ([]mcpgo.Tool, error) // nil where the tools are fixed

	mu    sync.Mutex
	shown [sha256.Size]byte // zero until the client has seen a list
}

func (s *server) newToolWatch() *toolWatch {
	if len(s.catalog.dynamic) == 0 {
		return &toolWatch{}
	}
	return &toolWatch{lists: s.lists}
}

// show records a list that the client gets.
func (w *toolWatch) show(tools []mcpgo.Tool) {
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

func stateOf(tools []mcpgo.Tool) [sha256.Size]byte {
	text, _ := json.Marshal(tools) // a list that cannot be encoded is the same each time
	return sha256.Sum256(text)
}

// SetSubscriptionFilter begins to watch the tools for a subscriptions/listen request that asks for it.
func (s *session) SetSubscriptionFilter(filter mcpgo.SubscriptionFilter) {
	s.filter.Store(&filter)
	if !filter.ToolsListChanged || s.tools.lists == nil {
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

// listChanged is the notification that the tools have changed.
func listChanged(tag any) mcpgo.JSONRPCNotification {
	return notification(mcpgo.MethodNotificationToolsListChanged, nil, tag)
}
