package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/gitops"
)

// Raw returns the text of a spec's current version, even if it cannot be parsed.
func (s *Store) Raw(ctx context.Context, id string) ([]byte, error) {
	p, err := s.place(ctx, id)
	return p.src, err
}

// Replace replaces the text of a spec's current version and commits
// it; *ChangedError if the text is no longer old. It does not ask the state machine: it is for
// repairing a file that cannot be parsed.
func (s *Store) Replace(ctx context.Context, id string, old, next []byte, word string) (string, error) {
	p, err := s.place(ctx, id)
	if err != nil {
		return "", err
	}
	// The early check gives a clear error; save compares again under the lock.
	if !bytes.Equal(p.src, old) {
		return "", &ChangedError{SpecPath(id)}
	}
	return s.save(ctx, p, SpecPath(id), next, message.Commit{ID: id, Event: word}.String())
}

// place is where the current version of a spec is, and where changes are written.
type place struct {
	tree   string // worktree whose file is written, "" if no worktree has the branch
	branch string // short name; "" for the branch that home has checked out
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
			return s.branchPlace(ctx, id, src)
		}
		// If git ignores .chant, the branch has no spec and home's copy is the one to change.
		if !errors.Is(err, gitops.ErrNotFound) {
			return place{}, err
		}
	}
	return s.placeHome(id)
}

// placeHome is the place of the copy in home.
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

// placeOf is the place of a change.
func (s *Store) placeOf(ctx context.Context, ch Change) (place, error) {
	if ch.AtHome {
		return s.placeHome(ch.ID)
	}
	return s.place(ctx, ch.ID)
}

// branchPlace finds the worktree of the run's branch, if there is one: its file is
// then the one to edit.
func (s *Store) branchPlace(ctx context.Context, id string, tipSrc []byte) (place, error) {
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
			// A worktree without its link to git is left over: what is written there would be lost.
			continue
		}
		// The worktree's file may have edits that are not committed, and they must survive: they become part of this commit.
		if src, err := s.ReadTree(t.Path, SpecPath(id)); err == nil {
			p.tree, p.src = t.Path, src
		}
	}
	return p, nil
}
