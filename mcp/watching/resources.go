package watching

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// Resources are the resources whose changes a client wants to hear of, each
// with the mark of the state it has heard of.
type Resources struct {
	mark func(ctx context.Context, uri string) (string, error)
	mu   sync.Mutex
	seen map[string]string
}

// NewResources watches nothing yet. mark returns the state of a resource.
func NewResources(mark func(context.Context, string) (string, error)) *Resources {
	return &Resources{mark: mark, seen: map[string]string{}}
}

// SubscribeToResourceErr begins to watch a resource; it fails for one that does
// not exist.
func (r *Resources) SubscribeToResourceErr(uri string) error {
	now, err := r.mark(context.Background(), uri)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[uri] = now
	return nil
}

// SubscribeToResource is SubscribeToResourceErr without its error.
func (r *Resources) SubscribeToResource(uri string) { _ = r.SubscribeToResourceErr(uri) }

// UnsubscribeFromResource ends the watch.
func (r *Resources) UnsubscribeFromResource(uri string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, uri)
}

// SubscribedResources lists what is watched, sorted.
func (r *Resources) SubscribedResources() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.seen))
}

// IsSubscribedToResource reports whether a resource is watched.
func (r *Resources) IsSubscribedToResource(uri string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.seen[uri]
	return ok
}

// Changed returns the resources that differ from last time.
func (r *Resources) Changed(ctx context.Context) []string {
	var out []string
	for _, uri := range r.SubscribedResources() {
		now, err := r.mark(ctx, uri)
		if err != nil {
			now = "" // gone, or unreadable for now
		}
		r.mu.Lock()
		if last, still := r.seen[uri]; still && last != now {
			r.seen[uri] = now
			out = append(out, uri)
		}
		r.mu.Unlock()
	}
	return out
}
