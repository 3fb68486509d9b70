package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"chant/engine/spec"
	"chant/gitops"
)

// Raw is the text of a spec from where it speaks, readable or not.
func (s *Store) Raw(ctx context.Context, id string) ([]byte, error) {
	p, err := s.place(ctx, id)
	return p.src, err
}

// Replace puts a new text in the place of a spec's file where it speaks and commits
// it; *ChangedError when the file no longer is old. It asks no machine: it is for
// mending a file that cannot be read.
func (s *Store) Replace(ctx context.Context, id string, old, next []byte, word string) (string, error) {
	p, err := s.place(ctx, id)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(p.src, old) {
		return "", &ChangedError{SpecPath(id)}
	}
	return s.save(ctx, p, SpecPath(id), next, Message{ID: id, Event: word}.String())
}

// place is where a spec speaks and where a change of it goes.
type place struct {
	tree   string // folder whose file is written, "" when no tree has the branch
	branch string // short name; "" commits to what home has checked out
	src    []byte
}

func (s *Store) place(ctx context.Context, id string) (place, error) {
	path := SpecPath(id)
	tip, err := s.repo.Resolve(ctx, "refs/heads/"+s.Branch(id))
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return place{}, err
	}
	if err == nil {
		src, err := s.repo.ReadFile(ctx, tip, path)
		if err == nil {
			return s.onBranch(ctx, id, src)
		}
		if !errors.Is(err, gitops.ErrNotFound) { // in silent mode the branch has no spec
			return place{}, err
		}
	}
	return s.placeHome(id)
}

// placeHome is the copy in home.
func (s *Store) placeHome(id string) (place, error) {
	src, err := s.ReadTree(s.home, SpecPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return place{}, &spec.NotFoundError{ID: id}
	}
	if err != nil {
		return place{}, err
	}
	return place{tree: s.home, src: src}, nil
}

// placeOf is where a change goes.
func (s *Store) placeOf(ctx context.Context, ch Change) (place, error) {
	if ch.AtHome {
		return s.placeHome(ch.ID)
	}
	return s.place(ctx, ch.ID)
}

// onBranch finds the tree that has the run's branch, if one has: its file is
// then the one to edit.
func (s *Store) onBranch(ctx context.Context, id string, tipSrc []byte) (place, error) {
	p := place{branch: s.Branch(id), src: tipSrc}
	trees, err := s.repo.Worktrees(ctx)
	if err != nil {
		return place{}, err
	}
	for _, t := range trees {
		if t.Branch != p.branch {
			continue
		}
		if _, err := s.repo.GitDir(t.Path); err != nil {
			continue // someone broke it
		}
		if src, err := s.ReadTree(t.Path, SpecPath(id)); err == nil {
			p.tree, p.src = t.Path, src
		}
	}
	return p, nil
}
