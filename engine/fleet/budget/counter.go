package budget

import (
	"encoding/json"
	"fmt"
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

// Counter has the totals of all owners.
type Counter struct {
	Totals map[string]Amount `json:"totals"`
}

// Read reads a counter, nothing as an empty one. Error: it is not one.
func Read(content []byte) (Counter, error) {
	c := Counter{}
	if len(content) > 0 {
		if err := json.Unmarshal(content, &c); err != nil {
			return Counter{}, fmt.Errorf("what the fleet has used cannot be read: %w", err)
		}
	}
	for owner, a := range c.Totals {
		if owner == "" || min(a.Cost, a.Tokens, a.Turns, a.Time) < 0 || max(a.Cost, a.Tokens, a.Turns, a.Time) > most {
			return Counter{}, fmt.Errorf("what the fleet has used has an impossible total of %q: %+v", owner, a)
		}
	}
	if c.Totals == nil {
		c.Totals = map[string]Amount{}
	}
	return c, nil
}

// Bytes returns the content that Read reads. It is the same for the same totals.
func (c Counter) Bytes() ([]byte, error) { return json.Marshal(c) }

// Report records the total of an owner. It never makes a total smaller.
func (c Counter) Report(owner string, total Amount) { c.Totals[owner] = c.Totals[owner].max(total) }

// Sum returns the sum of all totals.
func (c Counter) Sum() Amount {
	var sum Amount
	for _, a := range c.Totals {
		sum = sum.Plus(a)
	}
	return sum
}

// Others returns the sum of the totals of all other owners.
func (c Counter) Others(owner string) Amount {
	own := c.Totals[owner]
	return c.Sum().Plus(Amount{-own.Cost, -own.Tokens, -own.Turns, -own.Time})
}
