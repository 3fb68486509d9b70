package store

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Sprints lists the numbers of all sprints in their order, also of those whose files cannot be read.
func Sprints(s *Store) ([]int, error) {
	entries, err := os.ReadDir(filepath.Join(s.home, filepath.FromSlash(SprintsDir)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	found := map[int]bool{}
	for _, entry := range entries {
		if n, ok := sprintOf(SprintsDir + "/" + entry.Name()); ok && !entry.IsDir() {
			found[n] = true
		}
	}
	for path := range s.extra {
		if n, ok := sprintOf(path); ok {
			found[n] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// sprintOf returns the number of the sprint at a path, false for other paths.
func sprintOf(path string) (n int, ok bool) {
	digits, _ := strings.CutSuffix(strings.TrimPrefix(path, SprintsDir+"/"), ".md")
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0 && path == SprintPath(n)
}
