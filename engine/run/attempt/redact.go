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

// RedactFailure takes the secrets out of a failure, wherever it stands among errors, and
// what no one can read: it may be in the words of an agent or of its model's server.
func (a *Attempt) RedactFailure(err error) {
	var f *journal.Failure
	if !errors.As(err, &f) {
		return
	}
	f.Message = text.Printable(a.Secrets.Text(f.Message))
	f.Details = slices.Clone(f.Details) // may be shared with what decisions are made by
	for i, detail := range f.Details {
		f.Details[i] = text.Printable(a.Secrets.Text(detail))
	}
}

// redactRecord takes the secrets out of a record. Those that later looks are held against
// stay as they are: what stood around, which criteria count, an edit of them, and the job.
func (a *Attempt) redactRecord(step journal.Step, data json.RawMessage) json.RawMessage {
	if step == journal.Guard || step == journal.Trust || step == journal.Open || step == journal.Edited {
		return data
	}
	if clean := a.Secrets.Bytes(data); json.Valid(clean) { // a number can be like a secret, and is none
		return clean
	}
	return data
}
