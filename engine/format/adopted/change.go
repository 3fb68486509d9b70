package adopted

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"chant/engine/format/openspec"
	"chant/engine/spec"
)

// readChange reads the criteria of a change of OpenSpec: its tasks, and the scenarios of its deltas.
func readChange(files fs.FS, a *spec.Adopted) ([]item, error) {
	out, err := readTasks(files, a.Dir)
	if err != nil {
		return nil, err
	}
	top := path.Dir(path.Dir(a.Dir)) // the folder openspec, or changes if the change is in the archive
	id := path.Base(a.Dir)
	// In the archive, the folder is one level deeper.
	if a.Moved {
		top, id = path.Dir(top), "archive/"+id
	}
	below, err := fs.Sub(files, top)
	if err != nil {
		return nil, err
	}
	criteria, err := openspec.Criteria(below, id)
	if err != nil {
		return nil, err
	}
	for _, c := range criteria {
		out = append(out, scenarioOf(c, top))
	}
	return out, nil
}

// scenarioOf returns a scenario of a change as a criterion; top is the folder openspec.
func scenarioOf(c openspec.Criterion, top string) item {
	return item{group: scenarios, Criterion: spec.Criterion{
		Text: fmt.Sprintf("%s, %s: %s", spec.OneLine(c.Requirement), spec.OneLine(c.Scenario), plainSteps(c.Text)), File: path.Join(top, c.Path), Line: c.Line, Boxless: true,
	}}
}

// plainSteps returns the steps of a scenario in one line, without the marks of lists and of bold text.
func plainSteps(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, bullet := range []string{"- ", "* ", "+ "} {
			line = strings.TrimPrefix(line, bullet)
		}
		if line = strings.TrimSpace(strings.ReplaceAll(line, "**", "")); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, " ")
}

// Plan is what a landing does with a change of OpenSpec.
type Plan struct {
	Files    []File
	Done     []string // what is applied, in words
	Warnings []string
}

// File is a file to write, or without content to remove. Paths are from the top of the repository.
type File struct {
	Path       string
	Content    []byte
	Executable bool
}

// RejectedError lists why a change cannot be applied.
type RejectedError = openspec.RefusedError

// Archive returns what applies the change in a folder to the living specs and moves the folder to the archive of a day,
// by the rules of `openspec archive`. Error: *RejectedError; then nothing is to be done.
func Archive(files fs.FS, dir string, day time.Time) (Plan, error) {
	top := path.Dir(path.Dir(dir)) // the folder openspec
	below, err := fs.Sub(files, top)
	if err != nil {
		return Plan{}, err
	}
	plan, err := openspec.Archive(below, path.Base(dir), day)
	if err != nil {
		return Plan{}, err
	}
	writes, deletes, err := plan.Files(below)
	if err != nil {
		return Plan{}, err
	}
	out := Plan{Warnings: plan.Warnings, Done: describePlan(plan)}
	from := map[string]string{}
	for _, m := range plan.Moves {
		from[m.To] = m.From
	}
	for _, w := range writes {
		f := File{Path: path.Join(top, w.Path), Content: w.Data}
		// Nil would remove the file.
		if f.Content == nil {
			f.Content = []byte{}
		}
		if old, moved := from[w.Path]; moved {
			// Moving a file keeps its mode.
			info, err := fs.Stat(below, old)
			if err != nil {
				return Plan{}, err
			}
			f.Executable = info.Mode()&0o111 != 0
		}
		out.Files = append(out.Files, f)
	}
	for _, name := range deletes {
		out.Files = append(out.Files, File{Path: path.Join(top, name)})
	}
	return out, nil
}

// describePlan describes what a plan does, a line for each capability and one for the folder.
func describePlan(plan openspec.Plan) []string {
	var out []string
	for _, o := range plan.Outcomes {
		c := o.Counts
		out = append(out, fmt.Sprintf("%s %s (%d added, %d modified, %d removed, %d renamed)", o.Action, o.Capability, c.Added, c.Modified, c.Removed, c.Renamed))
	}
	return append(out, "moved to "+plan.Folder)
}

// Validate checks a change by the rules of `openspec validate`. The paths of its findings are from the top of the
// repository where the tool names a file.
func Validate(files fs.FS, dir string) ([]openspec.Finding, error) {
	below, err := fs.Sub(files, path.Dir(path.Dir(dir)))
	if err != nil {
		return nil, err
	}
	found, err := openspec.Validate(below, path.Base(dir))
	for i, f := range found {
		found[i].Path = dir
		for _, file := range []string{path.Join(dir, "specs", f.Path), path.Join(dir, f.Path)} {
			if info, err := fs.Stat(files, file); f.Path != "file" && err == nil && info.Mode().IsRegular() {
				found[i].Path = file
				break
			}
		}
	}
	return found, err
}
