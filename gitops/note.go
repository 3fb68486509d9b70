package gitops

import (
	"context"

	"chant/gitops/committer"
)

// Note is a note and the commit that it describes.
type Note = committer.Note

// AddNote sets the note of a commit under notesRef, such as "refs/notes/chant", in place
// of one that is there. Concurrent writers are retried like commits. Errors: ErrNotFound
// (commit), ErrChanged.
func (r *Repo) AddNote(ctx context.Context, notesRef, commit string, text []byte) error {
	return r.commits.AddNote(ctx, notesRef, commit, text)
}

// ReadNote is the note of a commit under notesRef, byte for byte, without a process.
// Errors: ErrNotFound.
func (r *Repo) ReadNote(ctx context.Context, notesRef, commit string) ([]byte, error) {
	return r.commits.ReadNote(ctx, notesRef, commit)
}

// Notes lists all notes under notesRef, without a process; none where there is no such ref.
func (r *Repo) Notes(ctx context.Context, notesRef string) ([]Note, error) {
	return r.commits.Notes(ctx, notesRef)
}
