package openspec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	changesDir  = "changes"
	archiveDir  = "changes/archive"
	specsDir    = "specs"
	specFile    = "spec.md"
	metadataYML = ".openspec.yaml"
)

// readText reads a file of the folder, and reports whether there is one.
func readText(fsys fs.FS, name string) (text string, ok bool, err error) {
	data, err := fs.ReadFile(fsys, name)
	switch {
	case err == nil:
		return string(data), true, nil
	case absent(fsys, name, err):
		return "", false, nil
	}
	return "", false, err
}

// readDir lists a folder, which may be missing.
func readDir(fsys fs.FS, name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(fsys, name)
	if err != nil && absent(fsys, name, err) {
		return nil, nil
	}
	return entries, err
}

// absent reports whether an error means that there is nothing at a path, although a folder
// on the way may be a file.
func absent(fsys fs.FS, name string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := fs.Stat(fsys, dir); err == nil {
			return !info.IsDir()
		}
	}
	return false
}

// isFile reports whether there is a regular file, perhaps at the end of a link.
func isFile(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
}

// folders lists the folders in one whose names start with no dot.
func folders(fsys fs.FS, dir string) ([]string, error) {
	entries, err := readDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !hidden(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// errNotFolder is returned for specs that are a file.
var errNotFolder = errors.New("not a folder")

// capabilities lists the capabilities that have a spec.md below a folder of specs: their
// paths below it. A link to a file counts as the file, and one to a folder does not count.
func capabilities(fsys fs.FS, dir string) ([]string, error) {
	var found []string
	err := walk(fsys, dir, func(name string, e fs.DirEntry) error {
		capability := path.Dir(name)
		if e.Name() == specFile && capability != "." && isFile(fsys, path.Join(dir, name)) {
			found = append(found, capability)
		}
		return nil
	})
	slices.Sort(found)
	return found, err
}

// walk visits the files and links below a folder, with their paths below it. It leaves out
// names with a dot at the start.
func walk(fsys fs.FS, dir string, visit func(name string, e fs.DirEntry) error) error {
	if info, err := fs.Stat(fsys, dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%q is %w", dir, errNotFolder)
	}
	var in func(below string) error
	in = func(below string) error {
		entries, err := readDir(fsys, path.Join(dir, below))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if hidden(e.Name()) {
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

// hasFiles reports whether there is any file below a folder, or anything but a folder in its
// place.
func hasFiles(fsys fs.FS, dir string) (bool, error) {
	err := walk(fsys, dir, func(string, fs.DirEntry) error { return fs.SkipAll })
	if errors.Is(err, fs.SkipAll) || errors.Is(err, errNotFolder) {
		return true, nil
	}
	return false, err
}

// unreadDelta is a file of Markdown with the sections of a delta that nothing reads, because
// it is not the spec.md of a capability.
type unreadDelta struct {
	path, want string
}

func unreadDeltas(fsys fs.FS, dir string) ([]unreadDelta, error) {
	var found []unreadDelta
	err := walk(fsys, dir, func(name string, e fs.DirEntry) error {
		if e.Name() == specFile || !strings.HasSuffix(strings.ToLower(e.Name()), ".md") || !isFile(fsys, path.Join(dir, name)) {
			return nil
		}
		text, ok, err := readText(fsys, path.Join(dir, name))
		if err != nil || !ok {
			return err
		}
		if d := ParseDelta([]byte(text)); len(d.sections) > 0 {
			capability := path.Dir(name)
			if capability == "." {
				capability = name[:len(name)-len(".md")]
			}
			found = append(found, unreadDelta{path: name, want: path.Join(capability, specFile)})
		}
		return nil
	})
	if errors.Is(err, errNotFolder) {
		return nil, nil
	}
	slices.SortFunc(found, func(a, b unreadDelta) int { return strings.Compare(a.path, b.path) })
	return found, err
}
