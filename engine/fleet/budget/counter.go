package budget

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"time"
)

// Amount is what agents have used.
type Amount struct {
	Cost   int64 `json:"cost_nano,omitempty"` // in billionths of a US dollar
	Tokens int64 `json:"tokens,omitempty"`
	Turns  int64 `json:"turns,omitempty"`
	Time   int64 `json:"ms,omitempty"` // that agents have worked, in milliseconds
}

// nano is the number of units of Cost in a US dollar.
const nano = 1e9

// most limits each number of a total, so that sums do not overflow.
const most = math.MaxInt64 / 1000

// NewAmount returns an amount of US dollars, tokens, turns and time.
func NewAmount(usd float64, tokens, turns int, took time.Duration) Amount {
	cost := math.Round(usd * nano)
	if !(cost > 0) { // or not a number
		cost = 0
	}
	within := func(n int64) int64 { return min(max(0, n), most) }
	return Amount{Cost: within(int64(min(cost, most/2))), Tokens: within(int64(tokens)), Turns: within(int64(turns)), Time: within(took.Milliseconds())}
}

// USD returns the cost in US dollars.
func (a Amount) USD() float64 { return float64(a.Cost) / nano }

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

// impossible reports whether an amount has a number that cannot be.
func (a Amount) impossible() bool {
	return min(a.Cost, a.Tokens, a.Turns, a.Time) < 0 || max(a.Cost, a.Tokens, a.Turns, a.Time) > most
}

// capped returns an amount whose numbers are at most those that are possible.
func (a Amount) capped() Amount {
	return Amount{min(a.Cost, most), min(a.Tokens, most), min(a.Turns, most), min(a.Time, most)}
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

// ownerMost limits the length of the name of an owner, in bytes.
const ownerMost = 120

// Read reads a counter, nothing as an empty one. Error: it is not one.
func Read(content []byte) (Counter, error) {
	c := Counter{}
	if len(content) > 0 {
		if err := json.Unmarshal(content, &c); err != nil {
			return Counter{}, fmt.Errorf("what the fleet has used cannot be read: %w", err)
		}
	}
	for _, totals := range c.Days {
		for node, t := range totals {
			if t.Owner == "" || t.Amount.impossible() || t.Before.impossible() {
				return Counter{}, fmt.Errorf("what the fleet has used has an impossible total of %q: %+v", node, t)
			}
		}
	}
	return c, nil
}

// Bytes returns the content that Read reads. It is the same for the same totals.
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
	if t.Owner != owner {
		t = Total{Owner: owner, Before: t.Before.Plus(t.Amount).capped()}
	}
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
