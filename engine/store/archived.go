package store

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"chant/archive"
	"chant/engine/spec"
)

// archivePaths maps archived ids to their paths below home.
func archivePaths(home string) (map[string]string, error) {
	index, err := archive.Index(os.DirFS(filepath.Join(home, Dir)))
	if err != nil {
		return nil, err
	}
	for id, path := range index {
		index[id] = Dir + "/" + path
	}
	return index, nil
}

// LoadArchived reads every archived spec, in id order. Unreadable ones are in invalid.
func (s *Store) LoadArchived() (specs []*spec.File, invalid []Invalid, err error) {
	paths, err := archivePaths(s.home)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range slices.SortedFunc(maps.Keys(paths), spec.Compare) {
		// One unreadable file must not hide the others, so it is returned beside them.
		got, err := readArchived(s, id, paths[id])
		if err != nil {
			invalid = append(invalid, Invalid{id, paths[id], err})
			continue
		}
		specs = append(specs, got)
	}
	return specs, invalid, nil
}

// GetArchived reads one archived spec; *spec.NotFoundError if there is none.
func (s *Store) GetArchived(id string) (*spec.File, error) {
	path, src, err := s.RawArchived(id)
	if err != nil {
		return nil, err
	}
	got, err := parseArchived(id, path, src)
	AdoptHome(s, got)
	return got, err
}

func readArchived(s *Store, id, path string) (*spec.File, error) {
	src, err := ReadFile(s.home, path)
	if err != nil {
		return nil, err
	}
	got, err := parseArchived(id, path, src)
	AdoptHome(s, got)
	return got, err
}

// RawArchived returns the path below home and the bytes of an archived spec's file, even if it cannot be parsed;
// *spec.NotFoundError if there is none.
func (s *Store) RawArchived(id string) (path string, src []byte, err error) {
	paths, err := archivePaths(s.home)
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
	paths, err := archivePaths(s.home)
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Keys(paths), spec.Compare), nil
}
