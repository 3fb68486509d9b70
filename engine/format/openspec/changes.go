package openspec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Summary says what a change is about and how many of its tasks are done.
type Summary struct {
	Title string // of the proposal, "" if it has none
	Progress
}

// Summarize reads the proposal and the tasks of an open change. Documents that are missing or wrong leave fields empty.
func Summarize(fsys fs.FS, id string) (Summary, error) {
	dir, err := changeDir(fsys, id)
	if err != nil {
		return Summary{}, err
	}
	text, _, err := ReadText(fsys, path.Join(dir, "proposal.md"))
	if err != nil {
		return Summary{}, err
	}
	s := Summary{Title: firstTitle(readPage(text))}
	if rest, ok := CutFold(s.Title, "Change:"); ok {
		s.Title = Trim(rest)
	}
	s.Progress, err = progress(fsys, dir)
	return s, err
}

// ErrNotFound is returned for a change that is not there.
var ErrNotFound = errors.New("not found")

// changeDir is the folder of a change, which must be there.
func changeDir(fsys fs.FS, id string) (string, error) {
	name := strings.TrimPrefix(id, "archive/")
	dir := path.Join(ChangesDir, id)
	if !PlainName(name) || id == "archive" || !fs.ValidPath(dir) {
		return "", fmt.Errorf("change %q: %w", id, ErrNotFound)
	}
	info, err := fs.Stat(fsys, dir)
	if err != nil && !IsAbsent(fsys, dir, err) {
		return "", err
	}
	if err != nil || !info.IsDir() {
		return "", fmt.Errorf("change %q: %w", id, ErrNotFound)
	}
	return dir, nil
}

// progress counts the tasks of the change in a folder.
func progress(fsys fs.FS, dir string) (Progress, error) {
	m, err := ReadMetadata(fsys, dir)
	if err != nil {
		return Progress{}, err
	}
	files, _, err := TaskFiles(fsys, dir, SchemaOf(fsys, m))
	return Count(files), err
}

// nestedChanges lists the changes inside the folder of a change that is none itself but a
// folder around changes.
func nestedChanges(fsys fs.FS, id string) ([]string, error) {
	is, err := isChange(fsys, id)
	if is || err != nil || IsHidden(id) || strings.HasPrefix(id, "archive") && (id == "archive" || id[len("archive")] == '/') {
		return nil, err
	}
	entries, err := ReadDir(fsys, path.Join(ChangesDir, id))
	if err != nil {
		return nil, err
	}
	// A folder with files of its own is meant as a change.
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && !IsHidden(e.Name()) }) {
		return nil, nil
	}
	found, err := changesIn(fsys, id, 1)
	slices.Sort(found)
	return found, err
}

// changesIn looks for changes up to three folders deep.
func changesIn(fsys fs.FS, id string, depth int) ([]string, error) {
	if depth > 3 {
		return nil, nil
	}
	names, err := Folders(fsys, path.Join(ChangesDir, id))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range names {
		child := id + "/" + name
		is, err := isChange(fsys, child)
		if err != nil {
			return nil, err
		}
		if is {
			found = append(found, child)
			continue
		}
		more, err := changesIn(fsys, child, depth+1)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// isChange reports whether a folder holds a document of a change.
func isChange(fsys fs.FS, id string) (bool, error) {
	dir := path.Join(ChangesDir, id)
	for _, name := range []string{MetadataName, "proposal.md", "tasks.md", "design.md"} {
		if IsFile(fsys, path.Join(dir, name)) {
			return true, nil
		}
	}
	if info, err := fs.Stat(fsys, path.Join(dir, SpecsDir)); err == nil && info.IsDir() {
		if is, err := HasFiles(fsys, path.Join(dir, SpecsDir)); is || err != nil {
			return is, err
		}
	}
	m, err := ReadMetadata(fsys, dir)
	if err != nil {
		return false, err
	}
	s := SchemaOf(fsys, m)
	if s == nil || s.BuiltIn {
		// Its documents were looked for above.
		return false, nil
	}
	for _, a := range s.Artifacts {
		if names, err := Outputs(fsys, dir, a.Generates); len(names) > 0 || err != nil {
			return len(names) > 0, err
		}
	}
	return false, nil
}

func describeNested(id string, nested []string) string {
	var dirs []string
	for _, n := range nested {
		dirs = append(dirs, "openspec/changes/"+n+"/")
	}
	return fmt.Sprintf(msgNested, id, strings.Join(dirs, ", "), strings.ReplaceAll(nested[0], "/", "-"))
}
