package pace

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// again is when to ask again for what may change at any moment.
const again = 250 * time.Millisecond

// Permit is the answer to who asks whether an agent may start.
type Permit struct {
	Granted bool          `json:"granted,omitempty"`
	Wait    time.Duration `json:"wait_ns,omitempty"` // before asking again
	Why     string        `json:"why,omitempty"`     // it has to wait
}

// Ask asks for the start of an agent at a time of the queue's server. id names the start: asking again for one that was
// granted changes nothing. most is the limit of the settings for a minute, 0 = none. Without a permit the state is
// returned as it was.
func Ask(old State, now time.Time, id string, most int) (State, Permit) {
	s := old.until(now)
	for _, x := range s.Trying {
		if x.ID == id {
			return old, Permit{Granted: true}
		}
	}
	if s.Hold > 0 {
		return old, Permit{Wait: s.Hold.span(), Why: "the account's server has refused the agent of " + s.Holder}
	}
	left := s.left()
	if left == 0 {
		return old, Permit{Wait: again, Why: fmt.Sprintf("agents that were just started have not reported anything yet: %d", len(s.Trying))}
	}
	if most > 0 && s.calls() >= most {
		return old, Permit{Wait: s.untilFewer(most), Why: fmt.Sprintf("starts_per_minute is %d", most)}
	}
	if s.Rate > 0 && s.calls() >= s.Rate && !s.mayRise() {
		return old, Permit{Wait: s.untilFewer(s.Rate), Why: fmt.Sprintf("the account's server accepts about %d starts in a minute", s.Rate)}
	}
	s.Left = left - 1
	s.Trying = append(s.Trying, Start{ID: id})
	return s, Permit{Granted: true}
}

// mayRise raises the rate, which is used up, if it is time for that.
func (s *State) mayRise() bool {
	if s.Risen && s.Since.span() >= rise { // a minute at the new rate
		s.Risen, s.Before = false, 0
	}
	if s.Since.span() < max(rise, s.Before.span()) {
		return false
	}
	s.Rate, s.Risen, s.Since = s.Rate+1, true, 0
	return true
}

// untilFewer returns how long until the calls of the last minute are fewer than n. Unproven ones count for longer.
func (s *State) untilFewer(n int) time.Duration {
	over := s.calls() - n
	past := slices.Clone(s.Past)
	for _, x := range s.Refused {
		past = append(past, Second{x.Age, 1})
	}
	slices.SortFunc(past, func(a, b Second) int { return cmp.Compare(b.Age, a.Age) })
	for _, x := range past {
		if over -= x.N; over < 0 {
			return max(again, minute+grain-x.Age.span())
		}
	}
	return again
}
