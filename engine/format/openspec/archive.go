package openspec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// File is a file to write. Its path is below openspec.
type File struct {
	Path string
	Data []byte
}

// Move is a file of the change and where it goes. Both paths are below openspec.
type Move struct {
	From, To string
}

// Plan is all that archiving a change does. Its paths are below openspec.
type Plan struct {
	// Folder is where the change goes: changes/archive/YYYY-MM-DD-ID.
	Folder string
	Moves  []Move
	Writes []File
	// Deletes are specs. Folders that become empty go too.
	Deletes  []string
	Outcomes []Outcome
	Warnings []string
}

// RefusedError lists all reasons why a change cannot be archived.
type RefusedError struct{ Problems []string }

func (e *RefusedError) Error() string { return strings.Join(e.Problems, "; ") }

func refused(format string, args ...any) error {
	return &RefusedError{Problems: []string{fmt.Sprintf(format, args...)}}
}

// ArchiveName is the name of a change in the archive: its id with the date before it, unless
// it starts with one.
func ArchiveName(id string, date time.Time) string {
	if HasDate(id) {
		return id
	}
	return date.Format(time.DateOnly) + "-" + id
}

// Archive plans what `openspec archive ID` does: it applies the deltas of a valid change whose tasks are done and moves
// its folder. The date becomes part of the name in the archive, in its own time zone. Error: *RefusedError; then nothing
// is to be done.
func Archive(fsys fs.FS, id string, date time.Time) (Plan, error) {
	dir, err := checkID(fsys, id)
	if err != nil {
		return Plan{}, err
	}
	// The order of these checks is that of the tool, whose first message people compare.
	if err := checkValid(fsys, id); err != nil {
		return Plan{}, err
	}
	tasks, err := progress(fsys, dir)
	if err != nil {
		return Plan{}, err
	}
	if open := tasks.Open(); open > 0 {
		return Plan{}, refused("%d incomplete task(s) found for change '%s'.", open, id)
	}
	name := ArchiveName(id, date)
	plan := Plan{Folder: path.Join(ArchiveDir, name)}
	switch _, err := fs.Stat(fsys, plan.Folder); {
	case err == nil:
		return Plan{}, refused("Archive '%s' already exists.", name)
	case !IsAbsent(fsys, plan.Folder, err):
		return Plan{}, err
	}
	if err := plan.apply(fsys, id); err != nil {
		return Plan{}, err
	}
	plan.Moves, err = listMoves(fsys, dir, plan.Folder)
	return plan, err
}

// checkID refuses what is not the folder of a change.
func checkID(fsys fs.FS, id string) (string, error) {
	dir, err := changeDir(fsys, id)
	if errors.Is(err, ErrNotFound) || strings.Contains(id, "/") {
		return "", refused("Change '%s' not found.", id)
	}
	if err != nil {
		return "", err
	}
	nested, err := nestedChanges(fsys, id)
	if err != nil {
		return "", err
	}
	if len(nested) > 0 {
		return "", refused("Cannot archive '%s': %s", id, describeNested(id, nested))
	}
	return dir, nil
}

// checkValid refuses a change with errors in its deltas. A change that says nothing about
// specs may be archived, although it is not valid.
func checkValid(fsys fs.FS, id string) error {
	found, err := checkDeltas(fsys, id)
	if err != nil {
		return err
	}
	var problems []string
	for _, f := range found {
		if !f.Warning {
			problems = append(problems, f.Path+": "+f.Message)
		}
	}
	// A change that says nothing about specs may be archived, although it is not valid.
	if len(problems) == 0 || len(found) == 1 && found[0].Message == msgNoDeltas {
		return nil
	}
	return &RefusedError{Problems: problems}
}

// listMoves lists the files of a folder, hidden ones too, and where they go.
func listMoves(fsys fs.FS, from, to string) ([]Move, error) {
	var found []Move
	err := fs.WalkDir(fsys, from, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			found = append(found, Move{From: name, To: to + strings.TrimPrefix(name, from)})
		}
		return err
	})
	return found, err
}

// Files turns the plan into files to write and paths to delete, for a caller that makes one
// commit of it. It reads the files that move.
func (p Plan) Files(fsys fs.FS) (writes []File, deletes []string, err error) {
	writes, deletes = slices.Clone(p.Writes), slices.Clone(p.Deletes)
	for _, m := range p.Moves {
		data, err := fs.ReadFile(fsys, m.From)
		if err != nil {
			return nil, nil, err
		}
		writes = append(writes, File{Path: m.To, Data: data})
		deletes = append(deletes, m.From)
	}
	return writes, deletes, nil
}
