package checktree

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"chant/engine/journal"
	"chant/engine/store"
	"chant/providers"
)

// askedGrace is how long an agent that no one waits for gets between being asked and killed.
const askedGrace = 5 * time.Second

// StopAsked ends what killed processes have left of the agents that they asked in the check
// tree of a spec, and records that those have ended. Only who holds the lock of that tree
// may call it: then no one waits for an answer from there.
func StopAsked(ctx context.Context, st *store.Store, id string) error {
	h, err := journal.ReadHistory(st, journal.Asked)
	if err != nil {
		return err
	}
	for _, a := range h.Attempts {
		for _, s := range a.Sessions {
			if s.Ended || s.Process == nil || s.Place != id {
				continue
			}
			_, err := providers.Stop(ctx, *s.Process, askedGrace)
			if err == nil {
				err = recordEnd(st, s)
			}
			if err != nil {
				return errors.Join(err, ctx.Err())
			}
		}
	}
	return nil
}

// recordEnd writes that an agent has ended as it was heard of last: the day of that is the
// one that it counts for.
func recordEnd(st *store.Store, s journal.Session) error {
	s.Ended = true
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = st.Append(journal.Asked, journal.Record{Time: s.Told.UTC(), Step: journal.Heard, State: journal.Done, Data: data})
	return err
}
