package budget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"chant/engine/fleet"
)

// Kind is that of the shared values that are counters: one of days, and one of each run of many machines.
const Kind = "budget"

// The names of the counters.
const (
	ofDays = "day"
	ofRun  = "run." // and its id
)

// Asker has shared values changed by their rules, as fleet.Broker does.
type Asker interface {
	Ask(ctx context.Context, by string, w fleet.Wish) (answer []byte, err error)
}

// Ledger reports what one process and its clone have used. Its methods may be called from several goroutines.
type Ledger struct {
	In      Asker
	Node    string        // this machine
	Clone   string        // names the clone; a new clone has a new name, as it has no journals of the old one
	Process string        // names the process, as no process before it was named
	RunID   string        // names the run of many machines to which the process belongs, "" = none
	Timeout time.Duration // of each exchange

	mu    sync.Mutex
	day   string // the present one
	began time.Time
	there time.Time // by the server, when it was asked for its time last
	here  time.Time // by the clock of this machine
}

// clockTime is how long the time of the server counts as known. Meanwhile the clock of this machine counts on.
const clockTime = time.Minute

// Began returns when the present day of the fleet began, by the clock of this machine, whose time is now. It is the
// same in all calls on one day.
func (l *Ledger) Began(now time.Time) (time.Time, error) {
	there, err := l.serverTime(now)
	if err != nil {
		return time.Time{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if day := there.Format(time.DateOnly); day != l.day {
		l.day, l.began = day, now.Add(-there.Sub(there.Truncate(24*time.Hour)))
	}
	return l.began, nil
}

// serverTime returns the time of the server of the queue, in UTC.
func (l *Ledger) serverTime(now time.Time) (time.Time, error) {
	l.mu.Lock()
	there, passed := l.there, now.Sub(l.here)
	l.mu.Unlock()
	if !there.IsZero() && passed >= 0 && passed < clockTime {
		return there.Add(passed).UTC(), nil
	}
	a, err := l.ask(ofDays, wish{})
	if err != nil {
		return time.Time{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.there, l.here = a.Now, now
	return a.Now.UTC(), nil
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
	a, err := l.ask(ofDays, wish{Day: day, Owner: l.Clone, Total: own})
	return a.Others, err
}

// Run reports what the agents of this process have used, and returns what those of all other processes of the run have.
func (l *Ledger) Run(own Amount) (others Amount, err error) {
	if l.RunID == "" {
		return Amount{}, nil
	}
	a, err := l.ask(ofRun+l.RunID, wish{Owner: l.Process, Total: own})
	return a.Others, err
}

// wish is a report of a machine. One without an owner only asks for the time.
type wish struct {
	Day   string `json:"day,omitempty"` // of a counter of days, as 2006-01-02
	Owner string `json:"owner,omitempty"`
	Total Amount `json:"total,omitzero"`
}

// reply is the answer to a report.
type reply struct {
	Now    time.Time `json:"now"` // by the server
	Others Amount    `json:"others,omitzero"`
}

func (l *Ledger) ask(name string, w wish) (a reply, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.Timeout)
	defer cancel()
	text, err := json.Marshal(w)
	if err != nil {
		return a, err
	}
	answer, err := l.In.Ask(ctx, l.Node, fleet.Wish{Key: Kind + "." + name, Text: text})
	if err == nil {
		err = json.Unmarshal(answer, &a)
	}
	return a, err
}

// Rule counts what a machine reports. A machine can only change its own total.
func Rule(a fleet.Asked) (value, answer []byte, err error) {
	var w wish
	if err := json.Unmarshal(a.Text, &w); err != nil {
		return nil, nil, fmt.Errorf("what a machine has used cannot be read: %w", err)
	}
	r := reply{Now: a.Now}
	if w.Owner == "" {
		answer, err = json.Marshal(r)
		return a.Old, answer, err
	}
	c, err := Read(a.Old)
	if err != nil {
		return nil, nil, err
	}
	switch day, dayErr := time.Parse(time.DateOnly, w.Day); {
	case a.Name == ofDays && (dayErr != nil || a.Now.Sub(day).Abs() > 48*time.Hour):
		return nil, nil, fmt.Errorf("%.40q is not a day whose use can be counted now", w.Day)
	case a.Name != ofDays && (w.Day != "" || !strings.HasPrefix(a.Name, ofRun)):
		return nil, nil, fmt.Errorf("there is no counter %.100q", a.Name)
	}
	if len(w.Owner) > ownerMost || w.Total.impossible() {
		return nil, nil, fmt.Errorf("machine %q reports an impossible total", a.Node)
	}
	c.forget(a.Now)
	r.Others = c.Report(w.Day, a.Node, w.Owner, w.Total)
	if answer, err = json.Marshal(r); err != nil {
		return nil, nil, err
	}
	value, err = c.Bytes()
	return value, answer, err
}
