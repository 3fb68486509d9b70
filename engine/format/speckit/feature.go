package speckit

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// Root is the folder of all features.
const Root = "specs"

// Phase is what is next for a feature.
type Phase string

// The phases, in order.
const (
	Specify   Phase = "specify"   // there is no spec.md
	Plan      Phase = "plan"      // there is no plan.md
	Tasks     Phase = "tasks"     // there is no tasks.md
	Implement Phase = "implement" // all are there
)

// Feature is a feature folder: what its name says, and its spec.md.
type Feature struct {
	Number string // such as "014" or "20260319-143022"; "" if the folder has none
	Name   string // the folder without the number, such as "library-loans"
	Phase  Phase

	Title           string // without "Feature Specification:"
	Stories         []Story
	SuccessCriteria []Statement // SC-001
}

// Story is a user story with its acceptance scenarios.
type Story struct {
	ID        string // such as "US1"
	Scenarios []Scenario
}

// Scenario is an acceptance scenario.
type Scenario struct {
	Text string // with Given, When and Then as written
	Line int    // of spec.md, from 1
}

// Statement is a success criterion.
type Statement struct {
	ID   string // such as "SC-001"
	Text string // without the ID
	Line int    // of spec.md, from 1
}

// Open reads the feature in a folder. Missing files are no error; a missing folder is a [*NotFoundError], a spec.md
// that is not valid a [*chant/markdown.SyntaxError], returned with what the folder says.
func Open(fsys fs.FS, dir string) (Feature, error) {
	f := Feature{}
	f.Number, f.Name, _ = splitName(path.Base(dir))
	if info, err := fs.Stat(fsys, dir); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return f, &NotFoundError{What: "feature folder", Dir: dir}
	} else if err != nil {
		return f, fmt.Errorf("read %q: %w", dir, err)
	}
	f.Phase = Implement
	for _, next := range []struct {
		file  string
		phase Phase
	}{{"spec.md", Specify}, {"plan.md", Plan}, {"tasks.md", Tasks}} {
		there, err := isFile(fsys, path.Join(dir, next.file))
		if err != nil {
			return f, err
		}
		if !there {
			f.Phase = next.phase
			break
		}
	}
	if f.Phase == Specify {
		return f, nil
	}
	file := path.Join(dir, "spec.md")
	src, err := fs.ReadFile(fsys, file)
	if err != nil {
		return f, fmt.Errorf("read %q: %w", file, err)
	}
	return f, f.parse(file, src)
}

// isFile reports whether there is a file.
func isFile(fsys fs.FS, name string) (bool, error) {
	info, err := fs.Stat(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %q: %w", name, err)
	}
	return !info.IsDir(), nil
}

// folders returns the folders below [Root]. If it is missing, there are none.
func folders(fsys fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(fsys, Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", Root, err)
	}
	var dirs []string
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, path.Join(Root, e.Name()))
		}
	}
	return dirs, nil
}
