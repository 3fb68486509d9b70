package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"chant/gitops"
)

// saveAll writes a changed spec and those that the change adds, and commits
// all of them, or restores everything. A spec to add that exists with the
// same text counts as added: an earlier process was killed before its commit.
func (s *Store) saveAll(ctx context.Context, p place, ch Change, next []byte) (commit string, err error) {
	if len(ch.Adds) == 0 {
		return s.save(ctx, p, SpecPath(ch.ID), next, ch.message())
	}
	if p.branch != "" {
		return "", fmt.Errorf("specs are added beside %q, whose current version is on branch %q", ch.ID, p.branch)
	}
	err = s.withWriteLock(ctx, "write "+SpecPath(ch.ID), func() (err error) {
		files, undo, err := s.writeAll(p, ch, next)
		if err == nil {
			commit, err = s.commit(ctx, p, files, ch.message())
		}
		if err != nil && commit == "" {
			err = errors.Join(err, undo())
		}
		return err
	})
	return commit, err
}

// writeAll writes the files of a change; undo restores those that it has written.
func (s *Store) writeAll(p place, ch Change, next []byte) (files []gitops.File, undo func() error, err error) {
	var back []func() error
	undo = func() error {
		var errs []error
		for _, step := range back {
			errs = append(errs, step())
		}
		return errors.Join(errs...)
	}
	for _, add := range ch.Adds {
		path := SpecPath(add.ID)
		if have, err := s.ReadTree(p.tree, path); err != nil || !bytes.Equal(have, add.Content) {
			if err := s.compareAndReplace(p.tree, path, nil, add.Content); err != nil {
				return nil, undo, err
			}
			back = append(back, func() error { return s.compareAndReplace(p.tree, path, add.Content, nil) })
		}
		files = append(files, gitops.File{Path: path, Content: add.Content})
	}
	path := SpecPath(ch.ID)
	if err := s.compareAndReplace(p.tree, path, p.src, next); err != nil {
		return nil, undo, err
	}
	back = append(back, func() error { return s.compareAndReplace(p.tree, path, next, p.src) })
	return append(files, gitops.File{Path: path, Content: next}), undo, nil
}
