package attempt

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/providers/secret"
	"chant/text"
)

// Journal records an attempt: each step before it begins and after it ends, which criteria count, and what is found
// around the run. It knows what was recorded before, and whether another process writes to the journal meanwhile.
type Journal struct {
	of       *Attempt
	history  *journal.History
	foreign  []string // interference by other processes
	caughtTo string   // the target's tip to which this process has updated the branch

	written []byte // the content of the journal after the last record of this process
	seal    string // of that record
	secret  func() ([]byte, error)
}

// History is what was recorded before this attempt, with the trust and the charges that were recorded since. Callers
// only read it.
func (j *Journal) History() *journal.History { return j.history }

// Reread replaces the history after another operation of this process has written to the journal.
func (j *Journal) Reread(h *journal.History) { j.history = h }

// Foreign describes what other processes have written to the journal while this one has the run.
func (j *Journal) Foreign() []string { return j.foreign }

// CaughtUp keeps the target's tip to which this process has updated the branch. The record of the step follows.
func (j *Journal) CaughtUp(target string) { j.caughtTo = target }

// Trust records which criteria count from now on.
func (j *Journal) Trust(t journal.Trusted) error {
	j.Assume(&t)
	return j.Record(journal.Trust, journal.Done, t)
}

// Assume sets which criteria count in this process, without a record; nil for none that are known.
func (j *Journal) Assume(t *journal.Trusted) { j.history.Trusted = t }

// TakeEdit records that a person's edit of home's copy was applied to the branch and to the text that counts, or was left
// out for good.
func (j *Journal) TakeEdit(home journal.HomeCopy, taken journal.Taken) error {
	if taken.Counts != "" {
		j.history.Trusted.Text = taken.Counts
	}
	return j.Write(journal.Record{Step: journal.Edited, State: journal.Note, Home: &home}, taken)
}

// Charge adds to the last attempt what its agent has changed outside of its branch.
func (j *Journal) Charge(found journal.Found) error {
	last := j.history.Last()
	last.Behind = append(last.Behind, found.Behind...)
	// A person who asks may accept it, so nothing is recorded yet.
	if j.of.Asked {
		return nil
	}
	return j.Record(journal.Guard, journal.Failed, found)
}

// Lift takes charges from all attempts, which a later process then does not count either.
func (j *Journal) Lift(charges []string) error {
	j.history.Lift(charges)
	return j.Record(journal.Guard, journal.Note, charges)
}

// Record writes a record with this data to the journal.
func (j *Journal) Record(step journal.Step, state journal.State, data any) error {
	return j.Write(journal.Record{Step: step, State: state}, data)
}

// RecordDone records that a step has ended. Another record follows at once, and both reach the disk with that: a step
// whose end is lost is repeated.
func (j *Journal) RecordDone(step journal.Step, data any) error {
	return j.write(journal.Record{Step: step, State: journal.Done}, data, j.of.Store.AppendUnsynced)
}

// RecordFailure records that a step failed, the reason, and the next step that the failure suggests.
func (j *Journal) RecordFailure(step journal.Step, code spec.ReasonCode, reason string, cause error) error {
	rec := journal.Record{Step: step, State: journal.Failed, Code: code}
	if f, ok := errors.AsType[*journal.Failure](cause); ok {
		rec.Next = f.Next
	}
	return j.Write(rec, reason)
}

// Write appends a record to the journal, with data as JSON and without secrets.
func (j *Journal) Write(rec journal.Record, data any) error {
	return j.write(rec, data, j.of.Store.Append)
}

func (j *Journal) write(rec journal.Record, data any, add func(id string, line any) ([]byte, error)) error {
	rec.Time, rec.Attempt = j.of.Now().UTC(), j.of.Job.Attempt
	if data != nil {
		raw, err := json.Marshal(data)
		if err != nil {
			return err
		}
		// Before it is sealed, since the file cannot be changed afterwards.
		rec.Data = j.of.redactRecord(rec.Step, raw)
	}
	if err := j.append(rec, add); err != nil {
		return err
	}
	if j.of.OnStep != nil {
		j.of.OnStep(rec.Step, rec.State)
	}
	return nil
}

// append writes a record, and notices if another process has written since the last one, which none may while this
// process holds the run.
func (j *Journal) append(rec journal.Record, add func(id string, line any) ([]byte, error)) error {
	secret, err := j.Secret()
	if err != nil {
		return err
	}
	left, err := j.Check()
	if err != nil {
		return err
	}
	// Another process has written in between, so the chain continues from the last seal in the file.
	if secret != nil && (j.written == nil || !bytes.Equal(left, j.written)) {
		j.seal = journal.LastSeal(secret, j.of.Job.ID, left)
	}
	line, seal, err := journal.Line(secret, j.of.Job.ID, j.seal, rec)
	if err != nil {
		return err
	}
	added, err := add(j.of.Job.ID, line)
	if err != nil {
		return err
	}
	// Computed, not read: reading would include what was written meanwhile.
	j.written, j.seal = append(left, added...), seal
	return nil
}

// Secret returns what seals the journal. It is read once: a key that is made during a run does not seal the rest of it.
func (j *Journal) Secret() ([]byte, error) {
	if j.secret == nil {
		j.secret = sync.OnceValues(func() ([]byte, error) { return journal.SecretOf(j.of.Store) })
	}
	return j.secret()
}

// Check checks that the journal is as this process has left it, and returns its content.
func (j *Journal) Check() ([]byte, error) {
	now, err := j.of.Store.Journal(j.of.Job.ID)
	if err == nil && j.written != nil && !bytes.Equal(now, j.written) && len(j.foreign) == 0 {
		j.foreign = []string{"the journal of the run was changed by another process"}
	}
	return now, err
}

// Log is the log of an attempt, for people. What is written before Open and after Close is dropped: a check outside an
// attempt has no log.
type Log struct {
	of   *Attempt
	file *local.Log
}

// Open appends the header of the attempt, which says what begins.
func (l *Log) Open(begins string) (err error) {
	l.file, err = l.of.Store.OpenLog(l.of.Job.ID, l.of.Job.Attempt, begins, l.of.Now)
	return err
}

// Close closes the file.
func (l *Log) Close() error {
	err := l.file.Close()
	l.file = nil
	return err
}

// Line writes a line without secrets.
func (l *Log) Line(text string) error {
	if l.file == nil {
		return nil
	}
	return l.file.Line(l.of.Secrets.Text(text))
}

// Full reports whether no further line is kept.
func (l *Log) Full() bool { return l.file != nil && l.file.Full() }

// Secrets are the secrets that a run knows: those of the environment, and from the launch of an agent on also those of
// its provider's settings.
type Secrets struct{ *secret.Redactor }

// Learn replaces what is known by more.
func (s *Secrets) Learn(more *secret.Redactor) { s.Redactor = more }

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
