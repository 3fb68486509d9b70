package train

import "slices"

// search is what a car knows of why its criteria fail. Where it was stacked on cars without a result, each of them is as
// likely the cause as it is itself. So it is checked behind fewer of them, half of those that are left each time, until
// one is found without which its criteria hold.
type search struct {
	before    []Car // those without a result that it failed behind, in order
	low, high int   // it fails behind the first high of them, and not behind fewer than low
	own       bool  // it fails behind none of them
	blames    string
}

// isOpen reports whether the car is not expected to land for now.
func (s *search) isOpen() bool { return s.low < s.high || s.own }

// learn takes the result of a check of the car at index i.
func (s *search) learn(cars []Car, i int, failed bool) {
	switch {
	case s.low < s.high:
		middle := (s.low + s.high) / 2
		if failed {
			s.high = middle
		} else {
			s.low = middle + 1
		}
		if s.low == s.high {
			if s.own = s.low == 0; !s.own {
				s.blames = s.before[s.low-1].ID
			}
		}
	case !failed:
		s.own = false
	case !s.own:
		*s = search{before: withoutResult(cars, i)}
		s.high = len(s.before)
	}
}

// place returns the index at which the car at index i is stacked: that of a car before it while it searches. A search ends
// if the trees change that it is about.
func (s *search) place(cars []Car, i int) int {
	if s.low == s.high {
		return i
	}
	middle := s.before[(s.low+s.high)/2].Number
	at := slices.IndexFunc(cars[:i], func(c Car) bool { return c.Number == middle })
	changed := slices.ContainsFunc(s.before, func(b Car) bool {
		return slices.ContainsFunc(cars, func(c Car) bool {
			return c.Number == b.Number && (c.State == Failed || c.Blamed || c.Searching || c.Stopped || c.Ejected)
		})
	})
	if at < 0 || changed {
		*s = search{}
		return i
	}
	return at
}

// withoutResult returns the cars that the one at index i is stacked on, after the last that has passed.
func withoutResult(cars []Car, i int) (out []Car) {
	for ; ; i = slices.IndexFunc(cars, func(c Car) bool { return c.Number == out[0].Number }) {
		c, ok := Ahead(cars, i)
		if !ok || c.State != Waiting && c.State != Checking {
			return out
		}
		out = slices.Insert(out, 0, c)
	}
}

// MarkBlamed marks the cars without which the criteria of others hold, until they have a result themselves.
func MarkBlamed(cars []Car) {
	var blamed []string
	for _, c := range cars {
		if c.Blames != "" {
			blamed = append(blamed, c.Blames)
		}
	}
	for i := range cars {
		c := &cars[i]
		c.Blamed = (c.State == Waiting || c.State == Checking) && slices.Contains(blamed, c.ID)
	}
}
