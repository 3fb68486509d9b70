package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"chant/engine/atomicfile"
)

// EvidenceFolder is in the cache what is of no run; no spec can have the name.
const EvidenceFolder = ".evidence"

// evidenceMost bounds the files of one of the 256 folders: about 40 MB in all.
const evidenceMost = 32

// Evidence keeps what commands have shown, by key. It is derived data: whatever is
// missing is found out again.
type Evidence struct{ local Locals }

// Evidence is the project's.
func (l Locals) Evidence() Evidence { return Evidence{l} }

// Find returns what was kept under a key of at least two hex digits, nil when nothing was.
func (e Evidence) Find(key string) ([]byte, error) {
	folder, err := e.folder(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(folder, key+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// folder is where a key's evidence lies: fs.ErrNotExist before it is made, *FileError where
// something else stands in its way, such as a link to files that are none of ours.
func (e Evidence) folder(key string) (string, error) {
	path := e.local.LocalPath(Cache, EvidenceFolder)
	for _, at := range []string{path, filepath.Join(path, key[:2])} {
		info, err := os.Lstat(at)
		if err != nil {
			return at, err
		}
		if path = at; !info.IsDir() {
			return path, &FileError{path, "is not the folder of evidence that belongs there"}
		}
	}
	return path, nil
}

// Keep keeps something under a key, in place of what is oldest where it is full.
func (e Evidence) Keep(key string, text []byte) error {
	top, err := e.local.Local(Cache, EvidenceFolder)
	if err != nil {
		return err
	}
	folder := filepath.Join(top, key[:2])
	if _, err := e.folder(key); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return fmt.Errorf("make folder %q: %w", folder, err)
		}
	} else if err != nil {
		return err
	}
	if err := thin(folder); err != nil {
		return err
	}
	temp, err := e.local.Local(Cache, "")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(folder, key+".json"), text, atomicfile.Options{Temp: temp, Mode: 0o600}); err != nil {
		return fmt.Errorf("keep evidence in %q: %w", folder, err)
	}
	return nil
}

// keptName is what our files are called.
var keptName = regexp.MustCompile(`^[0-9a-f]{64}\.json$`)

// thin makes room in a folder that is full.
func thin(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) < evidenceMost {
		return err
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && keptName.MatchString(entry.Name()) && info.Mode().IsRegular() { // else another process was faster
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, f := range files[:len(files)/2] {
		if err := os.Remove(filepath.Join(folder, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
