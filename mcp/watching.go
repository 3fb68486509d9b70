package mcp

import (
	"context"
	"maps"
	"slices"
	"sync"

	"chant/mcp/toolset"
)

// This file remembers what a client was shown of resources and of the values of a dialect, and finds what differs
// from that. It sends nothing and does not wait: package mcp asks it again and again, and notifies the client.

// watchedResources are the resources whose changes a client wants to hear of, each
// with the mark of the state it has heard of.
type watchedResources struct {
	mark func(ctx context.Context, uri string) (string, error)
	mu   sync.Mutex
	seen map[string]string
}

// newWatchedResources watches nothing yet. mark returns the state of a resource.
func newWatchedResources(mark func(context.Context, string) (string, error)) *watchedResources {
	return &watchedResources{mark: mark, seen: map[string]string{}}
}

// SubscribeToResourceErr begins to watch a resource; it fails for one that does
// not exist.
func (r *watchedResources) SubscribeToResourceErr(uri string) error {
	now, err := r.mark(context.Background(), uri)
	if err != nil {
		return err
	}
	// The mark is made before the lock: it reads files.
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[uri] = now
	return nil
}

// SubscribeToResource is SubscribeToResourceErr without its error.
func (r *watchedResources) SubscribeToResource(uri string) { _ = r.SubscribeToResourceErr(uri) }

// UnsubscribeFromResource ends the watch.
func (r *watchedResources) UnsubscribeFromResource(uri string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, uri)
}

// SubscribedResources lists what is watched, sorted.
func (r *watchedResources) SubscribedResources() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.seen))
}

// IsSubscribedToResource reports whether a resource is watched.
func (r *watchedResources) IsSubscribedToResource(uri string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.seen[uri]
	return ok
}

// Changed returns the resources that differ from last time.
func (r *watchedResources) Changed(ctx context.Context) []string {
	var out []string
	for _, uri := range r.SubscribedResources() {
		now, err := r.mark(ctx, uri)
		if err != nil {
			// It is gone, or cannot be read for now.
			now = ""
		}
		r.mu.Lock()
		// The client may have ended the watch while the resource was read.
		if last, still := r.seen[uri]; still && last != now {
			r.seen[uri] = now
			out = append(out, uri)
		}
		r.mu.Unlock()
	}
	return out
}

// watchHints knows which values of a dialect a client was shown.
type watchHints struct {
	Dialect *toolset.Dialect // whose values are watched; nil where no toolset has one
	Values  func(context.Context) (map[string][]string, error)

	mu    sync.Mutex
	begun bool                // the client has sent initialize
	known map[string][]string // the values that the client knows of
}

// Begin begins to watch the values of a dialect, when the client has sent initialize.
func (w *watchHints) Begin(ctx context.Context) {
	if w.Dialect == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun = true
	// tools/list reports an error.
	w.known, _ = w.Values(ctx)
}

// TakeChanges returns the categories whose values differ from those that the client knows of, and then counts the client
// as informed.
func (w *watchHints) TakeChanges(ctx context.Context) []string {
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
