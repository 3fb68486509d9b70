package pace

import (
	"slices"
	"time"
)

// Proved reports that an agent has reported something, or has ended without a refusal.
func Proved(old State, now time.Time, id string) State {
	s := old.until(now)
	x, found := s.take(id)
	if !found {
		return old
	}
	s.prove(x)
	return s
}

// Gone reports that nothing more will be heard of a start, because its worker has died. It counts as one of the last
// minute and proves nothing.
func Gone(old State, now time.Time, id string) State {
	s := old.until(now)
	x, found := s.take(id)
	if !found {
		return old
	}
	s.count(x)
	return s
}

// Refused reports that the account's server has refused an agent. wait is the time that it has asked for, 0 if none. A
// refusal is counted once, also of an agent that was proven before.
func Refused(old State, now time.Time, id string, wait time.Duration) State {
	s := old.until(now)
	if slices.ContainsFunc(s.Refused, func(x Start) bool { return x.ID == id }) {
		return old
	}
	x, trying := s.take(id)
	// What was allowed before the last refusal is no sign that the pace after it was too fast.
	late := trying && len(s.Refused) > 0 && x.Age > s.Refused[len(s.Refused)-1].Age
	if !late {
		s.Refusals++
		if s.Risen {
			s.Before = min(max(s.Before, ageOf(rise))*3, ageOf(longest))
		}
	}
	s.Refused = append(s.Refused, Start{ID: id})
	s.AtOnce, s.Left, s.Rate, s.Since, s.Risen = 1, 0, max(1, s.inMinute()), 0, false
	if wait <= 0 {
		wait = min(shortest<<min(max(0, s.Refusals-1), 10), minute)
	}
	if hold := ageOf(min(wait, longest)); hold > s.Hold {
		s.Hold, s.Holder = hold, id
	}
	return s
}
