package run

import (
	"bytes"
	"encoding/json"
	"errors"

	"chant/engine/journal"
	"chant/engine/spec"
)

// record writes one line about the run.
func (r *Run) record(step journal.Step, state journal.State, data any) error {
	return r.write(journal.Record{Step: step, State: state}, data)
}

// recordFailure writes that a step failed, why, and what leads on from there.
func (r *Run) recordFailure(step journal.Step, code spec.ReasonCode, reason string, cause error) error {
	rec := journal.Record{Step: step, State: journal.Failed, Code: code}
	if f, ok := errors.AsType[*journal.Failure](cause); ok {
		rec.Next = f.Next
	}
	return r.write(rec, reason)
}

func (r *Run) write(rec journal.Record, data any) error {
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
func (r *Run) append(rec journal.Record) error {
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
