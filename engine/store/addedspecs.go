package store

import (
	"context"
	"fmt"
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
	var files []fileEdit
	for _, add := range ch.Adds {
		files = append(files, fileEdit{path: SpecPath(add.ID), next: add.Content, mayExist: true})
	}
	return s.saveFiles(ctx, append(files, fileEdit{path: SpecPath(ch.ID), old: p.src, next: next}), ch.message())
}
