package engine

import (
	"sync"
	"time"

	"chant/engine/run"
)

// ledger adds up what every agent of the project has used since midnight, from the
// journals: other processes write there too. A journal is read again only when it has
// grown, and not at all when nothing was written to it today.
type ledger struct {
	engine *Engine

	mu   sync.Mutex
	read map[string]entry
}

// entry is what a journal of a certain size told.
type entry struct {
	size  int64
	day   time.Time
	usage Spending
}

// today is the usage of all agents that were heard of today, but of those of one spec.
func (l *ledger) today(but string) (Spending, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	day := midnight(l.engine.Now())
	journals, err := l.engine.store.Journals(day)
	if err != nil {
		return Spending{}, err
	}
	var sum Spending
	for id, size := range journals {
		if id == but {
			continue
		}
		e, known := l.read[id]
		if !known || e.size != size || !e.day.Equal(day) {
			h, err := run.ReadHistory(l.engine.store, id)
			if err != nil {
				return Spending{}, err
			}
			e = entry{size, day, usageOf(h, day)}
			l.read[id] = e
		}
		sum = sum.plus(e.usage)
	}
	return sum, nil
}

// midnight is when the day of a time began, where the clock is.
func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}
