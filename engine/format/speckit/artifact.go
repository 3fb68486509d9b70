package speckit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Artifacts returns the names that [Artifact] knows.
func Artifacts() []string { return []string{"spec", "plan", "tasks", "checklist", "analysis"} }

// Artifact returns a document of a feature, and the paths of the files it is in. The checklist is checklist.md, else all
// of checklists/*.md in the order of their names, with an empty line between them. The error is an [*ArtifactError] or a
// [*NotFoundError].
func Artifact(fsys fs.FS, dir, name string) ([]byte, []string, error) {
	if !slices.Contains(Artifacts(), name) {
		return nil, nil, &ArtifactError{Name: name}
	}
	file := path.Join(dir, name+".md")
	files, looked := []string{file}, []string{file}
	there, err := isFile(fsys, file)
	if err == nil && !there {
		files = nil
		if name == "checklist" {
			looked = append(looked, path.Join(dir, "checklists", "*.md"))
			files, err = checklistFolder(fsys, dir)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 {
		return nil, nil, &NotFoundError{What: "artifact " + name, Dir: dir, Try: looked}
	}
	var texts [][]byte
	for i, file := range files {
		src, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, nil, fmt.Errorf("read %q: %w", file, err)
		}
		// One empty line is between two files, however the first one ends.
		if i+1 < len(files) {
			src = append(bytes.TrimRight(src, "\r\n"), '\n')
		}
		texts = append(texts, src)
	}
	return bytes.Join(texts, []byte("\n")), files, nil
}

// checklistFolder returns the paths of checklists/*.md, none if the folder is missing.
func checklistFolder(fsys fs.FS, dir string) ([]string, error) {
	folder := path.Join(dir, "checklists")
	entries, err := fs.ReadDir(fsys, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", folder, err)
	}
	var files []string
	// The entries are sorted by name.
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".md") {
			files = append(files, path.Join(folder, e.Name()))
		}
	}
	return files, nil
}
