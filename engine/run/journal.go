package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

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
	Next    string          `json:"next,omitempty"`        // of a failure: the command that leads on
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

// record writes one line about the run.
func (r *Run) record(step Step, state State, data any) error {
	return r.write(Record{Step: step, State: state}, data)
}

// recordFailure writes that a step failed, why, and what leads on from there.
func (r *Run) recordFailure(step Step, code spec.ReasonCode, reason string, cause error) error {
	rec := Record{Step: step, State: Failed, Code: code}
	if f, ok := errors.AsType[*Failure](cause); ok {
		rec.Next = f.Next
	}
	return r.write(rec, reason)
}

func (r *Run) write(rec Record, data any) error {
	rec.Time, rec.Attempt = r.Now().UTC(), r.Job.Attempt
	if data != nil {
		raw, err := json.Marshal(data)
		if err != nil {
			return err
		}
		rec.Data = r.redactRecord(rec.Step, raw)
	}
	if err := r.append(rec); err != nil {
		return err
	}
	if r.OnStep != nil {
		r.OnStep(rec.Step, rec.State)
	}
	return nil
}

// append writes a record, and notices when another process has written since the last one:
// as long as this process has the run, no other one may. What it leaves is reckoned from
// its own bytes: a look at the file would take in what was written meanwhile.
func (r *Run) append(rec Record) error {
	left, err := r.undisturbed()
	if err != nil {
		return err
	}
	line, err := r.Store.Append(r.Job.ID, rec)
	if err != nil {
		return err
	}
	r.journal = append(left, line...)
	return nil
}

// undisturbed looks whether the journal is as this process has left it, and returns what
// stands in it.
func (r *Run) undisturbed() ([]byte, error) {
	now, err := r.Store.Journal(r.Job.ID)
	if err == nil && r.journal != nil && !bytes.Equal(now, r.journal) && len(r.foreign) == 0 {
		r.foreign = []string{"the journal of the run was changed by another process"}
	}
	return now, err
}
