package adopted

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// maxDepth limits the levels at which folders of features are looked for: a repository may hold several projects.
const maxDepth = 4

// Find lists the folders that can be adopted, in the order of their paths: the open changes of each openspec folder, the
// folders of .kiro/specs, and the folders below each other folder specs that are named as features of spec-kit; each with
// one of the files of its tool. Other hidden folders, those of installed packages and those that the caller may not read
// are not searched.
func Find(files fs.FS) ([]string, error) {
	var out []string
	err := find(files, ".", maxDepth, func(dir string) error {
		var err error
		switch path.Base(dir) {
		case "openspec":
			out, err = appendFolders(out, files, path.Join(dir, "changes"), func(name string) bool { return name != "archive" })
		case "specs":
			out, err = appendFolders(out, files, dir, func(name string) bool {
				if KindOf(path.Join(dir, name)) == Kiro {
					return hasAny(files, path.Join(dir, name), "requirements.md", "design.md", "tasks.md")
				}
				return isFeatureName(name) && hasAny(files, path.Join(dir, name), "spec.md", "plan.md", "tasks.md")
			})
		}
		return err
	})
	return out, err
}

// find visits the folders below one, down to a depth.
func find(files fs.FS, dir string, below int, visit func(dir string) error) error {
	if err := visit(dir); err != nil || below == 0 {
		return err
	}
	entries, err := fs.ReadDir(files, dir)
	// Such as the files of a database in a container.
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		// A file system cannot be asked for a name that is not UTF-8.
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") && e.Name() != ".kiro" || e.Name() == "node_modules" || e.Name() == "vendor" || !utf8.ValidString(e.Name()) {
			continue
		}
		if err := find(files, path.Join(dir, e.Name()), below-1, visit); err != nil {
			return err
		}
	}
	return nil
}

// appendFolders appends the folders right below one whose names are wanted.
func appendFolders(out []string, files fs.FS, dir string, wanted func(name string) bool) ([]string, error) {
	entries, err := fs.ReadDir(files, dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return out, nil
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && wanted(e.Name()) {
			out = append(out, path.Join(dir, e.Name()))
		}
	}
	return out, err
}

// isFeatureName reports whether a folder is named as spec-kit names features: a number of three or more digits, or a
// time, a dash, and words.
func isFeatureName(name string) bool {
	digits := len(name) - len(strings.TrimLeft(name, "0123456789"))
	return digits >= 3 && len(name) > digits+1 && name[digits] == '-'
}

func hasAny(files fs.FS, dir string, names ...string) bool {
	for _, name := range names {
		if info, err := fs.Stat(files, path.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
