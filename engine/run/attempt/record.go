package attempt

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/text"
)

// Record writes a record with this data to the journal.
func (a *Attempt) Record(step journal.Step, state journal.State, data any) error {
	return a.Write(journal.Record{Step: step, State: state}, data)
}

// RecordDone records that a step has ended. Another record follows at once, and both reach the disk with that: a step
// whose end is lost is repeated.
func (a *Attempt) RecordDone(step journal.Step, data any) error {
	return a.write(journal.Record{Step: step, State: journal.Done}, data, a.Store.AppendUnsynced)
}

// RecordFailure records that a step failed, the reason, and the next step that the failure suggests.
func (a *Attempt) RecordFailure(step journal.Step, code spec.ReasonCode, reason string, cause error) error {
	rec := journal.Record{Step: step, State: journal.Failed, Code: code}
	if f, ok := errors.AsType[*journal.Failure](cause); ok {
		rec.Next = f.Next
	}
	return a.Write(rec, reason)
}

// Write appends a record to the journal, with data as JSON and without secrets.
func (a *Attempt) Write(rec journal.Record, data any) error {
	return a.write(rec, data, a.Store.Append)
}

func (a *Attempt) write(rec journal.Record, data any, add func(id string, line any) ([]byte, error)) error {
	rec.Time, rec.Attempt = a.Now().UTC(), a.Job.Attempt
	if data != nil {
		raw, err := json.Marshal(data)
		if err != nil {
			return err
		}
		// Before it is sealed, since the file cannot be changed afterwards.
		rec.Data = a.redactRecord(rec.Step, raw)
	}
	if err := a.append(rec, add); err != nil {
		return err
	}
	if a.OnStep != nil {
		a.OnStep(rec.Step, rec.State)
	}
	return nil
}

// append writes a record, and notices if another process has written since the last one, which none may while this
// process holds the run. The content afterwards is computed, not read: reading would include what was written
// meanwhile.
func (a *Attempt) append(rec journal.Record, add func(id string, line any) ([]byte, error)) error {
	secret, err := a.SecretOfRun()
	if err != nil {
		return err
	}
	left, err := a.CheckJournal()
	if err != nil {
		return err
	}
	// Another process has written in between, so the chain continues from the last seal in the file.
	if secret != nil && (a.journal == nil || !bytes.Equal(left, a.journal)) {
		a.sealed = journal.LastSeal(secret, a.Job.ID, left)
	}
	line, seal, err := journal.Line(secret, a.Job.ID, a.sealed, rec)
	if err != nil {
		return err
	}
	added, err := add(a.Job.ID, line)
	if err != nil {
		return err
	}
	// Computed, not read: reading would include what was written meanwhile.
	a.journal, a.sealed = append(left, added...), seal
	return nil
}

// SecretOfRun returns what seals the journal. It is read once: a key that is made during a run does not seal the rest of it.
func (a *Attempt) SecretOfRun() ([]byte, error) {
	if a.secretOnce == nil {
		a.secretOnce = sync.OnceValues(func() ([]byte, error) { return journal.SecretOf(a.Store) })
	}
	return a.secretOnce()
}

// CheckJournal checks that the journal is as this process has left it, and returns its content.
func (a *Attempt) CheckJournal() ([]byte, error) {
	now, err := a.Store.Journal(a.Job.ID)
	if err == nil && a.journal != nil && !bytes.Equal(now, a.journal) && len(a.Foreign) == 0 {
		a.Foreign = []string{"the journal of the run was changed by another process"}
	}
	return now, err
}

// StoppedReason is the reason of an attempt that was stopped.
const StoppedReason = "stopped"

// The name of a file that an agent has made can contain a secret, and so can a message about it.
// Whatever leaves a run by journal, commit, spec or failure is freed of secrets once more
// on its way; a text that was clean stays as it is.

// RedactFailure removes secrets and unprintable characters from a failure, wherever it is in a chain of errors: it may
// quote an agent or the server of its model.
func (a *Attempt) RedactFailure(err error) {
	var f *journal.Failure
	if !errors.As(err, &f) {
		return
	}
	f.Message = text.Printable(a.Secrets.Text(f.Message))
	// Other errors in the chain may share the slice.
	f.Details = slices.Clone(f.Details)
	for i, detail := range f.Details {
		f.Details[i] = text.Printable(a.Secrets.Text(detail))
	}
}

// redactRecord removes secrets from a record. Records that are compared with later readings stay as they are: the
// surroundings of the run, the trusted criteria, an edit of them, and the job.
func (a *Attempt) redactRecord(step journal.Step, data json.RawMessage) json.RawMessage {
	if step == journal.Guard || step == journal.Trust || step == journal.Open || step == journal.Edited {
		return data
	}
	// A number may look like a secret, and without it the record would be no JSON.
	if clean := a.Secrets.Bytes(data); json.Valid(clean) {
		return clean
	}
	return data
}
