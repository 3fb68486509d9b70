package mcp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// lookEvery is how often subscribed resources are looked at.
const lookEvery = time.Second

// subscriptions are the resources whose changes a client wants to hear of, each
// with the mark of the state it has heard of.
type subscriptions struct {
	mark func(ctx context.Context, uri string) (string, error)
	tag  any // id of the subscriptions/listen they belong to, nil for those of resources/subscribe
	mu   sync.Mutex
	seen map[string]string
}

func newSubscriptions(mark func(context.Context, string) (string, error)) *subscriptions {
	return &subscriptions{mark: mark, seen: map[string]string{}}
}

// SubscribeToResourceErr begins to watch a resource; it fails for one that does
// not exist.
func (s *subscriptions) SubscribeToResourceErr(uri string) error {
	now, err := s.mark(context.Background(), uri)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[uri] = now
	return nil
}

// SubscribeToResource is SubscribeToResourceErr without its error.
func (s *subscriptions) SubscribeToResource(uri string) { _ = s.SubscribeToResourceErr(uri) }

// UnsubscribeFromResource ends the watch.
func (s *subscriptions) UnsubscribeFromResource(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seen, uri)
}

// SubscribedResources lists what is watched, sorted.
func (s *subscriptions) SubscribedResources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.seen))
}

// IsSubscribedToResource reports whether a resource is watched.
func (s *subscriptions) IsSubscribedToResource(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.seen[uri]
	return ok
}

// changed returns the resources that differ from last time.
func (s *subscriptions) changed(ctx context.Context) []string {
	var out []string
	for _, uri := range s.SubscribedResources() {
		now, err := s.mark(ctx, uri)
		if err != nil {
			now = "" // gone, or unreadable for now
		}
		s.mu.Lock()
		if last, still := s.seen[uri]; still && last != now {
			s.seen[uri] = now
			out = append(out, uri)
		}
		s.mu.Unlock()
	}
	return out
}

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
		}
		var notes []mcpgo.JSONRPCNotification
		categories := s.tools.differing(ctx)
		if len(categories) > 0 {
			notes = append(notes, hintsChanged(categories, s.tag))
		}
		if s.tools.changed(ctx) || len(categories) > 0 {
			notes = append(notes, listChanged(s.tag))
		}
		for _, uri := range s.changed(ctx) {
			notes = append(notes, updated(uri, s.tag))
		}
		for _, note := range notes {
			select {
			case s.notes <- note:
			case <-ctx.Done():
				return
			}
		}
	}
}

// listen gives a subscriptions/listen request subscriptions of its own, whose
// changes are reported under its id as long as it lasts.
func (s *server) listen(ctx context.Context, m message) context.Context {
	client := sessionOf(ctx)
	own := &session{client: client.client, subscriptions: newSubscriptions(s.marks), tools: s.newToolWatch(), notes: client.notes, send: client.send}
	own.tag = m.id
	go own.watch(ctx)
	return s.core.WithContext(ctx, own)
}

func updated(uri string, tag any) mcpgo.JSONRPCNotification {
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
