package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
	"chant/gitops/refstore"
)

// NoteFanout is the number of notes above which new ones go into folders of the first
// two digits, as git lays out large trees of notes.
const NoteFanout = 256

// AddNote sets the note of a commit under notesRef, such as "refs/notes/chant", in place
// of one that is there. Concurrent writers are retried like commits. Errors: ErrNotFound
// (commit), ErrChanged.
func (w *Committer) AddNote(ctx context.Context, notesRef, commit string, text []byte) error {
	if !strings.HasPrefix(notesRef, "refs/notes/") || !layout.ValidRef(notesRef) {
		return fmt.Errorf("%q is not a valid notes ref", notesRef)
	}
	hash, err := w.Revs.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	blob, err := w.Objects.WriteBlob(ctx, text)
	if err != nil {
		return err
	}
	// Notes share the turns of commits: both are a compare-and-swap that a rival of this process would only make fail.
	defer w.Turns.Committing(ctx)()
	wait := gitexec.NewBackoff(gitexec.ShortLimit)
	for attempt := 1; ; attempt++ {
		err := w.addNoteOnce(ctx, notesRef, hash, blob)
		if !errors.Is(err, refstore.ErrChanged) || attempt == commitAttempts || !wait.Sleep(ctx) {
			return err
		}
	}
}

func (w *Committer) addNoteOnce(ctx context.Context, notesRef, commit, blob string) error {
	tip, err := w.Refs.Value(ctx, layout.Place{}, notesRef)
	if err != nil {
		return err
	}
	path, tree, parents := commit, "", []string(nil)
	if tip != "" {
		parents = []string{tip}
		if tree, err = w.Revs.TreeOf(ctx, tip); err != nil {
			return err
		}
		if path, err = w.notePath(ctx, tree, commit); err != nil {
			return err
		}
	}
	tree, err = w.Objects.Graft(ctx, tree, []objectstore.Edit{{Path: path, Mode: objectstore.ModeFile, Hash: blob}})
	if err != nil {
		return err
	}
	const why = "Notes added by chant"
	made, err := w.CommitTree(ctx, tree, parents, why)
	if err != nil {
		return err
	}
	// With the tip as the expected old value, notes of two writers never replace each other, as they can with "git notes
	// add".
	return w.Refs.Move(ctx, layout.Place{Top: w.Site.Home}, notesRef, made, tip, why)
}

// notePath is where a commit's note lies, or where a new one goes.
func (w *Committer) notePath(ctx context.Context, tree, commit string) (string, error) {
	// A note that is there stays in its place, else git would find two for one commit.
	for _, path := range notePaths(commit) {
		if _, err := w.Revs.Entry(ctx, tree, path); !errors.Is(err, layout.ErrNotFound) {
			return path, err
		}
	}
	entries, err := w.Objects.ReadTree(ctx, tree)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		// Once one folder of two digits exists, git has fanned out this tree, and a note beside it would be a mix of both
		// layouts.
		if e.Dir && len(e.Name) == 2 || len(entries) >= NoteFanout {
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
func (w *Committer) ReadNote(ctx context.Context, notesRef, commit string) ([]byte, error) {
	hash, err := w.Revs.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	tip, err := w.Refs.Read(ctx, notesRef)
	if err != nil {
		return nil, err
	}
	for _, path := range notePaths(hash) {
		text, err := w.Revs.ReadFile(ctx, tip, path)
		if !errors.Is(err, layout.ErrNotFound) {
			return text, err
		}
	}
	return nil, fmt.Errorf("note of %q in %q: %w", commit, notesRef, layout.ErrNotFound)
}

// Note is a note and the commit that it describes.
type Note struct {
	Commit string
	Text   []byte
}

// Notes lists all notes under notesRef, without a process; none where there is no such ref.
func (w *Committer) Notes(ctx context.Context, notesRef string) ([]Note, error) {
	tip, err := w.Refs.Read(ctx, notesRef)
	if errors.Is(err, layout.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// A note is at the tip in any of the layouts of git, so every folder of two digits is searched.
	tree, err := w.Revs.TreeOf(ctx, tip)
	if err != nil {
		return nil, err
	}
	return w.notesBelow(ctx, tree, "")
}

func (w *Committer) notesBelow(ctx context.Context, tree, path string) ([]Note, error) {
	entries, err := w.Objects.ReadTree(ctx, tree)
	if err != nil {
		return nil, err
	}
	var out []Note
	for _, e := range entries {
		name := path + e.Name
		switch {
		case e.Dir && len(e.Name) == 2:
			below, err := w.notesBelow(ctx, e.Hash, name)
			if err != nil {
				return nil, err
			}
			out = append(out, below...)
		case !e.Dir && layout.IsHash(name):
			_, text, err := w.Objects.Read(ctx, e.Hash)
			if err != nil {
				return nil, err
			}
			out = append(out, Note{name, text})
		}
	}
	return out, nil
}
