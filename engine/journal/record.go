package journal

import (
	"encoding/json"
	"time"

	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
)

// Record is one line of a journal.
type Record struct {
	Time    time.Time       `json:"time"`
	Attempt int             `json:"attempt"`
	Step    Step            `json:"step"`
	State   State           `json:"state"`
	Data    json.RawMessage `json:"data,omitempty"`
	Next    next.Step       `json:"next,omitzero"`         // of a failure
	Code    spec.ReasonCode `json:"reason_code,omitempty"` // of a failure: its kind
	Home    *HomeCopy       `json:"home,omitempty"`        // of Open, Close and Edited: home's copy of the spec then
}

// Vouch records that from now on the criteria in t count. Only what a person
// does may call it.
func Vouch(st *store.Store, id string, attempt int, t Trusted, now time.Time) error {
	t.Vouched = true
	raw, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = st.Append(id, Record{Time: now.UTC(), Attempt: attempt, Step: Trust, State: Done, Data: raw})
	return err
}
