package store

import (
	"os"
	"path/filepath"
	"slices"

	"chant/archive"
	"chant/engine/spec"
)

// archivePaths maps archived ids to their paths below home.
func (s *Store) archivePaths() (map[string]string, error) {
	index, err := archive.Index(os.DirFS(filepath.Join(s.home, Dir)))
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(index))
	for id, path := range index {
		out[id] = Dir + "/" + path
	}
	return out, nil
}

// GetArchived reads one archived spec; *spec.NotFoundError when there is none.
func (s *Store) GetArchived(id string) (*spec.Spec, error) {
	path, src, err := s.RawArchived(id)
	if err != nil {
		return nil, err
	}
	got, err := spec.Parse(id, path, src)
	if err != nil {
		return nil, err
	}
	got.Archived = true
	return got, nil
}

// RawArchived returns the path below home and the bytes of an archived spec's
// file, readable or not; *spec.NotFoundError when there is none.
func (s *Store) RawArchived(id string) (path string, src []byte, err error) {
	paths, err := s.archivePaths()
	if err != nil {
		return "", nil, err
	}
	path, ok := paths[id]
	if !ok {
		return "", nil, &spec.NotFoundError{ID: id}
	}
	src, err = s.ReadTree(s.home, path)
	return path, src, err
}

// ArchivedIDs lists the ids in the archive.
func (s *Store) ArchivedIDs() ([]string, error) {
	paths, err := s.archivePaths()
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(paths))
	for id := range paths {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, spec.Compare)
	return ids, nil
}
