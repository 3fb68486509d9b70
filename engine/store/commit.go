package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"chant/archive"
	"chant/engine/spec"
	"chant/gitops"
)

// ReadAt reads an active spec from a commit. Errors: that of an invalid id, gitops.ErrNotFound, *markdown.SyntaxError.
func (s *Store) ReadAt(ctx context.Context, commit, id string) (*spec.File, error) {
	if err := spec.ValidName(id); err != nil {
		return nil, err
	}
	src, err := s.repo.ReadFile(ctx, commit, SpecPath(id))
	if err != nil {
		return nil, err
	}
	got, err := s.Parse(id, SpecPath(id), src)
	if err != nil {
		return nil, err
	}
	return got, AdoptAt(ctx, s, commit, got)
}

// FindAt reads an active or archived spec from a commit; errors as of At.
func (s *Store) FindAt(ctx context.Context, commit, id string) (*spec.File, error) {
	if err := spec.ValidName(id); err != nil {
		return nil, err
	}
	top, err := s.repo.FS(ctx, commit)
	if err != nil {
		return nil, err
	}
	files, err := fs.Sub(top, Dir)
	if err != nil {
		return nil, err
	}
	name, err := archive.Find(files, id)
	// Only an active spec obeys the project's rules of approval, which At applies.
	if err == nil && name == archive.ActivePath(id) {
		return s.ReadAt(ctx, commit, id)
	}
	var src []byte
	if err == nil {
		src, err = fs.ReadFile(files, name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("spec %q in %q: %w", id, commit, gitops.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	got, err := parseArchived(id, Dir+"/"+name, src)
	if err != nil {
		return nil, err
	}
	return got, AdoptAt(ctx, s, commit, got)
}

// parseArchived reads an archived spec, to which the project's rules of approval do not apply.
func parseArchived(id, path string, src []byte) (*spec.File, error) {
	got, err := spec.Parse(id, path, src)
	if err != nil {
		return nil, err
	}
	got.Archived = true
	return got, nil
}
