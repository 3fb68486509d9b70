package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// noteFanout is the number of notes above which new ones go into folders of the first
// two digits, as git lays out large trees of notes.
const noteFanout = 256

// AddNote sets the note of a commit under notesRef, such as "refs/notes/chant", in place
// of one that is there. Concurrent writers are retried like commits. Errors: ErrNotFound
// (commit), ErrChanged.
func (r *Repo) AddNote(ctx context.Context, notesRef, commit string, text []byte) error {
	if !strings.HasPrefix(notesRef, "refs/notes/") || !layout.ValidRef(notesRef) {
		return fmt.Errorf("%q is not a valid notes ref", notesRef)
	}
	hash, err := r.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	blob, err := r.writeBlob(ctx, text)
	if err != nil {
		return err
	}
	defer r.turns.Committing(ctx)()
	wait := gitexec.NewBackoff(gitexec.ShortLimit)
	for attempt := 1; ; attempt++ {
		err := r.addNoteOnce(ctx, notesRef, hash, blob)
		if !errors.Is(err, ErrChanged) || attempt == commitAttempts || !wait.Sleep(ctx) {
			return err
		}
	}
}

func (r *Repo) addNoteOnce(ctx context.Context, notesRef, commit, blob string) error {
	tip, err := r.value(ctx, layout.Place{}, notesRef)
	if err != nil {
		return err
	}
	path, tree, parents := commit, "", []string(nil)
	if tip != "" {
		parents = []string{tip}
		if tree, err = r.treeOf(ctx, tip); err != nil {
			return err
		}
		if path, err = r.notePath(ctx, tree, commit); err != nil {
			return err
		}
	}
	tree, err = r.graft(ctx, tree, []edit{{path: path, mode: modeFile, hash: blob}})
	if err != nil {
		return err
	}
	const why = "Notes added by chant"
	made, err := r.CommitTree(ctx, tree, parents, why)
	if err != nil {
		return err
	}
	return r.moveRef(ctx, layout.Place{Top: r.site.Home}, notesRef, made, tip, why)
}

// notePath is where a commit's note lies, or where a new one goes.
func (r *Repo) notePath(ctx context.Context, tree, commit string) (string, error) {
	for _, path := range notePaths(commit) {
		if _, err := r.find(ctx, tree, path); !errors.Is(err, ErrNotFound) {
			return path, err
		}
	}
	entries, err := r.readTree(ctx, tree)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Dir && len(e.Name) == 2 || len(entries) >= noteFanout {
			return notePaths(commit)[1], nil
		}
	}
	return commit, nil
}

// notePaths are the places in which git looks for a note, by depth of folders.
func notePaths(commit string) []string {
	return []string{commit, commit[:2] + "/" + commit[2:], commit[:2] + "/" + commit[2:4] + "/" + commit[4:]}
}

// ReadNote is the note of a commit under notesRef, byte for byte, without a process.
// Errors: ErrNotFound.
func (r *Repo) ReadNote(ctx context.Context, notesRef, commit string) ([]byte, error) {
	hash, err := r.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	tip, err := r.readRef(ctx, notesRef)
	if err != nil {
		return nil, err
	}
	for _, path := range notePaths(hash) {
		text, err := r.ReadFile(ctx, tip, path)
		if !errors.Is(err, ErrNotFound) {
			return text, err
		}
	}
	return nil, fmt.Errorf("note of %q in %q: %w", commit, notesRef, ErrNotFound)
}

// Note is a note and the commit of which it speaks.
type Note struct {
	Commit string
	Text   []byte
}

// Notes lists all notes under notesRef, without a process; none where there is no such ref.
func (r *Repo) Notes(ctx context.Context, notesRef string) ([]Note, error) {
	tip, err := r.readRef(ctx, notesRef)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tree, err := r.treeOf(ctx, tip)
	if err != nil {
		return nil, err
	}
	return r.notesBelow(ctx, tree, "")
}

func (r *Repo) notesBelow(ctx context.Context, tree, path string) ([]Note, error) {
	entries, err := r.readTree(ctx, tree)
	if err != nil {
		return nil, err
	}
	var out []Note
	for _, e := range entries {
		name := path + e.Name
		switch {
		case e.Dir && len(e.Name) == 2:
			below, err := r.notesBelow(ctx, e.Hash, name)
			if err != nil {
				return nil, err
			}
			out = append(out, below...)
		case !e.Dir && layout.IsHash(name):
			_, text, err := r.objects.read(ctx, e.Hash)
			if err != nil {
				return nil, err
			}
			out = append(out, Note{name, text})
		}
	}
	return out, nil
}
