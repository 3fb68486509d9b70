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
