package pace

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// The times of the rules.
const (
	proof    = 30 * time.Second // after which a start counts as proven
	latest   = 5 * time.Second  // after it was allowed, from when a start counts at the latest
	minute   = time.Minute
	grain    = time.Second      // in which proven starts are counted together
	rise     = time.Minute      // without a refusal, before the rate rises
	longest  = time.Hour        // the most that is waited before the rate rises, or that a server can ask for
	shortest = 10 * time.Second // for which nothing starts after a refusal that asks for no time

	setBack   = 5 * time.Second // by which the times of two callers of one server never differ
	forgotten = 24 * time.Hour  // after which no age matters
)

// The numbers of the rules.
const (
	mostAtOnce = 1000 // unproven starts
	inRounds   = 64   // up to which they come in rounds
)

// State is what machines share about an account. The zero value is that of an account which was never used.
type State struct {
	At     time.Time `json:"at,omitzero"`         // when the ages were true, by the clock of the queue's server
	AtOnce int       `json:"at_once,omitempty"`   // how many starts may be unproven, 0 = 1
	Left   int       `json:"left,omitempty"`      // how many starts of the present round are left
	Trying []Start   `json:"trying,omitempty"`    // unproven
	Past   []Second  `json:"past,omitempty"`      // proven in the last minute, the oldest first
	Hold   Age       `json:"hold_ms,omitempty"`   // for how long nothing starts
	Holder string    `json:"holder,omitempty"`    // the start whose refusal is the reason for that
	Rate   int       `json:"rate,omitempty"`      // starts in a minute, 0 = no limit has been learned
	Since  Age       `json:"since_ms,omitempty"`  // since when there was no refusal and no rise
	Before Age       `json:"before_ms,omitempty"` // how long Since must be before the rate rises, 0 = a minute
	Risen  bool      `json:"risen,omitempty"`     // the last change of the rate was a rise that is not confirmed yet

	Refusals int     `json:"refusals,omitempty"` // one after another, without a proof between them
	Refused  []Start `json:"refused,omitempty"`  // in the last minute, so that a repeated report changes nothing
}

// Age is a time that has passed, in milliseconds.
type Age int64

func (a Age) span() time.Duration { return time.Duration(a) * time.Millisecond }

func ageOf(d time.Duration) Age { return Age(d / time.Millisecond) }

// Start is a start that was allowed, and how long ago.
type Start struct {
	ID  string `json:"id"`
	Age Age    `json:"age_ms"`
}

// Second is a number of starts that were proven within a second, and how long ago the first of them was.
type Second struct {
	Age Age `json:"age_ms"`
	N   int `json:"n"`
}

// Read reads a state, nothing as the zero value. Error: it is not one.
func Read(content []byte) (State, error) {
	var s State
	if len(content) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(content, &s); err != nil {
		return State{}, fmt.Errorf("the pace of an account cannot be read: %w", err)
	}
	odd := func(a Age) bool { return a < 0 || a > ageOf(1000*longest) }
	if s.AtOnce < 0 || s.AtOnce > mostAtOnce || s.Left < 0 || s.Left > mostAtOnce || s.Rate < 0 || s.Refusals < 0 || odd(s.Hold) || odd(s.Since) || odd(s.Before) ||
		slices.ContainsFunc(slices.Concat(s.Trying, s.Refused), func(x Start) bool { return x.ID == "" || odd(x.Age) }) ||
		slices.ContainsFunc(s.Past, func(x Second) bool { return x.N < 1 || x.N > 1<<20 || odd(x.Age) }) {
		return State{}, fmt.Errorf("the pace of an account has a number that cannot be: %.200s", content)
	}
	return s, nil
}

// Bytes returns the content that Read reads.
func (s State) Bytes() ([]byte, error) { return json.Marshal(s) }

// until returns the state as it is at a time of the queue's server. Nothing of s is changed.
func (s State) until(now time.Time) State {
	passed := now.Sub(s.At)
	switch {
	case s.At.IsZero() || passed < -setBack || passed > forgotten: // below -setBack the clock of the server was set
		s.At, passed = now, min(max(0, passed), forgotten)
	case passed < 0: // whoever changed it last has asked for the time a moment later
		passed = 0
	}
	by := ageOf(passed)
	if passed < forgotten {
		s.At = s.At.Add(by.span()) // parts of a millisecond count the next time
	}
	s.Hold, s.Since = max(0, s.Hold-by), min(s.Since+by, ageOf(2*longest))
	old := s
	s.Trying, s.Past, s.Refused = nil, nil, nil
	for _, x := range old.Past {
		if x.Age += by; x.Age.span() < minute+grain {
			s.Past = append(s.Past, x)
		}
	}
	for _, x := range old.Refused {
		if x.Age += by; x.Age.span() < minute+grain {
			s.Refused = append(s.Refused, x)
		}
	}
	for _, x := range old.Trying {
		if x.Age += by; x.Age.span() < proof {
			s.Trying = append(s.Trying, x)
			continue
		}
		s.prove(x)
	}
	return s
}

// prove counts a start as proven, which is no longer among the unproven ones.
func (s *State) prove(x Start) {
	s.Refusals = 0
	s.AtOnce = min(s.atOnce()+1, mostAtOnce)
	s.count(x)
}

// count adds a start to those of the last minute.
func (s *State) count(x Start) {
	age := max(0, x.Age-ageOf(latest))
	if age.span() >= minute+grain {
		return
	}
	i := len(s.Past)
	for i > 0 && s.Past[i-1].Age < age {
		i--
	}
	if i > 0 && (s.Past[i-1].Age-age).span() < grain {
		s.Past[i-1].N++
		return
	}
	s.Past = slices.Insert(s.Past, i, Second{age, 1})
}

// atOnce returns how many starts may be unproven.
func (s *State) atOnce() int { return max(1, s.AtOnce) }

// left returns how many agents may start now, as far as the unproven ones decide it.
func (s *State) left() int {
	free := max(0, s.atOnce()-len(s.Trying))
	last := len(s.Trying) - 1
	if s.Left > 0 && s.AtOnce < inRounds {
		return min(s.Left, free)
	}
	if s.AtOnce < inRounds && last >= 0 && s.Trying[last].Age.span() < latest {
		return 0
	}
	return free
}

// inMinute returns how many starts of the last minute were not refused.
func (s *State) inMinute() int {
	n := len(s.Trying)
	for _, x := range s.Past {
		n += x.N
	}
	return n
}

// calls returns how many starts of the last minute a server may count: some count those that they refuse, too.
func (s *State) calls() int { return s.inMinute() + len(s.Refused) }

// take removes a start from the unproven ones.
func (s *State) take(id string) (x Start, found bool) {
	i := slices.IndexFunc(s.Trying, func(x Start) bool { return x.ID == id })
	if i < 0 {
		return Start{}, false
	}
	x = s.Trying[i]
	s.Trying = slices.Delete(s.Trying, i, i+1)
	return x, true
}
