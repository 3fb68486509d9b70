package usage

import (
	"time"

	"chant/engine/fleet"
)

// Fleet exchanges with other machines what agents have used. fleet.Ledger implements it.
type Fleet interface {
	// Began returns when the present day of the fleet began, by the clock of this machine, whose time is now.
	Began(now time.Time) (time.Time, error)
	// Day reports what all agents of this clone have used since then, and returns what those of all others have.
	Day(own fleet.Amount) (others fleet.Amount, err error)
	// Run does the same for the agents of this command, within a run of several machines.
	Run(own fleet.Amount) (others fleet.Amount, err error)
}

// recent is how long what others have used counts as known where it is asked for all the time.
const recent = 5 * time.Second

// elsewhere is what agents of other machines have used.
type elsewhere struct {
	day, run Spending
	at       time.Time // when it was asked for
}

// ShareWith makes the limits of the command and the day those of all machines together. It must be called before the
// budget is used.
func (b *Budget) ShareWith(f Fleet) { b.fleet = f }

// midnight returns when the day began whose limits apply: that of this machine, or that of the fleet.
func (b *Budget) midnight() (time.Time, error) {
	now := b.p.Now()
	if b.fleet == nil {
		return Midnight(now), nil
	}
	began, err := b.fleet.Began(now)
	if err == nil {
		b.mu.Lock()
		b.day = began
		b.mu.Unlock()
	}
	return began, err
}

// dayBegan is midnight without an error: while the fleet cannot be reached, its day is the one that was known last.
func (b *Budget) dayBegan() time.Time {
	if began, err := b.midnight(); err == nil {
		return began
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.day.IsZero() {
		return Midnight(b.p.Now())
	}
	return b.day
}

// exchangeUsage reports what was used here, on the day and by this command, and returns what was used elsewhere. Error: what
// others have used is unknown; then it is what was known last.
func (b *Budget) exchangeUsage(day Spending) (elsewhere, error) {
	if b.fleet == nil {
		return elsewhere{}, nil
	}
	c, found := b.p.Config.Limits, elsewhere{at: b.p.Now()}
	var err error
	if c.Day.Any() {
		found.day, err = exchange(b.fleet.Day, day)
	}
	if c.Run.Any() && err == nil {
		found.run, err = exchange(b.fleet.Run, b.Spent())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		// The time is set all the same, so that an unreachable fleet is asked again only after a while.
		b.known.at = found.at
		return b.known, err
	}
	b.known = found
	return found, nil
}

// lastKnown returns what was used elsewhere, as far as it is known, and whether that is recent.
func (b *Budget) lastKnown() (known elsewhere, isRecent bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.known, b.fleet == nil || b.p.Now().Sub(b.known.at) < recent
}

func exchange(with func(fleet.Amount) (fleet.Amount, error), own Spending) (Spending, error) {
	use, usd := own.Use(), 0.0
	if use.Cost != nil {
		usd = *use.Cost
	}
	a, err := with(fleet.NewAmount(usd, use.Tokens, use.Turns, own.Took()))
	others := Spending{Input: int(a.Tokens), Turns: int(a.Turns), Seconds: a.Took().Seconds()}
	if a.Cost > 0 {
		cost := a.USD()
		others.CostUSD = &cost
	}
	return others, err
}
