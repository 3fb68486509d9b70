package mcp

import (
	"context"

	"chant/mcp/watching"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

func (s *server) newToolWatch() *watching.Tools {
	w := &watching.Tools{Dialect: s.catalog.Dialect, Values: s.values}
	if s.catalog.Follows() {
		w.List = s.lists
	}
	return w
}

// SetSubscriptionFilter begins to watch the tools for a subscriptions/listen request that asks for it.
func (s *session) SetSubscriptionFilter(filter mcpgo.SubscriptionFilter) {
	s.filter.Store(&filter)
	if !filter.ToolsListChanged {
		return
	}
	s.tools.Begin(context.Background())
	if s.tools.List == nil {
		return
	}
	if tools, err := s.tools.List(context.Background()); err == nil {
		s.tools.Show(tools)
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
