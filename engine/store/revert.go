package store

import (
	"context"
	"strings"
)

// Revert writes files below home and commits them with this message; *ChangedError or *ExistsError if one of them is
// not as its Old any more. With a commit, an error is about the index.
func Revert(ctx context.Context, s *Store, writes []Write, message string) (commit string, err error) {
	edits := make([]fileEdit, len(writes))
	for i, w := range writes {
		edits[i] = fileEdit{path: w.Path, old: w.Old, next: w.Next}
	}
	return s.saveFiles(ctx, edits, message)
}

// FilesOf lists the files below .chant that differ between two commits, as writes from the second to the first. others
// reports whether other files differ too.
func FilesOf(ctx context.Context, s *Store, before, after string) (back []Write, others bool, err error) {
	changes, err := s.repo.Diff(ctx, before, after)
	if err != nil {
		return nil, false, err
	}
	read := func(commit, path string, absent bool) ([]byte, error) {
		if absent {
			return nil, nil
		}
		src, err := s.repo.ReadFile(ctx, commit, path)
		if src == nil && err == nil {
			// In a write, nil means that there is no file.
			src = []byte{}
		}
		return src, err
	}
	for _, c := range changes {
		// A link or a file outside .chant is not chant's to write back.
		if !strings.HasPrefix(c.Path, Dir+"/") || c.Link {
			others = true
			continue
		}
		w := Write{Path: c.Path}
		if w.Old, err = read(after, c.Path, c.Status == 'D'); err != nil {
			return nil, others, err
		}
		if w.Next, err = read(before, c.Path, c.Status == 'A'); err != nil {
			return nil, others, err
		}
		back = append(back, w)
	}
	return back, others, nil
}
