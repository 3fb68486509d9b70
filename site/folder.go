package site

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec/next"
)

// listName is the file with the names of all files of a site, one a line.
const listName = ".chant-site"

// listHead is its first line.
const listHead = "# The files of a site that chant has written. chant site build removes those that it no longer needs."

// folder is the folder of a site. Its methods reach nothing outside of it.
type folder struct {
	root *os.Root
	path string
	had  []string // the files of the last build
}

// openFolder opens the folder of a site, or makes one. Error: Conflict if it contains anything that is not of a site.
func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, badFolder(dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, badFolder(dir, err)
	}
	f := &folder{root: root, path: dir}
	if err := f.readList(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

// badFolder is the error for a folder that cannot be made or opened.
func badFolder(dir string, err error) error {
	return &engine.Error{Code: engine.Conflict, Next: next.Site.Help(), Message: fmt.Sprintf("folder %q cannot be used: %s", dir, err), Err: err}
}

func (f *folder) close() error { return f.root.Close() }

// readList reads the list of files. A folder without one has to be empty.
func (f *folder) readList() error {
	src, err := f.root.ReadFile(listName)
	if err == nil {
		for line := range strings.Lines(string(src)) {
			// The list may have been edited, and a path must not lead out of the folder.
			if name := strings.TrimSuffix(line, "\n"); !strings.HasPrefix(name, "#") && fs.ValidPath(name) && name != "." {
				f.had = append(f.had, name)
			}
		}
		return nil
	}
	if !isNotExist(err) {
		return badFolder(f.path, err)
	}
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("it contains %q, and no site of chant", entries[0].Name())
	}
	if err != nil {
		return badFolder(f.path, err)
	}
	// From now on it belongs to the site, also if the build is killed.
	return f.writeList(nil)
}

// writeList writes the list, which has the files of the last build too until finish.
func (f *folder) writeList(names []string) error {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	_, err := f.write(listName, []byte(strings.Join(append([]string{listHead}, names...), "\n")+"\n"))
	return err
}

// makeFolders makes the folders of files, and lists these files as part of the site before any is written.
func (f *folder) makeFolders(files []File) error {
	made := map[string]bool{}
	names := slices.Clone(f.had)
	for _, file := range files {
		if err := f.checkFree(file.Path); err != nil {
			return err
		}
		names = append(names, file.Path)
		dir := path.Dir(file.Path)
		if made[dir] {
			continue
		}
		made[dir] = true
		if err := f.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return badFolder(f.path, err)
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(f.had) {
		return nil
	}
	return f.writeList(names)
}

// checkFree refuses a file that is in the way of one of the site.
func (f *folder) checkFree(name string) error {
	if slices.Contains(f.had, name) {
		return nil
	}
	// The list does not have it, so it is a person's.
	if _, err := f.root.Lstat(filepath.FromSlash(name)); isNotExist(err) {
		return nil
	}
	return badFolder(f.path, fmt.Errorf("it contains %q, which chant has not written", name))
}

// write writes a file unless it has this content, and reports whether it did.
func (f *folder) write(name string, content []byte) (changed bool, err error) {
	name = filepath.FromSlash(name)
	// A file that is the same keeps its time, so that a second build changes nothing.
	if old, err := f.root.ReadFile(name); err == nil && bytes.Equal(old, content) {
		return false, nil
	}
	// A reader never sees half of a page.
	temporary := name + ".new"
	if err := f.root.WriteFile(temporary, content, 0o644); err != nil {
		return false, err
	}
	return true, f.root.Rename(temporary, name)
}

// finish removes the files of the last build that this one does not have, and their folders if these are then empty.
func (f *folder) finish(files []File) (removed int, err error) {
	now := map[string]bool{}
	var names []string
	for _, file := range files {
		now[file.Path] = true
		names = append(names, file.Path)
	}
	for _, name := range f.had {
		if now[name] {
			continue
		}
		err := f.root.Remove(filepath.FromSlash(name))
		if isNotExist(err) {
			continue
		}
		if err != nil {
			return removed, err
		}
		removed++
		if dir := path.Dir(name); dir != "." {
			// It fails unless the folder is empty.
			_ = f.root.Remove(filepath.FromSlash(dir))
		}
	}
	return removed, f.writeList(names)
}
