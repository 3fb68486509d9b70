package store

import (
	"context"
	"sync"
	"time"
)

// keepFor is the time for which a process remembers all specs after the last request.
const keepFor = time.Minute

// Cache remembers the specs of a project in a process that answers many requests, such as a server. What it
// remembers counts only while nothing has changed on which it depends, which costs looking at each file but reading
// none. The nil Cache remembers nothing.
type Cache struct {
	mu    sync.Mutex
	store string // the folder of the project
	state string
	set   *Set
	kept  map[any]any
	over  *time.Timer
}

// Keep remembers a value under a key whose type belongs to the caller; nil forgets it. The value is forgotten with
// everything else a minute after the last use, and the caller decides whether it still holds.
func (m *Cache) Keep(key, value any) {
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
func (m *Cache) Kept(key any) any {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	// Only a hit postpones forgetting: asking for what is missing must not keep everything else.
	value := m.kept[key]
	if value != nil {
		m.postpone()
	}
	return value
}

// postpone forgets everything a minute from now, and not before.
func (m *Cache) postpone() {
	if m.over == nil {
		m.over = time.AfterFunc(keepFor, m.Forget)
		return
	}
	m.over.Reset(keepFor)
}

// Load is Load of the store. The set and its specs are shared and must not be changed.
func (m *Cache) Load(ctx context.Context, s *Store) (set *Set, err error) {
	s.Query(ctx, func(q *Query) { set, err = m.LoadIn(ctx, q) })
	return set, err
}

// LoadIn is Load as a part of a query.
func (m *Cache) LoadIn(ctx context.Context, q *Query) (*Set, error) {
	if m == nil {
		return q.Load(ctx)
	}
	// The state is taken before reading: a change during the read then differs from what is remembered, and is seen next
	// time.
	state, known := q.State(ctx)
	if set := m.recall(q.Home(), state); known && set != nil {
		return set, nil
	}
	// Without a known state nothing could show later that the set no longer holds, so it is not remembered.
	set, err := q.Load(ctx)
	if err == nil && known {
		m.remember(q.Home(), state, set)
	}
	return set, err
}

func (m *Cache) recall(home, state string) *Set {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.set == nil || m.store != home || m.state != state {
		return nil
	}
	m.over.Reset(keepFor)
	return m.set
}

func (m *Cache) remember(home, state string, set *Set) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store, m.state, m.set = home, state, set
	m.postpone()
}

// Close frees everything that is remembered.
func (m *Cache) Close() {
	m.Forget()
	m.mu.Lock()
	defer m.mu.Unlock()
	// A timer that has already fired only forgets once more, so Stop need not be waited for.
	if m.over != nil {
		m.over.Stop()
	}
}

// Forget frees what is remembered.
func (m *Cache) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state, m.set, m.kept = "", nil, nil
}
