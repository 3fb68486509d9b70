package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"chant/engine/store/local"

	"chant/gitops"
)

// fileEdit is a change of one file below home. A nil old means that the file must not exist yet, a nil next removes it.
type fileEdit struct {
	path      string
	old, next []byte
	mayExist  bool // with the content of next, too: an earlier process was killed before its commit
}

// saveChange writes a changed spec and those that the change adds, and commits all of them, or restores everything. A
// spec to add that exists with the same text counts as added: an earlier process was killed before its commit.
func (s *Store) saveChange(ctx context.Context, p place, ch Change, next []byte) (commit string, err error) {
	if len(ch.Adds)+len(ch.Writes) == 0 {
		return s.save(ctx, p, SpecPath(ch.ID), next, ch.message())
	}
	// The files beside the spec are home's, and one commit cannot be on two branches.
	if p.branch != "" {
		return "", fmt.Errorf("files are written beside %q, whose current version is on branch %q", ch.ID, p.branch)
	}
	edits := []fileEdit{{path: SpecPath(ch.ID), old: p.src, next: next}}
	for _, add := range ch.Adds {
		edits = append(edits, fileEdit{path: SpecPath(add.ID), next: add.Content, mayExist: true})
	}
	for _, w := range ch.Writes {
		edits = append(edits, fileEdit{path: w.Path, old: w.Old, next: w.Next})
	}
	return s.saveFiles(ctx, edits, ch.message())
}

// saveFiles writes files below home and commits them, or restores them. With a commit, an error is about the index.
func (s *Store) saveFiles(ctx context.Context, edits []fileEdit, message string) (commit string, err error) {
	if len(edits) == 0 {
		return "", nil
	}
	err = s.withWriteLock(ctx, "write "+edits[0].path, func() (err error) {
		cut, err := s.cutHeldOut(edits)
		defer func() {
			if err != nil && commit == "" {
				err = errors.Join(err, cut())
			}
		}()
		if err != nil {
			return err
		}
		// The record comes before the first file, so that a process killed anywhere after it is finished by the next change.
		done, err := NoteRedo(s.LocalPath(local.Writes, ""), recordOf(edits, message))
		if err != nil {
			return err
		}
		// It goes whether the change was committed or undone, but not after a crash.
		defer func() { err = errors.Join(err, done()) }()
		undo, err := writeFiles(s, edits)
		if err == nil {
			commit, err = s.commit(ctx, place{tree: s.home}, filesOf(edits), message)
		}
		// With a commit the error is about git's index only: restoring the files would look like an edit that takes the
		// commit back.
		if err != nil && commit == "" {
			err = errors.Join(err, undo())
		}
		return err
	})
	return commit, err
}

// recordOf returns edits as a change that is recorded while they are written.
func recordOf(edits []fileEdit, message string) RedoLog {
	c := RedoLog{Message: message}
	for _, e := range edits {
		c.Files = append(c.Files, RedoFile{Path: e.path, Old: e.old, Next: e.next})
	}
	return c
}

// Interrupted reports whether a process was killed while it wrote several files, or is writing them now.
func Interrupted(s *Store) (bool, error) { return pendingRedo(s.LocalPath(local.Writes, "")) }

// FinishKilled finishes what killed processes have begun to write. It is called before several files are changed.
func FinishKilled(ctx context.Context, s *Store) error {
	dir := s.LocalPath(local.Writes, "")
	if pending, err := Interrupted(s); !pending {
		return err
	}
	// Without a commit, head is empty and reading from it returns the error.
	head, _ := s.repo.Head(ctx, s.home)
	tree := redoTree{
		Read:  func(path string) ([]byte, error) { return s.ReadTree(s.home, path) },
		Write: func(f RedoFile) error { return s.compareAndReplace(s.home, f.Path, f.Old, f.Next) },
		Committed: func(path string) ([]byte, error) {
			have, err := s.repo.ReadFile(ctx, head.Hash, path)
			if errors.Is(err, gitops.ErrNotFound) {
				err = fs.ErrNotExist
			}
			return have, err
		},
		Commit: func(files []RedoFile, message string) error {
			out := make([]gitops.File, len(files))
			for i, f := range files {
				out[i] = gitops.File{Path: f.Path, Content: f.Next}
			}
			_, err := s.commit(ctx, place{tree: s.home}, out, message)
			return err
		},
	}
	// Under the write lock no live process has a record: each writes and removes its own while it holds the lock.
	return s.withWriteLock(ctx, "finish a change", func() error { return finishRedo(dir, tree) })
}

func filesOf(edits []fileEdit) []gitops.File {
	files := make([]gitops.File, len(edits))
	for i, e := range edits {
		files[i] = gitops.File{Path: e.path, Content: e.next}
	}
	return files
}

// writeFiles writes files below home; undo restores those that it has written.
func writeFiles(s *Store, edits []fileEdit) (undo func() error, err error) {
	var back []func() error
	undo = func() error {
		var errs []error
		for _, step := range back {
			errs = append(errs, step())
		}
		return errors.Join(errs...)
	}
	for _, e := range edits {
		// A killed process may have created it before its commit.
		if e.mayExist {
			if have, err := s.ReadTree(s.home, e.path); err == nil && bytes.Equal(have, e.next) {
				continue
			}
		}
		if err := s.compareAndReplace(s.home, e.path, e.old, e.next); err != nil {
			return undo, err
		}
		// A step is undone by the same comparison, so that an edit made meanwhile is not lost.
		back = append(back, func() error { return s.takeBack(s.home, e.path, e.next, e.old) })
	}
	return undo, nil
}
