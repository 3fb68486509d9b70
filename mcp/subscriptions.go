package mcp

import (
	"context"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// lookEvery is how often subscribed resources are looked at.
const lookEvery = time.Second

// watch looks at the subscribed resources again and again until ctx is done.
func (s *session) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	s.reportChanges(ctx, tick.C)
}

// reportChanges notifies the client at each tick of what has changed.
func (s *session) reportChanges(ctx context.Context, ticks <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			s.reportChangesNow(ctx)
		}
	}
}

// reportChangesNow notifies the client of what has changed since it was last asked to.
func (s *session) reportChangesNow(ctx context.Context) {
	var notes []mcpgo.JSONRPCNotification
	// These values are part of the list of tools.
	if categories := s.hints.TakeChanges(ctx); len(categories) > 0 {
		notes = append(notes, notification("tools/listChanged", map[string]any{"hintCategories": categories}, s.tag),
			notification(mcpgo.MethodNotificationToolsListChanged, nil, s.tag))
	}
	for _, uri := range s.watchedResources.Changed(ctx) {
		notes = append(notes, updatedNotification(uri, s.tag))
	}
	for _, note := range notes {
		// A change must not be lost, so this waits for the writer, unlike progress.
		select {
		case s.notes <- note:
		case <-ctx.Done():
			return
		}
	}
}

// listen gives a subscriptions/listen request subscriptions of its own, whose
// changes are reported under its id as long as it lasts.
func (s *server) listen(ctx context.Context, m message) context.Context {
	client := sessionOf(ctx)
	// Its changes go out under its id, so it has subscriptions of its own.
	own := &session{client: client.client, watchedResources: newWatchedResources(s.marks), hints: s.newHints(), notes: client.notes, send: client.send, tag: m.id}
	go own.watch(ctx)
	return s.core.WithContext(ctx, own)
}

func updatedNotification(uri string, tag any) mcpgo.JSONRPCNotification {
	return notification(mcpgo.MethodNotificationResourceUpdated, map[string]any{"uri": uri}, tag)
}

// notification makes a notification; tag is the id of the subscriptions/listen it belongs to, or nil.
func notification(method string, fields map[string]any, tag any) mcpgo.JSONRPCNotification {
	params := mcpgo.NotificationParams{AdditionalFields: fields}
	if tag != nil {
		params.Meta = map[string]any{mcpgo.MetaKeySubscriptionID: tag}
	}
	return mcpgo.JSONRPCNotification{
		JSONRPC:      mcpgo.JSONRPC_VERSION,
		Notification: mcpgo.Notification{Method: method, Params: params},
	}
}

func (s *server) newHints() *watchHints {
	return &watchHints{Dialect: s.catalog.Dialect, Values: s.values}
}

// SetSubscriptionFilter begins to watch the tools for a subscriptions/listen request that asks for it.
func (s *session) SetSubscriptionFilter(filter mcpgo.SubscriptionFilter) {
	s.filter.Store(&filter)
	if filter.ToolsListChanged {
		s.hints.Begin(context.Background())
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
