package local

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"chant/engine/store/disk"
	"chant/gitops/layout"
)

// EvidenceFolder is the folder of evidence in the cache; no spec can have this name.
const EvidenceFolder = ".evidence"

// maxEvidence limits the files in each of the 256 folders: about 40 MB in total.
const maxEvidence = 32

// Evidence stores the evidence of commands, by key. It is derived data: commands whose evidence is
// missing run again.
type Evidence struct{ local Files }

// Evidence returns the evidence of the project.
func (l Files) Evidence() Evidence { return Evidence{l} }

// Find returns the evidence with a key of at least two hex digits, nil without any.
func (e Evidence) Find(key string) ([]byte, error) {
	// The two digits spread the files over 256 folders, of which each is limited and listed alone.
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

// folder returns the folder of a key's evidence. Errors: fs.ErrNotExist before it is created; *FileError if
// something else is in its place, such as a link to other files.
func (e Evidence) folder(key string) (string, error) {
	path := e.local.LocalPath(Cache, EvidenceFolder)
	for _, at := range []string{path, filepath.Join(path, key[:2])} {
		// Each level is checked: a link in its place would lead to evidence that chant has not written.
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

// Keep stores evidence with a key. In a full folder it replaces the oldest evidence.
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
	// Room is made before writing, so that a folder never outgrows its limit.
	if err := removeOldest(folder); err != nil {
		return err
	}
	temp, err := e.local.Temp()
	if err != nil {
		return err
	}
	// Another run may read this evidence now, so it appears as a whole.
	if err := disk.Write(filepath.Join(folder, key+".json"), text, disk.Options{Temp: temp, Mode: 0o600}); err != nil {
		return fmt.Errorf("keep evidence in %q: %w", folder, err)
	}
	return layout.Share(filepath.Join(folder, key+".json"))
}

// keptName matches the names of our files.
var keptName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{64}\.json$`)
})

// removeOldest removes the older half of the files in a full folder.
func removeOldest(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) < maxEvidence {
		return err
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		// Another process may have removed the file since it was listed.
		info, err := entry.Info()
		if err == nil && keptName().MatchString(entry.Name()) && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	// Half of them go at once, so that listing the folder is not needed for each file that is kept.
	for _, f := range files[:len(files)/2] {
		if err := os.Remove(filepath.Join(folder, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
