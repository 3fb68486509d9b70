package budget

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Shared is where machines share counters.
type Shared interface {
	// Share changes a shared value by comparing its old one, as fleet.Broker does.
	Share(ctx context.Context, key string, change func(old []byte) ([]byte, error)) error
	// Now returns the time of the server that has the values.
	Now(ctx context.Context) (time.Time, error)
}

// Ledger reports what one process and its clone have used. Its methods may be called from several goroutines.
type Ledger struct {
	In      Shared
	Clone   string        // names the clone; a new clone has a new name, as it has no journals of the old one
	Process string        // names the process, as no process before it was named
	RunID   string        // names the run of many machines to which the process belongs, "" = none
	Timeout time.Duration // of each exchange

	mu    sync.Mutex
	day   string // the present one
	began time.Time
}

// keyLayout is the layout of the keys of days.
const keyLayout = "budget.day.2006-01-02"

// Began returns when the present day of the fleet began, by the clock of this machine, whose time is now. It is the
// same in all calls on one day.
func (l *Ledger) Began(now time.Time) (time.Time, error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.Timeout)
	defer cancel()
	there, err := l.In.Now(ctx)
	if err != nil {
		return time.Time{}, err
	}
	there = there.UTC()
	midnight := there.Truncate(24 * time.Hour)
	l.mu.Lock()
	defer l.mu.Unlock()
	if key := there.Format(keyLayout); key != l.day {
		l.day, l.began = key, now.Add(-there.Sub(midnight))
		old := midnight.AddDate(0, 0, -2).Format(keyLayout)
		err = l.In.Share(ctx, old, func([]byte) ([]byte, error) { return nil, nil })
	}
	return l.began, err
}

// errNoDay is returned by a bug: nothing can be reported before a day has begun.
var errNoDay = errors.New("the day of the fleet is not known yet")

// Day reports what the agents of this clone have used since the day began, and returns what those of all others have.
func (l *Ledger) Day(own Amount) (others Amount, err error) {
	l.mu.Lock()
	day := l.day
	l.mu.Unlock()
	if day == "" {
		return Amount{}, errNoDay
	}
	return l.exchange(day, l.Clone, own)
}

// Run reports what the agents of this process have used, and returns what those of all other processes of the run have.
func (l *Ledger) Run(own Amount) (others Amount, err error) {
	if l.RunID == "" {
		return Amount{}, nil
	}
	return l.exchange("budget.run."+l.RunID, l.Process, own)
}

func (l *Ledger) exchange(key, owner string, own Amount) (others Amount, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.Timeout)
	defer cancel()
	err = l.In.Share(ctx, key, func(old []byte) ([]byte, error) {
		c, err := Read(old)
		if err != nil {
			return nil, err
		}
		c.Report(owner, own)
		others = c.Others(owner)
		return c.Bytes()
	})
	return others, err
}
