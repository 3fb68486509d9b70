package openspec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// This file reads the folder openspec of a project: its files, the metadata of changes, and the schemas that say which
// documents a change has.
//
// It is pure: it reads through an fs.FS whose root is the folder.

// Where things are in the folder.
const (
	ChangesDir = "changes"
	ArchiveDir = "changes/archive"
	SpecsDir   = "specs"
	SpecFile   = "spec.md"
	// MetadataName is the name of a file in each change.
	MetadataName = ".openspec.yaml"
)

// ReadText reads a file of the folder, and reports whether there is one.
func ReadText(fsys fs.FS, name string) (text string, ok bool, err error) {
	data, err := fs.ReadFile(fsys, name)
	switch {
	case err == nil:
		return string(data), true, nil
	case IsAbsent(fsys, name, err):
		return "", false, nil
	}
	return "", false, err
}

// ReadDir lists a folder, which may be missing.
func ReadDir(fsys fs.FS, name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(fsys, name)
	if err != nil && IsAbsent(fsys, name, err) {
		return nil, nil
	}
	return entries, err
}

// IsAbsent reports whether an error means that there is nothing at a path, although a folder
// on the way may be a file.
func IsAbsent(fsys fs.FS, name string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	// A file in the place of a folder makes another error than a missing one on some systems.
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := fs.Stat(fsys, dir); err == nil {
			return !info.IsDir()
		}
	}
	return false
}

// IsFile reports whether there is a regular file, perhaps at the end of a link.
func IsFile(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
}

// Folders lists the folders in one whose names start with no dot.
func Folders(fsys fs.FS, dir string) ([]string, error) {
	entries, err := ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !IsHidden(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func IsHidden(name string) bool { return strings.HasPrefix(name, ".") }

// ErrNotFolder is returned for specs that are a file.
var ErrNotFolder = errors.New("not a folder")

// Capabilities lists the capabilities that have a spec.md below a folder of specs: their
// paths below it. A link to a file counts as the file, and one to a folder does not count.
func Capabilities(fsys fs.FS, dir string) ([]string, error) {
	var found []string
	err := Walk(fsys, dir, func(name string, e fs.DirEntry) error {
		capability := path.Dir(name)
		// A link to a file counts as the file; Walk does not go into links to folders.
		if e.Name() == SpecFile && capability != "." && IsFile(fsys, path.Join(dir, name)) {
			found = append(found, capability)
		}
		return nil
	})
	slices.Sort(found)
	return found, err
}

// Walk visits the files and links below a folder, with their paths below it. It leaves out
// names with a dot at the start.
func Walk(fsys fs.FS, dir string, visit func(name string, e fs.DirEntry) error) error {
	if info, err := fs.Stat(fsys, dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%q is %w", dir, ErrNotFolder)
	}
	var in func(below string) error
	in = func(below string) error {
		entries, err := ReadDir(fsys, path.Join(dir, below))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if IsHidden(e.Name()) {
				continue
			}
			name := path.Join(below, e.Name())
			if e.IsDir() {
				err = in(name)
			} else {
				err = visit(name, e)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return in("")
}

// HasFiles reports whether there is any file below a folder, or anything but a folder in its
// place.
func HasFiles(fsys fs.FS, dir string) (bool, error) {
	err := Walk(fsys, dir, func(string, fs.DirEntry) error { return fs.SkipAll })
	if errors.Is(err, fs.SkipAll) || errors.Is(err, ErrNotFolder) {
		return true, nil
	}
	return false, err
}
