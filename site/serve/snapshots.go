package serve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"chant/engine"
	"chant/engine/store"
	"chant/engine/view"
	"chant/engine/view/pages"
	"chant/site"
)

// snapshots keep what was read for pages until something may have changed, so that many pages cost as much as one.
type snapshots struct {
	rows kept[[]view.Row]
	all  kept[*site.Renderer]
}

// kept is a value of one generation.
type kept[T any] struct {
	mu         sync.Mutex
	generation uint64
	known      bool
	value      T
}

// get returns the value of a generation, which read reads if it is not known.
func (k *kept[T]) get(generation uint64, read func() (T, error)) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known && k.generation == generation {
		return k.value, nil
	}
	value, err := read()
	if err == nil {
		k.value, k.generation, k.known = value, generation, true
	}
	return value, err
}

// rows lists the active specs.
func (s *server) rows(ctx context.Context) ([]view.Row, error) {
	return s.store.rows.get(s.hub.now(), func() ([]view.Row, error) {
		// Without the request's cancellation, because the value is for other requests too.
		list, err := view.List(context.WithoutCancel(ctx), s.project, view.ListInput{})
		return list.Specs, err
	})
}

// textOf identifies the text of a spec in home by the stamp of its file, so that a comment counts as a change; "" for a
// spec that is on a branch only, whose commits do.
func (s *server) textOf(id string) string {
	info, err := os.Stat(filepath.Join(engine.Home(s.project), filepath.FromSlash(store.SpecPath(id))))
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// renderer returns the renderer of pages about all specs.
func (s *server) renderer(ctx context.Context) (*site.Renderer, error) {
	return s.store.all.get(s.hub.now(), func() (*site.Renderer, error) {
		// Without the request's cancellation, because the value is for other requests too.
		data, err := pages.Collect(context.WithoutCancel(ctx), s.project, pages.CollectInput{})
		if err != nil {
			return nil, err
		}
		return site.NewRenderer(s.theme, s.options(), data), nil
	})
}

func (s *server) options() site.Options {
	return site.Options{Title: pages.NameOf(s.project), Live: true}
}
