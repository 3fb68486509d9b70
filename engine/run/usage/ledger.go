package usage

import (
	"sync"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
)

// ledger adds up what all agents of the project have used since midnight, from the
// journals, to which other processes write too. A journal is read again only when it
// has grown, and not at all when nothing was written to it today.
type ledger struct {
	p *engine.Project

	mu   sync.Mutex
	read map[string]entry
}

// entry is what a journal of a certain size contained.
type entry struct {
	size  int64
	day   time.Time
	usage Spending
	open  []journal.Session // without an end: working, or killed
}

// sumSince returns what all agents have used that reported something since a day began, without
// those of the spec but, and how many of them work now. The time of these counts up to now.
func (l *ledger) sumSince(day time.Time, but string) (sum Spending, working int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	journals, err := l.p.Store.Journals(day)
	if err != nil {
		return Spending{}, 0, err
	}
	// A journal only grows, so the same size means the same content.
	for id, size := range journals {
		if id == but {
			continue
		}
		e, known := l.read[id]
		if !known || e.size != size || !e.day.Equal(day) {
			h, err := journal.ReadHistory(l.p.Store, id)
			if err != nil {
				return Spending{}, 0, err
			}
			e = entry{size, day, UsageOf(h, day), openSessions(h, day)}
			l.read[id] = e
		}
		sum = sum.Plus(e.usage)
		for _, s := range e.open {
			if s.AtWork() {
				working++
				// An agent reports now and then, so its time is counted up to now.
				sum.Seconds += max(0, l.p.Now().Sub(s.Told).Seconds())
			}
		}
	}
	return sum, working, nil
}

// openSessions returns the agents of a journal that reported something at or after a time and whose
// end is not recorded.
func openSessions(h *journal.History, since time.Time) []journal.Session {
	var open []journal.Session
	for _, a := range h.Attempts {
		for _, s := range a.Sessions {
			if !s.Ended && !s.Told.Before(since) {
				open = append(open, s)
			}
		}
	}
	return open
}

// Midnight returns when the day of a time began, in the time zone of that time.
func Midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}
