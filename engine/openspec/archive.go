package openspec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"chant/engine/openspec/ecma"
	"chant/engine/openspec/folder"
	"chant/engine/openspec/tasklist"
)

// ArchiveOptions are choices of the caller.
type ArchiveOptions struct {
	// Date becomes part of the name in the archive, in its own time zone.
	Date time.Time
	// SkipSpecs leaves the specs as they are.
	SkipSpecs bool
	// NoValidate archives a change that is not valid.
	NoValidate bool
	// Incomplete archives a change with open tasks.
	Incomplete bool
}

// Move is a file of the change and where it goes. Both paths are below openspec.
type Move struct {
	From, To string
}

// Plan is all that archiving a change does. Its paths are below openspec.
type Plan struct {
	ID string
	// Folder is where the change goes: changes/archive/YYYY-MM-DD-ID.
	Folder string
	Moves  []Move
	Tasks  tasklist.Progress
	Applied
}

// ArchiveError says why a change cannot be archived.
type ArchiveError struct {
	// Code is that of the tool, such as archive_validation_failed.
	Code    string
	Message string
	// Findings are those of an invalid change.
	Findings []Finding
	// Err is an *ApplyError if the deltas cannot be applied.
	Err error
}

func (e *ArchiveError) Error() string { return e.Message }
func (e *ArchiveError) Unwrap() error { return e.Err }

// ArchiveName is the name of a change in the archive: its id with the date before it, unless
// it starts with one.
func ArchiveName(id string, date time.Time) string {
	if folder.HasDate(id) {
		return id
	}
	return date.Format(time.DateOnly) + "-" + id
}

// Archive plans what `openspec archive ID` does: it applies the deltas of a valid change and
// moves its  It returns an *ArchiveError if that is not possible, and then nothing is
// to be done.
func Archive(fsys fs.FS, id string, opts ArchiveOptions) (Plan, error) {
	dir, err := checkID(fsys, id)
	if err != nil {
		return Plan{}, err
	}
	if !opts.NoValidate {
		if err := checkValid(fsys, id); err != nil {
			return Plan{}, err
		}
	}
	name := ArchiveName(id, opts.Date)
	plan := Plan{ID: id, Folder: path.Join(folder.ArchiveDir, name)}
	if plan.Tasks, err = progress(fsys, dir); err != nil {
		return Plan{}, err
	}
	if open := plan.Tasks.Open(); open > 0 && !opts.Incomplete {
		return Plan{}, &ArchiveError{Code: "archive_tasks_incomplete", Message: fmt.Sprintf("%d incomplete task(s) found for change '%s'.", open, id)}
	}
	switch _, err := fs.Stat(fsys, plan.Folder); {
	case err == nil:
		return Plan{}, &ArchiveError{Code: "archive_target_exists", Message: fmt.Sprintf("Archive '%s' already exists.", name)}
	case !folder.Absent(fsys, plan.Folder, err):
		return Plan{}, err
	}
	if !opts.SkipSpecs {
		plan.Applied, err = Apply(fsys, id, ApplyOptions{NoValidate: opts.NoValidate})
		if e := asApplyError(err); e != nil {
			return Plan{}, refusal(e)
		}
		if err != nil {
			return Plan{}, err
		}
	}
	plan.Moves, err = moves(fsys, dir, plan.Folder)
	return plan, err
}

func refusal(e *ApplyError) error {
	first, _, _ := strings.Cut(e.Error(), "\nRebuilt spec")
	if len(e.Problems) > 0 {
		return &ArchiveError{Code: "archive_spec_update_failed", Message: e.Problems[0].Message, Err: e}
	}
	return &ArchiveError{Code: "archive_spec_validation_failed", Message: first, Err: e}
}

// checkID refuses what is not the folder of a change.
func checkID(fsys fs.FS, id string) (string, error) {
	if problem := nameProblem(id); problem != "" {
		return "", &ArchiveError{Code: "archive_change_name_invalid", Message: "Change name must not " + problem}
	}
	dir, err := changeDir(fsys, id)
	if errors.Is(err, ErrNotFound) {
		return "", notFound(fsys, id)
	}
	if err != nil {
		return "", err
	}
	nested, err := nestedChanges(fsys, id)
	if err != nil {
		return "", err
	}
	if len(nested) > 0 {
		return "", &ArchiveError{Code: "archive_change_is_namespace_folder", Message: fmt.Sprintf("Cannot archive '%s': %s", id, describeNested(id, nested))}
	}
	return dir, nil
}

func nameProblem(id string) string {
	switch {
	case id == "":
		return "be empty"
	case id == "." || id == "..":
		return "be '" + id + "'"
	case strings.ContainsAny(id, `/\`):
		return "contain path separators"
	}
	return ""
}

func notFound(fsys fs.FS, id string) error {
	names, err := folder.Folders(fsys, folder.ChangesDir)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "archive" })
	message := fmt.Sprintf("Change '%s' not found. No active changes exist in this root.", id)
	if len(names) > 0 {
		message = fmt.Sprintf("Change '%s' not found. Available changes: %s", id, strings.Join(names, ", "))
	}
	return &ArchiveError{Code: "archive_change_not_found", Message: message, Err: ErrNotFound}
}

// checkValid refuses a change with errors in its deltas. A change that says nothing about
// specs may be archived, although it is not valid.
func checkValid(fsys fs.FS, id string) error {
	concerned, err := concernsSpecs(fsys, id)
	if err != nil || !concerned {
		return err
	}
	found, err := checkDeltas(fsys, id, false)
	if err != nil || Valid(found, false) {
		return err
	}
	return &ArchiveError{Code: "archive_validation_failed", Message: fmt.Sprintf("Validation failed for change '%s'.", id), Findings: found}
}

// concernsSpecs reports whether a change has the section of a delta in any file, or declares
// that it has none.
func concernsSpecs(fsys fs.FS, id string) (bool, error) {
	dir := path.Join(folder.ChangesDir, id, folder.SpecsDir)
	if folder.IsFile(fsys, path.Join(dir, folder.SpecFile)) {
		return true, nil
	}
	if unread, err := unreadDeltas(fsys, dir); len(unread) > 0 || err != nil {
		return true, err
	}
	m, err := folder.ReadMetadata(fsys, path.Join(folder.ChangesDir, id))
	if err != nil {
		return false, err
	}
	skip, problem := m.SkipsSpecs(fsys)
	if problem != "" {
		return true, nil
	}
	if skip {
		if files, err := folder.HasFiles(fsys, dir); files || err != nil {
			return files, err
		}
	}
	deltas, err := readDeltas(fsys, id)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(deltas, func(d *delta) bool {
		// Code counts here, and so does a heading with more behind it.
		return slices.ContainsFunc(strings.Split(ecma.Unix(d.source), "\n"), func(l string) bool {
			level, title, _ := headingOf(l)
			words := strings.FieldsFunc(title, ecma.Blank)
			return level == 2 && len(words) > 1 && kindOf(words[0]+" requirements") != "" && hasRequirements(words[1])
		})
	}), nil
}

func hasRequirements(word string) bool {
	_, ok := ecma.CutFold(word, "Requirements")
	return ok
}

// moves lists the files of a folder, hidden ones too, and where they go.
func moves(fsys fs.FS, from, to string) ([]Move, error) {
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
