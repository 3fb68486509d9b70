package train

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"chant/gitops/lockfile"
)

// Rider is what a car does by itself while it waits. None of its methods changes anything that others see.
type Rider interface {
	// Target returns the tip of the target, and its tree.
	Target(ctx context.Context) (commit, tree string, err error)
	// Stack merges the branch into a commit, and returns the commit that results and its tree. Both are "" if that is only
	// known once all before it have landed; why says why it does not merge.
	Stack(ctx context.Context, on string) (merge, tree, why string, err error)
	// Check runs the criteria on what was stacked last. why says why they do not hold.
	Check(ctx context.Context, behind []string) (why string, err error)
	// AnnounceHold reports that it waits because a person holds it, or all.
	AnnounceHold()
	// AnnounceWait reports what it has to wait for.
	AnnounceWait(before []string)
}

// Settings are those of landings.
type Settings struct {
	Width     int           // cars that are checked at the same time; 0 = what their criteria leave room for
	ByArrival bool          // the car has no priority
	MaxWait   time.Duration // how long a car waits; 0 = for ever
}

// The ways in which a car leaves before its turn.
var (
	ErrEjected = errors.New("a person has taken it out of the queue")
	ErrMaxWait = errors.New("it has waited in the queue for as long as landing.max_wait allows")
)

const (
	// look is how often a car looks at those before it.
	look = 20 * time.Millisecond
	// quietTime is how long a car waits without a word: most landings take less.
	quietTime = 2 * time.Second
)

// Await waits until nobody is before this car, and returns the lock of the target, which its landing gives back. Meanwhile
// the car is stacked behind the others, and checked as soon as there is room. Errors: the context's, ErrEjected, ErrMaxWait,
// and those of the rider.
func (s *Seat) Await(ctx context.Context, set Settings, rider Rider) (*lockfile.Lock, error) {
	w := &waiting{Seat: s, Settings: set, rider: rider}
	defer w.stopCheck()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		lock, err := w.step(ctx)
		if lock != nil || err != nil {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case r := <-w.result:
			if err := w.checked(ctx, r); err != nil {
				return nil, err
			}
		case <-ticker.C:
		}
	}
}

// Stacked shows the others what results from the landing that holds the lock.
func (s *Seat) Stacked(under, merge, tree string) error {
	if s.car.Under == under && s.car.Merge == merge {
		return nil
	}
	return s.publish(func(c *Car) {
		// On another tree it may not fail.
		if c.Under != under {
			c.Why = ""
		}
		c.Under, c.Merge, c.Tree = under, merge, tree
	})
}

// waiting is a car that waits for its turn.
type waiting struct {
	*Seat
	Settings
	rider Rider

	behind []string          // the cars that it was stacked on
	spent  bool              // what was stacked was checked, or cannot be
	held   bool              // a person holds it, which was announced
	waits  bool              // that it has to wait was announced
	search search            // for why it failed
	failed map[string]string // why, by the tree that it was stacked on
	cancel context.CancelFunc
	result chan result // of the check under way; nil without one
}

// result is that of a check.
type result struct {
	why string
	err error
}

// step does what can be done now, and returns the lock of the target once it is this car's turn.
func (w *waiting) step(ctx context.Context) (*lockfile.Lock, error) {
	cars, err := w.Cars()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(cars, func(c Car) bool { return c.Number == w.place.Number })
	if at < 0 {
		// The reading is older than this car, unless its file is gone.
		return nil, w.isThere()
	}
	me := cars[at]
	w.held = w.held && me.Stopped
	switch {
	case me.Ejected:
		return nil, ErrEjected
	case w.MaxWait > 0 && time.Since(w.began) > w.MaxWait:
		return nil, ErrMaxWait
	case me.Stopped:
		return nil, w.hold()
	case IsFront(cars, at) && w.car.State != Checking:
		return w.takeTurn()
	}
	if before := Before(cars, at); !w.waits && len(before) > 0 && time.Since(w.began) > quietTime {
		w.waits = true
		w.rider.AnnounceWait(before)
	}
	if err := w.stack(ctx, cars, at); err != nil {
		return nil, err
	}
	if w.result == nil && !w.spent && w.car.Merge != "" && w.car.State == Waiting && HasRoom(cars, at, w.Width, runtime.NumCPU()) {
		return nil, w.check(ctx)
	}
	return nil, nil
}

// isThere checks that nobody has removed the file of the car, without which it would wait for ever.
func (w *waiting) isThere() error {
	_, err := os.Stat(carPath(w.dir, w.place.Number))
	return err
}

// hold ends what a car does that a person holds.
func (w *waiting) hold() error {
	// First, since the check reports its progress as well.
	w.stopCheck()
	if !w.held {
		w.held = true
		w.rider.AnnounceHold()
	}
	// What was found out before still counts once it is resumed.
	if w.car.State != Checking {
		return nil
	}
	return w.becomes(Waiting, "")
}

// takeTurn takes the lock of the target, if nobody has it.
func (w *waiting) takeTurn() (*lockfile.Lock, error) {
	lock, err := lockfile.AcquireFor(w.turn(), purpose(w.car.ID))
	var held *lockfile.HeldError
	if errors.As(err, &held) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// One that has failed still is not expected to land.
	if err := w.becomes(Landing, w.car.Why); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return lock, nil
}

// Turn waits for the lock of the target, for a change of it that is not a landing.
func (t Train) Turn(ctx context.Context, what string) (*lockfile.Lock, error) {
	return lockfile.AcquireWait(ctx, t.turn(), what)
}

func (t Train) turn() string { return filepath.Join(t.dir, "turn.lock") }

func purpose(id string) lockfile.Purpose {
	return lockfile.Purpose{What: "land " + id, Role: lockfile.Lasting, About: id}
}

// stack merges the branch into what results from the cars before it, if that has become another tree.
func (w *waiting) stack(ctx context.Context, cars []Car, at int) error {
	me, on, under := at, "", ""
	at = w.search.place(cars, at)
	if ahead, ok := Ahead(cars, at); ok {
		on, under = ahead.Merge, ahead.Tree
	} else {
		var err error
		if on, under, err = w.rider.Target(ctx); err != nil {
			return err
		}
	}
	searching := w.search.isOpen()
	if under == w.car.Under && searching == w.car.Searching {
		return nil
	}
	w.stopCheck()
	w.spent, w.behind = false, expected(cars[:at])
	if on == "" {
		// The one before it is not stacked yet.
		return w.publish(func(c *Car) {
			c.State, c.Under, c.Merge, c.Tree, c.Why, c.Searching = Waiting, "", "", "", "", searching
		})
	}
	merge, tree, why, err := w.rider.Stack(ctx, on)
	if err != nil {
		return err
	}
	state := Waiting
	if why = cmp.Or(why, w.failed[under]); why != "" {
		state, w.spent = Failed, true
		// The search goes on without a check.
		if searching {
			w.search.learn(cars, me, true)
			searching = w.search.isOpen()
		}
	}
	return w.publish(func(c *Car) {
		c.State, c.Under, c.Merge, c.Tree, c.Why, c.Searching, c.Blames = state, under, merge, tree, why, searching, w.search.blames
	})
}

// expected lists the cars that are still expected to land.
func expected(cars []Car) []string {
	var out []string
	for i := range cars {
		if c, ok := Ahead(cars, i+1); ok && c.Number == cars[i].Number {
			out = append(out, c.ID)
		}
	}
	return out
}

// present lists those of the ids that have not left.
func present(cars []Car, ids []string) []string {
	var out []string
	for _, id := range ids {
		if slices.ContainsFunc(cars, func(c Car) bool { return c.ID == id }) {
			out = append(out, id)
		}
	}
	return out
}

func (w *waiting) becomes(state State, why string) error {
	if w.car.State == state && w.car.Why == why {
		return nil
	}
	return w.publish(func(c *Car) { c.State, c.Why = state, why })
}

// check starts to run the criteria on what was stacked.
func (w *waiting) check(ctx context.Context) error {
	ctx, w.cancel = context.WithCancel(ctx)
	w.result = make(chan result, 1)
	go func(out chan<- result, behind []string) {
		why, err := w.rider.Check(ctx, behind)
		out <- result{why, err}
	}(w.result, w.behind)
	return w.publish(func(c *Car) { c.State, c.Began = Checking, time.Now().UTC() })
}

// stopCheck ends the check under way, and waits for its end.
func (w *waiting) stopCheck() {
	if w.result != nil {
		w.cancel()
		<-w.result
		w.result = nil
	}
}

// checked takes the result of the check under way.
func (w *waiting) checked(ctx context.Context, r result) error {
	w.cancel()
	w.result, w.spent = nil, true
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case r.err != nil:
		// Whatever broke is reported by the landing, which runs the criteria again.
		return w.becomes(Waiting, "")
	}
	cars, err := w.Cars()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(cars, func(c Car) bool { return c.Number == w.place.Number })
	// A result behind cars of which one is no longer expected would be blamed on the others.
	if at >= 0 && slices.Equal(present(cars, w.behind), expected(cars[:w.search.place(cars, at)])) {
		w.search.learn(cars, at, r.why != "")
	}
	state := Passed
	if r.why != "" {
		state = Failed
		if w.failed == nil {
			w.failed = map[string]string{}
		}
		w.failed[w.car.Under] = r.why
	}
	return w.publish(func(c *Car) {
		c.State, c.Why, c.Searching, c.Blames = state, r.why, w.search.isOpen(), w.search.blames
	})
}
