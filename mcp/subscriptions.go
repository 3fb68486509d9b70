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
	mu   sync.Mutex
	seen map[string]string
}

// SubscribeToResourceErr begins to watch a resource; it fails for one that does
// not exist.
func (s *subscriptions) SubscribeToResourceErr(uri string) error {
	now, err := s.mark(context.Background(), uri)
	if err != nil {
		return noProject(err)
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

// IsSubscribedToResource tells whether a resource is watched.
func (s *subscriptions) IsSubscribedToResource(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.seen[uri]
	return ok
}

// changed returns the resources that are not any more as they were last time.
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

// watch tells the client of changes until ctx is done.
func (s *session) watch(ctx context.Context, ticks <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		for _, uri := range s.changed(ctx) {
			select {
			case s.notes <- updated(uri):
			case <-ctx.Done():
				return
			}
		}
	}
}

func updated(uri string) mcpgo.JSONRPCNotification {
	return mcpgo.JSONRPCNotification{
		JSONRPC: mcpgo.JSONRPC_VERSION,
		Notification: mcpgo.Notification{
			Method: mcpgo.MethodNotificationResourceUpdated,
			Params: mcpgo.NotificationParams{AdditionalFields: map[string]any{"uri": uri}},
		},
	}
}
