package pace

import (
	"context"
	"time"
)

// Shared is where machines share the states of accounts.
type Shared interface {
	// Share changes a shared value by comparing its old one, as fleet.Broker does.
	Share(ctx context.Context, key string, change func(old []byte) ([]byte, error)) error
	// Now returns the time of the server that has the values. It may be one that was asked for earlier, with the time
	// that has passed since by the machine's steady clock.
	Now(ctx context.Context) (time.Time, error)
}

// Account is an account that several machines use. Its methods may be called from several goroutines.
type Account struct {
	In   Shared
	Key  string // of the state
	Most int    // starts in a minute by the settings, 0 = no limit
}

// Ask asks for the start of an agent.
func (a Account) Ask(ctx context.Context, id string) (p Permit, err error) {
	err = a.change(ctx, func(s State, now time.Time) State {
		s, p = Ask(s, now, id, a.Most)
		return s
	})
	return p, err
}

// Proved reports that an agent has reported something, or has ended without a refusal.
func (a Account) Proved(ctx context.Context, id string) error {
	return a.change(ctx, func(s State, now time.Time) State { return Proved(s, now, id) })
}

// Refused reports that the account's server has refused an agent, and for how long it has asked to wait.
func (a Account) Refused(ctx context.Context, id string, wait time.Duration) error {
	return a.change(ctx, func(s State, now time.Time) State { return Refused(s, now, id, wait) })
}

// Gone reports that nothing more will be heard of a start.
func (a Account) Gone(ctx context.Context, id string) error {
	return a.change(ctx, func(s State, now time.Time) State { return Gone(s, now, id) })
}

func (a Account) change(ctx context.Context, to func(State, time.Time) State) error {
	now, err := a.In.Now(ctx)
	if err != nil {
		return err
	}
	return a.In.Share(ctx, a.Key, func(old []byte) ([]byte, error) {
		s, err := Read(old)
		if err != nil {
			return nil, err
		}
		return to(s, now).Bytes()
	})
}
