package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/store"
	"chant/providers"
)

// stopGrace is how long an agent has to stop before it is killed.
const stopGrace = 5 * time.Second

// StopAsked stops agents that killed processes asked a question in the check tree of a spec, and records their end. The
// caller must hold the lock of that tree: then no process waits for an answer from there.
func StopAsked(ctx context.Context, st *store.Store, id string) error {
	h, err := journal.ReadHistory(st, journal.QuestionsName)
	if err != nil {
		return err
	}
	for _, a := range h.Attempts {
		for _, s := range a.Sessions {
			// Without a process there is nothing to stop.
			if s.Ended || s.Process == nil || s.Place != id {
				continue
			}
			// Also one whose process is gone, so that its end is recorded.
			_, err := providers.Stop(ctx, *s.Process, stopGrace)
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

// recordEnd records the end of an agent at the time of its last record: its usage counts for that day.
func recordEnd(st *store.Store, s journal.Session) error {
	s.Ended = true
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return journal.Append(st, journal.QuestionsName, journal.Record{Time: s.Told.UTC(), Step: journal.Heard, State: journal.Done, Data: data})
}
