package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"chant/gitops"
)

// unfinished is a change of several files that is being written. Its record exists from before the first file is written
// until the commit is made, so that a killed process leaves no half of a change.
type unfinished struct {
	Message string           `json:"message"`
	Files   []unfinishedFile `json:"files"`
}

// unfinishedFile is a fileEdit in a record.
type unfinishedFile struct {
	Path string `json:"path"`
	Old  []byte `json:"old"`
	Next []byte `json:"next"`
}

// noteUnfinished records edits that are about to be written. The caller calls done when they are committed or restored.
func (s *Store) noteUnfinished(edits []fileEdit, message string) (done func() error, err error) {
	record := unfinished{Message: message}
	for _, e := range edits {
		record.Files = append(record.Files, unfinishedFile{e.path, e.old, e.next})
	}
	text, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	dir, err := s.Local(Writes, "")
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "*.json")
	if err != nil {
		return nil, err
	}
	done = func() error { return os.Remove(f.Name()) }
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, errors.Join(err, done())
	}
	return done, nil
}

// FinishKilled writes and commits what killed processes have begun to write. Changes of which no file was written yet are
// dropped, as if their call had never begun, and so are files that were edited since. Callers that change several files
// call it before they read these.
func (s *Store) FinishKilled(ctx context.Context) error {
	dir := s.LocalPath(Writes, "")
	if names, err := os.ReadDir(dir); len(names) == 0 {
		return ignoreMissing(err)
	}
	return s.withWriteLock(ctx, "finish a change", func() error {
		names, err := os.ReadDir(dir) // those of processes that are alive are gone
		for _, name := range names {
			err = errors.Join(err, s.finish(ctx, filepath.Join(dir, name.Name())))
		}
		return err
	})
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// finish finishes the change of one record.
func (s *Store) finish(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var record unfinished
	if json.Unmarshal(text, &record) != nil {
		return os.Remove(path) // the process was killed before it wrote a file
	}
	edits, begun := s.remaining(record)
	committed, err := s.hasCommitted(ctx, record)
	if err != nil {
		return err
	}
	if begun && !committed {
		if _, err := writeFiles(s, edits); err != nil {
			return err
		}
		if _, err := s.commit(ctx, place{tree: s.home}, filesOf(edits), record.Message); err != nil {
			return err
		}
	}
	return os.Remove(path)
}

// remaining lists the edits of a record whose files were not edited since, and reports whether one of them was written.
func (s *Store) remaining(record unfinished) (edits []fileEdit, begun bool) {
	for _, f := range record.Files {
		have, err := s.ReadTree(s.home, f.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		is := func(content []byte) bool {
			return (content == nil) == (err != nil) && bytes.Equal(content, have)
		}
		switch {
		case is(f.Next):
			begun = true
			edits = append(edits, fileEdit{path: f.Path, old: f.Next, next: f.Next})
		case is(f.Old):
			edits = append(edits, fileEdit{path: f.Path, old: f.Old, next: f.Next})
		}
	}
	return edits, begun
}

// hasCommitted reports whether the commit of a record was made.
func (s *Store) hasCommitted(ctx context.Context, record unfinished) (bool, error) {
	head, err := s.repo.Head(ctx, s.home)
	if errors.Is(err, gitops.ErrUnborn) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var failed error
	committed := slices.ContainsFunc(record.Files, func(f unfinishedFile) bool {
		have, err := s.repo.ReadFile(ctx, head.Hash, f.Path)
		missing := errors.Is(err, gitops.ErrNotFound)
		if err != nil && !missing {
			failed = errors.Join(failed, err)
			return false
		}
		return missing == (f.Next == nil) && bytes.Equal(have, f.Next)
	})
	return committed, failed
}
