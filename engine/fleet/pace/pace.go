// Package pace decides how fast agents that use one account may be started, by all machines of a fleet together. Its
// State is a value that they share and that a hub changes for them by comparing the old one; each change is a pure function
// (Rule).
//
// It starts nothing and never waits: who asks is told how long to wait before asking again.
//
// # Rules
//
//   - A start is unproven until its agent has reported something or ended without a refusal, or 30 seconds have passed.
//     At first one unproven start is allowed at a time; each proof raises the number by one, so that it doubles in the
//     time that agents need for a first report.
//   - Up to 64, starts come in rounds: the next round begins when those of the last one are proven, or 5 seconds after
//     it.
//   - A refusal by the account's server sets the number back to one, and nothing starts for the time that the server
//     has asked for, or a growing time of up to a minute. How many starts had succeeded in the last minute is then the
//     rate: no more start in a minute, and refused ones count, as they do for some servers.
//   - The rate rises by one after a minute without a refusal in which it was used up. If that is refused, the next
//     attempt to raise it waits three times as long, up to an hour.
//   - A machine asks and reports only about specs that it has taken from the queue.
//   - A state contains no time of a machine's clock. It has ages, and the time of the queue's server at which they were
//     true: every caller gives the time of that server.
//
// # Decisions
//
// 2026-11-26: a start counts for a minute from its proof, or from 5 seconds after it was allowed if that is earlier.
// Rejected: from when it was allowed, as the server counts from the arrival of a request, and a slow request that is
// followed by fast ones would be the first of too many.
//
// 2026-11-26: starts come in rounds. Rejected: a further start for each proof at once. Where a proof takes no longer
// than a refusal, all that a minute allows had been started twice before the first refusal was known.
//
// 2026-11-26: starts that are proven are counted by the second. Rejected: a list of them, which has 1,500 entries with
// 50 slots and agents that take two seconds, and is written with each start.
package pace

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"chant/engine/fleet"
)

// Kind is that of the shared values that are states of accounts. The name of a value is that of the account.
const Kind = "pace"

// Account is an account that several machines use. Its methods may be called from several goroutines.
type Account struct {
	In   fleet.Asker
	Name string
	Node string // this machine
	Most int    // starts in a minute by the settings, 0 = no limit
}

// happened is what can happen to a start.
type happened string

const (
	ask     happened = "ask"
	proved  happened = "proved"
	refused happened = "refused"
	gone    happened = "gone"
)

// wish is what a machine asks for about the start of the agent of a spec.
type wish struct {
	Event happened      `json:"event"`
	Most  int           `json:"most,omitempty"`    // ask
	Wait  time.Duration `json:"wait_ns,omitempty"` // refused
}

// Ask asks for the start of the agent of a spec.
func (a Account) Ask(ctx context.Context, id string) (p Permit, err error) {
	answer, err := a.tell(ctx, id, wish{Event: ask, Most: a.Most})
	if err == nil {
		err = json.Unmarshal(answer, &p)
	}
	return p, err
}

// Proved reports that an agent has reported something, or has ended without a refusal.
func (a Account) Proved(ctx context.Context, id string) error {
	_, err := a.tell(ctx, id, wish{Event: proved})
	return err
}

// Refused reports that the account's server has refused an agent, and for how long it has asked to wait.
func (a Account) Refused(ctx context.Context, id string, wait time.Duration) error {
	_, err := a.tell(ctx, id, wish{Event: refused, Wait: wait})
	return err
}

// Gone reports that nothing more will be heard of a start.
func (a Account) Gone(ctx context.Context, id string) error {
	_, err := a.tell(ctx, id, wish{Event: gone})
	return err
}

func (a Account) tell(ctx context.Context, id string, w wish) ([]byte, error) {
	text, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	return a.In.Ask(ctx, a.Node, fleet.Wish{Key: Kind + "." + a.Name, Spec: id, Text: text})
}

// Rule changes the state of an account as a machine asks for it. The machine must have taken the spec whose agent it is about.
func Rule(a fleet.Asked) (value, answer []byte, err error) {
	var w wish
	if err := json.Unmarshal(a.Text, &w); err != nil {
		return nil, nil, fmt.Errorf("what is asked about the pace of an account cannot be read: %w", err)
	}
	if a.Spec == "" {
		return nil, nil, fmt.Errorf("nothing starts on the account %.100q without a spec", a.Name)
	}
	s, err := Read(a.Old)
	if err != nil {
		return nil, nil, err
	}
	id := a.Spec + "@" + a.Node
	switch w.Event {
	case ask:
		var p Permit
		s, p = Ask(s, a.Now, id, max(0, w.Most))
		if answer, err = json.Marshal(p); err != nil {
			return nil, nil, err
		}
	case proved:
		s = Proved(s, a.Now, id)
	case refused:
		s = Refused(s, a.Now, id, w.Wait)
	case gone:
		s = Gone(s, a.Now, id)
	default:
		return nil, nil, fmt.Errorf("unknown event %q of a start", w.Event)
	}
	value, err = s.Bytes()
	return value, answer, err
}

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
