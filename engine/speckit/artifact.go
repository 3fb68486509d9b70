package speckit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"chant/engine/tasklist"
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
	for _, e := range entries { // sorted by name
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".md") {
			files = append(files, path.Join(folder, e.Name()))
		}
	}
	return files, nil
}

// CheckItem is an item of a checklist.
type CheckItem struct {
	Path   string // from the root of the repository
	Line   int    // from 1
	Offset int    // of the byte between the brackets, for [tasklist.TickAt]
	ID     string // such as "CHK001", "" if there is none
	Text   string // without the ID
	Done   bool
}

// Checklists returns the items of checklist.md and of checklists/*.md, in that order. Without checklists there are none.
func Checklists(fsys fs.FS, dir string) ([]CheckItem, error) {
	files, err := checklistFolder(fsys, dir)
	if err != nil {
		return nil, err
	}
	single := path.Join(dir, "checklist.md")
	there, err := isFile(fsys, single)
	if err != nil {
		return nil, err
	}
	if there {
		files = slices.Insert(files, 0, single)
	}
	var items []CheckItem
	for _, file := range files {
		src, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", file, err)
		}
		for _, t := range tasklist.Parse(src).Tasks {
			items = append(items, CheckItem{Path: file, Line: t.Line, Offset: t.Offset, ID: t.ID, Text: t.Description, Done: t.Done})
		}
	}
	return items, nil
}
