package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"sync"
	"time"
)

// BudgetKind is that of the shared values that are counters: one of days, and one of the run of all machines.
const BudgetKind = "budget"

// The names of the counters.
const (
	ofDays = "day"
	ofRun  = "run.fleet"
)

// Ledger reports what one process and its clone have used. Its methods may be called from several goroutines.
type Ledger struct {
	In      Asker
	Node    string        // this machine
	Clone   string        // names the clone; a new clone has a new name, as it has no journals of the old one
	Process string        // names the process, as no process before it was named
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
	// The clock of this machine may be set in between, and a negative difference is not used.
	if !there.IsZero() && passed >= 0 && passed < clockTime {
		return there.Add(passed).UTC(), nil
	}
	a, err := l.ask(ofDays, budgetReport{})
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
	a, err := l.ask(ofDays, budgetReport{Day: day, Owner: l.Clone, Total: own})
	return a.Others, err
}

// Run reports what the agents of this process have used, and returns what those of all other processes of the run have.
func (l *Ledger) Run(own Amount) (others Amount, err error) {
	a, err := l.ask(ofRun, budgetReport{Owner: l.Process, Total: own})
	return a.Others, err
}

// budgetReport is a report of a machine. One without an owner only asks for the time.
type budgetReport struct {
	Day   string `json:"day,omitempty"` // of a counter of days, as 2006-01-02
	Owner string `json:"owner,omitempty"`
	Total Amount `json:"total,omitzero"`
}

// budgetReply is the answer to a report.
type budgetReply struct {
	Now    time.Time `json:"now"` // by the server
	Others Amount    `json:"others,omitzero"`
}

func (l *Ledger) ask(name string, w budgetReport) (a budgetReply, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.Timeout)
	defer cancel()
	text, err := json.Marshal(w)
	if err != nil {
		return a, err
	}
	answer, err := l.In.Ask(ctx, l.Node, Wish{Key: BudgetKind + "." + name, Text: text})
	if err == nil {
		err = json.Unmarshal(answer, &a)
	}
	return a, err
}

// BudgetRule counts what a machine reports. A machine can only change its own total.
func BudgetRule(a Asked) (value, answer []byte, err error) {
	var w budgetReport
	if err := json.Unmarshal(a.Text, &w); err != nil {
		return nil, nil, fmt.Errorf("what a machine has used cannot be read: %w", err)
	}
	r := budgetReply{Now: a.Now}
	// Only the time was asked for, so the value stays.
	if w.Owner == "" {
		answer, err = json.Marshal(r)
		return a.Old, answer, err
	}
	c, err := readCounter(a.Old)
	if err != nil {
		return nil, nil, err
	}
	switch day, dayErr := time.Parse(time.DateOnly, w.Day); {
	// Two days of room for the moments around midnight, and no counters of any other day.
	case a.Name == ofDays && (dayErr != nil || a.Now.Sub(day).Abs() > 48*time.Hour):
		return nil, nil, fmt.Errorf("%.40q is not a day whose use can be counted now", w.Day)
	case a.Name != ofDays && (w.Day != "" || a.Name != ofRun):
		return nil, nil, fmt.Errorf("there is no counter %.100q", a.Name)
	}
	if len(w.Owner) > maxOwner || w.Total.isImpossible() {
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

// Amount is what agents have used.
type Amount struct {
	Cost   int64 `json:"cost_nano,omitempty"` // in billionths of a US dollar
	Tokens int64 `json:"tokens,omitempty"`
	Turns  int64 `json:"turns,omitempty"`
	Time   int64 `json:"ms,omitempty"` // that agents have worked, in milliseconds
}

// nanoPerUSD is the number of units of Cost in a US dollar.
const nanoPerUSD = 1e9

// maxAmount limits each number of a total, so that sums do not overflow.
const maxAmount = math.MaxInt64 / 1000

// NewAmount returns an amount of US dollars, tokens, turns and time.
func NewAmount(usd float64, tokens, turns int, took time.Duration) Amount {
	cost := math.Round(usd * nanoPerUSD)
	// This is also true for a value that is not a number.
	if !(cost > 0) {
		cost = 0
	}
	within := func(n int64) int64 { return min(max(0, n), maxAmount) }
	return Amount{Cost: within(int64(min(cost, maxAmount/2))), Tokens: within(int64(tokens)), Turns: within(int64(turns)), Time: within(took.Milliseconds())}
}

// USD returns the cost in US dollars.
func (a Amount) USD() float64 { return float64(a.Cost) / nanoPerUSD }

// Took returns how long agents have worked.
func (a Amount) Took() time.Duration { return time.Duration(a.Time) * time.Millisecond }

// Plus returns the sum of two amounts.
func (a Amount) Plus(b Amount) Amount {
	return Amount{a.Cost + b.Cost, a.Tokens + b.Tokens, a.Turns + b.Turns, a.Time + b.Time}
}

// max returns the larger number of each kind.
func (a Amount) max(b Amount) Amount {
	return Amount{max(a.Cost, b.Cost), max(a.Tokens, b.Tokens), max(a.Turns, b.Turns), max(a.Time, b.Time)}
}

// isImpossible reports whether an amount has a number that cannot be.
func (a Amount) isImpossible() bool {
	return min(a.Cost, a.Tokens, a.Turns, a.Time) < 0 || max(a.Cost, a.Tokens, a.Turns, a.Time) > maxAmount
}

// clamp returns an amount whose numbers are at maxAmount those that are possible.
func (a Amount) clamp() Amount {
	return Amount{min(a.Cost, maxAmount), min(a.Tokens, maxAmount), min(a.Turns, maxAmount), min(a.Time, maxAmount)}
}

// Counter has the totals of all machines, by day; that of a run has one day without a name.
type Counter struct {
	Days map[string]map[string]Total `json:"days"`
}

// Total is what a machine has reported.
type Total struct {
	Owner  string `json:"owner"` // of the amount, who has reported last
	Amount Amount `json:"amount"`
	Before Amount `json:"before,omitzero"` // of the owners before it, which have ended
}

// maxOwner limits the length of the name of an owner, in bytes.
const maxOwner = 120

// readCounter reads a counter, nothing as an empty one. Error: it is not one.
func readCounter(content []byte) (Counter, error) {
	c := Counter{}
	if len(content) > 0 {
		if err := json.Unmarshal(content, &c); err != nil {
			return Counter{}, fmt.Errorf("what the fleet has used cannot be read: %w", err)
		}
	}
	for _, totals := range c.Days {
		for node, t := range totals {
			if t.Owner == "" || t.Amount.isImpossible() || t.Before.isImpossible() {
				return Counter{}, fmt.Errorf("what the fleet has used has an impossible total of %q: %+v", node, t)
			}
		}
	}
	return c, nil
}

// Bytes returns the content that readCounter reads. It is the same for the same totals.
func (c Counter) Bytes() ([]byte, error) { return json.Marshal(c) }

// Report records the total of an owner on a machine, and returns the sum of all others. It never makes a total smaller.
func (c *Counter) Report(day, node, owner string, total Amount) (others Amount) {
	if c.Days == nil {
		c.Days = map[string]map[string]Total{}
	}
	totals := c.Days[day]
	if totals == nil {
		totals = map[string]Total{}
		c.Days[day] = totals
	}
	t := totals[node]
	// A new clone or process starts at zero, so what the former has used is kept apart.
	if t.Owner != owner {
		t = Total{Owner: owner, Before: t.Before.Plus(t.Amount).clamp()}
	}
	// A report that is late or repeated must not make the total smaller.
	t.Amount = t.Amount.max(total)
	totals[node] = t
	return c.Sum(day).Plus(Amount{-t.Amount.Cost, -t.Amount.Tokens, -t.Amount.Turns, -t.Amount.Time})
}

// Sum returns the sum of all totals of a day.
func (c Counter) Sum(day string) Amount {
	var sum Amount
	for _, t := range c.Days[day] {
		sum = sum.Plus(t.Amount).Plus(t.Before)
	}
	return sum
}

// forget removes the days that have been over for a day.
func (c Counter) forget(now time.Time) {
	last := now.UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	maps.DeleteFunc(c.Days, func(day string, _ map[string]Total) bool { return day != "" && day < last })
}
