package judge

import (
	"context"

	"chant/engine/run/attempt"
)

// Note keeps the evidence with the commit it speaks of.
func (j *Judge) Note(ctx context.Context, commit string) error {
	report := j.Report
	report.Commit = commit
	text, err := report.Encode()
	if err != nil {
		return err
	}
	return j.Repo.AddNote(ctx, attempt.NotesRef, commit, text)
}

// Attest keeps the run's report with a commit that was made outside it. Where nothing
// was committed there is nothing to keep it with.
func (j *Judge) Attest(ctx context.Context, commit string) error {
	if commit == "" {
		return nil
	}
	return j.Note(ctx, commit)
}
