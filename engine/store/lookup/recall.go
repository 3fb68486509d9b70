package lookup

import (
	"context"
	"sync"
	"time"

	"chant/engine/store"
)

// recallFor is how long a process remembers all specs after it was last asked for them.
const recallFor = time.Minute

// Recall remembers the specs of a project in a process that is asked again and again, such as a server. What it
// remembers counts only while nothing has changed on which it depends, which costs looking at each file but reading
// none. The nil Recall remembers nothing.
type Recall struct {
	mu    sync.Mutex
	store string // the folder of the project
	state string
	set   *store.Set
	kept  map[any]any
	over  *time.Timer
}

// Keep remembers a value under a key whose type belongs to the caller; nil forgets it. The value is forgotten with
// everything else a minute after the last use, and the caller decides whether it still holds.
func (m *Recall) Keep(key, value any) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[any]any{}
	}
	if m.kept[key] = value; value == nil {
		delete(m.kept, key)
	}
	m.postpone()
}

// Kept returns a value that is remembered, or nil.
func (m *Recall) Kept(key any) any {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	value := m.kept[key]
	if value != nil {
		m.postpone()
	}
	return value
}

// postpone forgets everything a minute from now, and not before.
func (m *Recall) postpone() {
	if m.over == nil {
		m.over = time.AfterFunc(recallFor, m.Forget)
		return
	}
	m.over.Reset(recallFor)
}

// Load is Load of the store. The set and its specs are shared and must not be changed.
func (m *Recall) Load(ctx context.Context, s *store.Store) (set *store.Set, err error) {
	s.Query(ctx, func(q *store.Query) { set, err = m.LoadIn(ctx, q) })
	return set, err
}

// LoadIn is Load as a part of a query.
func (m *Recall) LoadIn(ctx context.Context, q *store.Query) (*store.Set, error) {
	if m == nil {
		return q.Load(ctx)
	}
	state, known := q.State(ctx)
	if set := m.recall(q.Home(), state); known && set != nil {
		return set, nil
	}
	set, err := q.Load(ctx)
	if err == nil && known {
		m.remember(q.Home(), state, set)
	}
	return set, err
}

func (m *Recall) recall(home, state string) *store.Set {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.set == nil || m.store != home || m.state != state {
		return nil
	}
	m.over.Reset(recallFor)
	return m.set
}

func (m *Recall) remember(home, state string, set *store.Set) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store, m.state, m.set = home, state, set
	m.postpone()
}

// Close frees everything that is remembered.
func (m *Recall) Close() {
	m.Forget()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.over != nil {
		m.over.Stop()
	}
}

// Forget frees what is remembered.
func (m *Recall) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state, m.set, m.kept = "", nil, nil
}
