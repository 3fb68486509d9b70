package attempt

import (
	"encoding/json"
	"errors"
	"slices"

	"chant/engine/journal"
	"chant/providers/text"
)

// What an agent has made can bear a secret in its name, and so can what is told of it.
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
	f.Details = slices.Clone(f.Details) // the slice may be shared
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
	if clean := a.Secrets.Bytes(data); json.Valid(clean) { // a number may look like a secret
		return clean
	}
	return data
}
