// Package pace decides how fast agents that use one account may be started, by all machines of a fleet together. Its
// State is a value that they share and that a hub changes for them by comparing the old one; each change is a pure function
// (Rule).
//
// It starts nothing and never waits: the caller learns how long to wait before asking again.
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
//   - All times of a state are by the clock of the queue's server. If that clock is set back, what was learned is forgotten.
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

// Permit is the answer to who asks whether an agent may start.
type Permit struct {
	Granted bool          `json:"granted,omitempty"`
	Wait    time.Duration `json:"wait_ns,omitempty"` // before asking again
	Why     string        `json:"why,omitempty"`     // it has to wait
}

// event is what can happen to a start.
type event string

const (
	asked   event = "ask"
	proved  event = "proved"
	refused event = "refused"
	gone    event = "gone"
)

// wish is what a machine asks for about the start of the agent of a spec.
type wish struct {
	Event event         `json:"event"`
	Most  int           `json:"most,omitempty"`    // asked
	Wait  time.Duration `json:"wait_ns,omitempty"` // refused
}

// Ask asks for the start of the agent of a spec.
func (a Account) Ask(ctx context.Context, id string) (p Permit, err error) {
	answer, err := a.send(ctx, id, wish{Event: asked, Most: a.Most})
	if err == nil {
		err = json.Unmarshal(answer, &p)
	}
	return p, err
}

// ReportProven reports that an agent has reported something, or has ended without a refusal.
func (a Account) ReportProven(ctx context.Context, id string) error {
	_, err := a.send(ctx, id, wish{Event: proved})
	return err
}

// ReportRefusal reports that the account's server has refused an agent, and for how long it has asked to wait.
func (a Account) ReportRefusal(ctx context.Context, id string, wait time.Duration) error {
	_, err := a.send(ctx, id, wish{Event: refused, Wait: wait})
	return err
}

// ReportGone reports that nothing more will be heard of a start.
func (a Account) ReportGone(ctx context.Context, id string) error {
	_, err := a.send(ctx, id, wish{Event: gone})
	return err
}

func (a Account) send(ctx context.Context, id string, w wish) ([]byte, error) {
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
	s, err := readState(a.Old)
	if err != nil {
		return nil, nil, err
	}
	id := a.Spec + "@" + a.Node
	switch w.Event {
	case asked:
		var p Permit
		s, p = s.ask(a.Now, id, max(0, w.Most))
		if answer, err = json.Marshal(p); err != nil {
			return nil, nil, err
		}
	case proved:
		s = s.confirm(a.Now, id)
	case refused:
		s = s.refuse(a.Now, id, w.Wait)
	case gone:
		s = s.drop(a.Now, id)
	default:
		return nil, nil, fmt.Errorf("unknown event %q of a start", w.Event)
	}
	value, err = json.Marshal(s)
	return value, answer, err
}

// The times of the rules.
const (
	again   = 250 * time.Millisecond // before asking again for what may change at any moment
	proof   = 30 * time.Second       // after which a start counts as proven
	latest  = 5 * time.Second        // after it was allowed, from when a start counts at the latest
	grain   = time.Second            // in which proven starts are counted together
	counted = time.Minute + grain    // for which a start counts as one of the last minute
	rise    = time.Minute            // without a refusal, before the rate rises
	maxWait = time.Hour              // the most that is waited before the rate rises, or that a server can ask for
	minWait = 10 * time.Second       // for which nothing starts after a refusal that asks for no time
	setBack = 5 * time.Second        // by which the times of two callers of one server never differ
)

// The numbers of the rules.
const (
	maxAtOnce = 1000 // unproven starts
	inRounds  = 64   // up to which they come in rounds
)

// state is what machines share about an account. The zero value is that of an account which was never used.
type state struct {
	At     time.Time     `json:"at,omitzero"`        // of the last change
	AtOnce int           `json:"at_once,omitempty"`  // how many starts may be unproven, 0 = 1
	Left   int           `json:"left,omitempty"`     // how many starts of the present round are left
	Trying []start       `json:"starts,omitempty"`   // unproven
	Past   []second      `json:"proven,omitempty"`   // in the last minute, the oldest first
	Until  time.Time     `json:"until,omitzero"`     // before that nothing starts
	Holder string        `json:"holder,omitempty"`   // the start whose refusal is the reason for that
	Rate   int           `json:"rate,omitempty"`     // starts in a minute, 0 = no limit has been learned
	Since  time.Time     `json:"since,omitzero"`     // since when there was no refusal and no rise
	Before time.Duration `json:"before_ns,omitzero"` // how long ago Since must be before the rate rises, 0 = a minute
	Risen  bool          `json:"risen,omitempty"`    // the last change of the rate was a rise that is not confirmed yet

	Refusals int     `json:"refusals,omitempty"` // one after another, without a proof between them
	Refused  []start `json:"denied,omitempty"`   // in the last minute, so that a repeated report changes nothing
}

// start is a start that was allowed, or refused, and when.
type start struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
}

// second is a number of starts that were proven within a second, and when the first of them was.
type second struct {
	At time.Time `json:"at"`
	N  int       `json:"n"`
}

// readState reads a state, nothing as the zero value. Error: it is not one.
func readState(content []byte) (s state, err error) {
	if len(content) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(content, &s); err != nil {
		return state{}, fmt.Errorf("the pace of an account cannot be read: %w", err)
	}
	if min(s.AtOnce, s.Left, s.Rate, s.Refusals) < 0 || max(s.AtOnce, s.Left) > maxAtOnce || s.Until.Sub(s.At) > maxWait || s.Before < 0 || s.Before > maxWait ||
		slices.ContainsFunc(slices.Concat(s.Trying, s.Refused), func(x start) bool { return x.ID == "" || x.At.After(s.At) }) ||
		slices.ContainsFunc(s.Past, func(x second) bool { return x.N < 1 || x.N > 1<<20 || x.At.After(s.At) }) {
		return state{}, fmt.Errorf("the pace of an account has a number that cannot be: %.200s", content)
	}
	return s, nil
}

// ask asks for the start of an agent. id names the start: asking again for one that was granted changes nothing. most is the
// limit of the settings for a minute, 0 = none. Without a permit the state is returned as it was.
func (s state) ask(now time.Time, id string, most int) (state, Permit) {
	// Without a permit nothing may be stored, so the state from before the passing of time is returned.
	old := s
	s = s.advanceTo(now)
	// A request is repeated when its answer was lost, and must not count as a second start.
	if slices.ContainsFunc(s.Trying, func(x start) bool { return x.ID == id }) {
		return old, Permit{Granted: true}
	}
	if wait := s.Until.Sub(s.At); wait > 0 {
		return old, Permit{Wait: wait, Why: "the account's server has refused the agent of " + s.Holder}
	}
	free := s.freeStarts()
	if free == 0 {
		return old, Permit{Wait: again, Why: fmt.Sprintf("agents that were just started have not reported anything yet: %d", len(s.Trying))}
	}
	if most > 0 && s.calls() >= most {
		return old, Permit{Wait: s.untilFewer(most), Why: fmt.Sprintf("starts_per_minute is %d", most)}
	}
	if s.Rate > 0 && s.calls() >= s.Rate && !s.mayRise() {
		return old, Permit{Wait: s.untilFewer(s.Rate), Why: fmt.Sprintf("the account's server accepts about %d starts in a minute", s.Rate)}
	}
	s.Left = free - 1
	s.Trying = append(s.Trying, start{id, s.At})
	return s, Permit{Granted: true}
}

// confirm reports that an agent has reported something, or has ended without a refusal.
func (s state) confirm(now time.Time, id string) state {
	old := s
	s = s.advanceTo(now)
	x, found := s.take(id)
	if !found {
		return old
	}
	s.prove(x)
	return s
}

// drop reports that nothing more will be heard of a start, because its worker has died. It counts as one of the last
// minute and proves nothing.
func (s state) drop(now time.Time, id string) state {
	old := s
	s = s.advanceTo(now)
	x, found := s.take(id)
	if !found {
		return old
	}
	s.count(x)
	return s
}

// refuse reports that the account's server has refused an agent. wait is the time that it has asked for, 0 if none. A
// refusal is counted once, also of an agent that was proven before.
func (s state) refuse(now time.Time, id string, wait time.Duration) state {
	old := s
	s = s.advanceTo(now)
	if slices.ContainsFunc(s.Refused, func(x start) bool { return x.ID == id }) {
		return old
	}
	x, trying := s.take(id)
	// What was allowed before the last refusal is no sign that the pace after it was too fast.
	if late := trying && len(s.Refused) > 0 && x.At.Before(s.Refused[len(s.Refused)-1].At); !late {
		s.Refusals++
		if s.Risen {
			s.Before = min(max(s.Before, rise)*3, maxWait)
		}
	}
	s.Refused = append(s.Refused, start{id, s.At})
	s.AtOnce, s.Left, s.Rate, s.Since, s.Risen = 1, 0, max(1, s.inMinute()), s.At, false
	if wait <= 0 {
		wait = min(minWait<<min(max(0, s.Refusals-1), 10), time.Minute)
	}
	// A later refusal with a shorter wait must not cut a longer one short.
	if until := s.At.Add(min(wait, maxWait)); until.After(s.Until) {
		s.Until, s.Holder = until, id
	}
	return s
}

// advanceTo returns the state as it is at a time of the queue's server. Nothing of s is changed.
func (s state) advanceTo(now time.Time) state {
	switch passed := now.Sub(s.At); {
	// The clock of the server was set, so times of before cannot be compared.
	case passed < -setBack:
		s = state{}
	// The last change may have been made with a time that was read a moment later.
	case passed < 0:
		now = s.At
	}
	old := s
	s.At, s.Trying, s.Past, s.Refused = now, nil, nil, nil
	for _, x := range old.Past {
		if now.Sub(x.At) < counted {
			s.Past = append(s.Past, x)
		}
	}
	for _, x := range old.Refused {
		if now.Sub(x.At) < counted {
			s.Refused = append(s.Refused, x)
		}
	}
	for _, x := range old.Trying {
		if now.Sub(x.At) < proof {
			s.Trying = append(s.Trying, x)
			continue
		}
		s.prove(x)
	}
	return s
}

// prove counts a start as proven, which is no longer among the unproven ones.
func (s *state) prove(x start) {
	s.Refusals = 0
	s.AtOnce = min(max(1, s.AtOnce)+1, maxAtOnce)
	s.count(x)
}

// count adds a start to those of the last minute.
func (s *state) count(x start) {
	at := s.At
	// A start counts from 5 seconds after it was allowed at the latest, since the server counts from the arrival of a
	// request.
	if last := x.At.Add(latest); last.Before(at) {
		at = last
	}
	if s.At.Sub(at) >= counted {
		return
	}
	i := len(s.Past)
	for i > 0 && s.Past[i-1].At.After(at) {
		i--
	}
	// By the second: a list of all would have 1,500 entries with 50 slots (2026-11-26).
	if i > 0 && at.Sub(s.Past[i-1].At) < grain {
		s.Past[i-1].N++
		return
	}
	s.Past = slices.Insert(s.Past, i, second{at, 1})
}

// freeStarts returns how many agents may start now, as far as the unproven ones decide it.
func (s *state) freeStarts() int {
	free := max(0, max(1, s.AtOnce)-len(s.Trying))
	last := len(s.Trying) - 1
	if s.Left > 0 && s.AtOnce < inRounds {
		return min(s.Left, free)
	}
	// The next round waits for the proofs of this one, since a refusal may be on its way.
	if s.AtOnce < inRounds && last >= 0 && s.At.Sub(s.Trying[last].At) < latest {
		return 0
	}
	return free
}

// inMinute returns how many starts of the last minute were not refused.
func (s *state) inMinute() int {
	n := len(s.Trying)
	for _, x := range s.Past {
		n += x.N
	}
	return n
}

// calls returns how many starts of the last minute a server may count: some count those that they refuse, too.
func (s *state) calls() int { return s.inMinute() + len(s.Refused) }

// take removes a start from the unproven ones.
func (s *state) take(id string) (x start, found bool) {
	i := slices.IndexFunc(s.Trying, func(x start) bool { return x.ID == id })
	if i < 0 {
		return start{}, false
	}
	x = s.Trying[i]
	s.Trying = slices.Delete(s.Trying, i, i+1)
	return x, true
}

// mayRise raises the rate, which is used up, if it is time for that.
func (s *state) mayRise() bool {
	passed := s.At.Sub(s.Since)
	// It was a minute at the new rate.
	if s.Risen && passed >= rise {
		s.Risen, s.Before = false, 0
	}
	if passed < max(rise, s.Before) {
		return false
	}
	s.Rate, s.Risen, s.Since = s.Rate+1, true, s.At
	return true
}

// untilFewer returns how long until the calls of the last minute are fewer than n. Unproven ones count for longer.
func (s *state) untilFewer(n int) time.Duration {
	over := s.calls() - n
	past := slices.Clone(s.Past)
	for _, x := range s.Refused {
		past = append(past, second{x.At, 1})
	}
	slices.SortFunc(past, func(a, b second) int { return a.At.Compare(b.At) })
	for _, x := range past {
		if over -= x.N; over < 0 {
			return max(again, counted-s.At.Sub(x.At))
		}
	}
	return again
}
