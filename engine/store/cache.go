package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CacheDir returns the folder for files that live as long as one run: prompt,
// script, the agent's MCP config. Others on the machine cannot read it.
func (s *Store) CacheDir(id string) (string, error) {
	path, err := s.Local(Cache, id)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", fmt.Errorf("make folder %q: %w", path, err)
	}
	return path, nil
}

// WriteCache writes one file of a run, readable by its owner alone, and returns
// its absolute path.
func (s *Store) WriteCache(id, name string, content []byte) (string, error) {
	dir, err := s.CacheDir(id)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return "", fmt.Errorf("write %q: %w", path, err)
	}
	return path, nil
}

// ReadCache returns a run's files, by absolute path.
func (s *Store) ReadCache(id string) (map[string][]byte, error) {
	dir := s.LocalPath(Cache, id)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %q: %w", dir, err)
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if !entry.Type().IsRegular() {
			continue
		}
		if files[path], err = os.ReadFile(path); err != nil {
			return nil, fmt.Errorf("read %q: %w", path, err)
		}
	}
	return files, nil
}

// ClearCache removes a run's files.
func (s *Store) ClearCache(id string) error { return os.RemoveAll(s.LocalPath(Cache, id)) }
