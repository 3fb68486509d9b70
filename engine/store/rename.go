package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"chant/gitops"
)

// Rename moves files below home in one commit. Either all moves happen or none. It
// finishes moves that a killed process began.
func (s *Store) Rename(ctx context.Context, moves map[string]string, message string) (commit string, err error) {
	err = s.withWriteLock(ctx, "rename", func() (err error) {
		commit, err = s.rename(ctx, moves, message)
		return err
	})
	return commit, err
}

func (s *Store) rename(ctx context.Context, moves map[string]string, message string) (string, error) {
	var files []gitops.File
	var undo []func() error
	fail := func(err error) (string, error) {
		// The steps are undone last first: the copy must be back before the moved file goes.
		for i := len(undo) - 1; i >= 0; i-- {
			err = errors.Join(err, undo[i]())
		}
		return "", err
	}
	for from, to := range moves {
		src, err := s.ReadTree(s.home, from)
		there, thereErr := s.ReadTree(s.home, to)
		moved := errors.Is(err, fs.ErrNotExist) && thereErr == nil
		switch {
		case moved:
			// A process that was killed before its commit has moved it.
			src = there
		case err != nil:
			return fail(err)
		case thereErr == nil && !bytes.Equal(src, there):
			return fail(&ExistsError{to})
		case thereErr != nil:
			// The new file is written before the old one is removed: a crash between leaves both, never neither.
			if err := s.compareAndReplace(s.home, to, nil, src); err != nil {
				return fail(err)
			}
			undo = append(undo, func() error { return s.compareAndReplace(s.home, to, src, nil) })
		}
		if !moved {
			if err := s.compareAndReplace(s.home, from, src, nil); err != nil {
				return fail(err)
			}
			undo = append(undo, func() error { return s.compareAndReplace(s.home, from, nil, src) })
		}
		files = append(files, gitops.File{Path: filepath.ToSlash(from)}, gitops.File{Path: filepath.ToSlash(to), Content: src})
	}
	commit, err := s.commit(ctx, place{tree: s.home}, files, message)
	// With a commit, an error is about git's index, and undoing the moves would contradict the commit.
	if err != nil && commit == "" {
		return fail(err)
	}
	return commit, err
}
