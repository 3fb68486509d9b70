package train

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// State is what a car does at the moment.
type State string

// The states of a car.
const (
	Waiting  State = "waiting"  // for room, or for the tree of the one before it
	Checking State = "checking" // its criteria run on the tree that results if all before it land
	Passed   State = "passed"   // they hold there, and it waits for its turn
	Failed   State = "failed"   // they do not hold there, or the branch conflicts: it is tried again if one before it leaves
	Landing  State = "landing"
	Held     State = "held" // a person has stopped it, or the whole train
)

// Car is a branch that waits to land, as its process has written it, with what people have ordered.
type Car struct {
	ID       string    `json:"id"`
	Target   string    `json:"target"`
	Priority int       `json:"priority"` // 0 is the most urgent
	Since    time.Time `json:"since"`
	State    State     `json:"state"`
	Why      string    `json:"why,omitempty"`   // of one that failed
	Under    string    `json:"under,omitempty"` // the tree that it was stacked on
	Merge    string    `json:"merge,omitempty"` // the commit that results if all before it land; "" before it was stacked
	Tree     string    `json:"tree,omitempty"`  // of Merge
	Load     float64   `json:"load"`            // processors that its criteria keep busy, on average
	Seconds  float64   `json:"seconds"`         // that its criteria took on its branch
	Began    time.Time `json:"began,omitzero"`  // of the check under way
	// Searching says that it looks for which of those before it makes it fail, or fails without them as well.
	Searching bool   `json:"searching,omitempty"`
	Blames    string `json:"blames,omitempty"` // the one before it without which its criteria hold

	Number  int       `json:"-"` // of its place in the folder
	First   time.Time `json:"-"` // when a person put it before all others; zero = nobody did
	Stopped bool      `json:"-"` // a person holds it
	Ejected bool      `json:"-"` // a person has asked it to leave
	Blamed  bool      `json:"-"` // it has no result yet, and the criteria of another hold only without it
}

// Order sorts cars into the order in which they land: what lands already, what a person has put first, then by priority,
// arrival and id. It depends only on what cars have published, so that all processes agree.
func Order(cars []Car) {
	lands := func(c Car) int {
		if c.State == Landing {
			return 0
		}
		return 1
	}
	slices.SortFunc(cars, func(a, b Car) int {
		// The latest order of a person counts most.
		return cmp.Or(cmp.Compare(lands(a), lands(b)), b.First.Compare(a.First), cmp.Compare(a.Priority, b.Priority), a.Since.Compare(b.Since), cmp.Compare(a.Number, b.Number), cmp.Compare(a.ID, b.ID))
	})
}

// Ahead returns the car that the one at index i is stacked on: the nearest before it that is still expected to land. ok is
// false if there is none, and it is stacked on the target.
func Ahead(cars []Car, i int) (c Car, ok bool) {
	for _, c := range slices.Backward(cars[:i]) {
		if !c.Stopped && !c.Ejected && !c.Searching && !c.Blamed && c.State != Failed && c.Why == "" {
			return c, true
		}
	}
	return Car{}, false
}

// IsFront reports whether nobody has to land or leave before the car at index i.
func IsFront(cars []Car, i int) bool { return len(Before(cars, i)) == 0 }

// Before lists the cars that have to land or leave before the one at index i, which are all but those that are held or ejected: the
// process of one can be stopped, and never leave.
func Before(cars []Car, i int) []string {
	var out []string
	for _, c := range cars[:i] {
		if !c.Stopped && !c.Ejected {
			out = append(out, c.ID)
		}
	}
	return out
}

// NameSome names some cars in a few words, the first ones if they are many.
func NameSome(ids []string) string {
	const most = 3
	names := strings.Join(ids[:min(len(ids), most)], ", ")
	if more := len(ids) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return names
}

// filled is the part of all processors from which on criteria leave no room for others.
const filled = 0.75

// HasRoom reports whether the car at index i may be checked now. With width, the first so many may. Without, that follows
// from the processors that criteria keep busy: the first two may unless one of them fills the machine, and further ones
// as long as all that are being checked fit.
func HasRoom(cars []Car, i, width, processors int) bool {
	ahead, busy := 0, 0.0
	for _, c := range cars[:i] {
		if c.Stopped || c.Ejected || c.State == Failed {
			continue
		}
		ahead++
		// What has passed or waits for room runs nothing.
		if c.State == Checking || c.State == Landing {
			busy += c.Load
		}
	}
	all := float64(processors)
	switch {
	case ahead == 0:
		return true
	case width > 0:
		return ahead < width
	case busy+cars[i].Load <= all:
		return true
	}
	return ahead == 1 && busy < filled*all && cars[i].Load < filled*all
}

// Expected estimates for each car when it lands, from how long its criteria took on its branch; zero for one that is held.
func Expected(cars []Car, width, processors int, now time.Time) []time.Time {
	out := make([]time.Time, len(cars))
	var ends []time.Time // of checks that keep the machine busy, by car
	var loads []float64
	landed := now
	for i, c := range cars {
		if c.Stopped || c.Ejected || c.State == Failed {
			continue
		}
		start := now
		if c.State == Checking && !c.Began.IsZero() {
			start = c.Began
		} else if c.State != Passed && c.State != Landing {
			start = roomAt(ends, loads, c.Load, width, processors, now)
		}
		end := start.Add(time.Duration(c.Seconds * float64(time.Second)))
		if c.State == Passed || end.Before(now) {
			end = now
		}
		ends, loads = append(ends, end), append(loads, c.Load)
		if end.After(landed) {
			landed = end
		}
		out[i] = landed
	}
	return out
}

// roomAt is the first time at which a check with a load has room among those before it.
func roomAt(ends []time.Time, loads []float64, load float64, width, processors int, now time.Time) time.Time {
	times := append([]time.Time{now}, ends...)
	slices.SortFunc(times, time.Time.Compare)
	for _, at := range times {
		if at.Before(now) {
			continue
		}
		running, busy := 0, 0.0
		for i, end := range ends {
			if end.After(at) {
				running++
				busy += loads[i]
			}
		}
		room := busy+load <= float64(processors)
		if width > 0 {
			room = running < width
		}
		if running == 0 || room {
			return at
		}
	}
	return times[len(times)-1]
}
