package exchange

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
)

// NotImported returns the files of tasks and sprints in the .tasks directory of a project that were never imported. It
// is cheap where there are none.
func NotImported(ctx context.Context, p *engine.Project) ([]lotar.File, error) {
	w, err := lotar.Find(p.Repo.Dir(), p.Environ, engine.Home(p))
	if err != nil {
		return nil, engine.Fail(engine.Invalid, next.Help(), "%s", err)
	}
	if w.Own {
		return nil, nil
	}
	// Only names are read: most projects have no such files, and each command asks.
	files, err := w.Files()
	if err != nil || len(files) == 0 {
		return nil, engine.Wrap(err, "")
	}
	before, err := importedBefore(ctx, p, w)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	return slices.DeleteFunc(files, func(f lotar.File) bool { return before(f.Name) }), nil
}

// Preview returns the files that an import of what NotImported lists would create, by their paths below home, and why
// others cannot be imported. It writes nothing. The ids of the specs are those that they will have.
func Preview(ctx context.Context, p *engine.Project) (created map[string][]byte, invalid []string, err error) {
	read, err := readSource(p, "")
	if err != nil {
		return nil, nil, err
	}
	plan, err := newPlan(ctx, p, read, true)
	if err == nil {
		err = plan.fill(ctx)
	}
	if err != nil {
		return nil, nil, engine.Wrap(err, "")
	}
	return plan.batch.Created(), read.invalid, nil
}

// importedBefore returns a function that reports whether a task or a sprint of the directory of a project was imported,
// by its name as of lotar.Files. What was imported may have been deleted since.
func importedBefore(ctx context.Context, p *engine.Project, w lotar.Workspace) (func(name string) bool, error) {
	src, err := p.Store.ReadTree(engine.Home(p), store.ImportedPath)
	if err == nil {
		known := map[string]bool{}
		// lotar takes AUTH-1 and auth-1 for the same task.
		for line := range strings.Lines(strings.ToUpper(string(src))) {
			known[strings.TrimSpace(line)] = true
		}
		return func(name string) bool { return known[strings.ToUpper(name)] }, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all, err := importedUnrecorded(ctx, p, w)
	return func(string) bool { return all }, err
}

// importedUnrecorded reports whether a version of chant that kept no record has imported the directory: then some spec
// has the number of a task and was created when the task was.
func importedUnrecorded(ctx context.Context, p *engine.Project, w lotar.Workspace) (bool, error) {
	// In the middle of an import, specs have the numbers and times of tasks too, without a record yet.
	if now, err := store.Interrupted(p.Store); err != nil || now {
		return false, err
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return false, err
	}
	created := map[string]string{}
	for _, s := range set.Specs {
		created[strings.ToUpper(string(s.Fields.Task))] = string(s.Fields.Created)
	}
	files, err := w.Files()
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if at := created[strings.ToUpper(f.Name)]; at != "" {
			// The number alone may be that of another task.
			if read, err := lotar.ReadTask(f.Path); err == nil && strings.TrimSpace(read.Task.Created) == at {
				return true, nil
			}
		}
	}
	return false, nil
}

// recordImported adds to the batch that what chant has now is not to be read from the directory of the project any more.
// It reports whether this changes anything.
func (pl *plan) recordImported() bool {
	if !pl.from.own {
		return false
	}
	old, err := pl.p.Store.ReadTree(engine.Home(pl.p), store.ImportedPath)
	if err != nil {
		// Reading it fails where there is something else than a file, and then the batch fails too.
		old = nil
	}
	var names []string
	for line := range strings.Lines(string(old)) {
		if name := strings.TrimSpace(line); name != "" {
			names = append(names, name)
		}
	}
	before := len(names)
	for _, f := range pl.from.tasks {
		names = append(names, f.Key())
	}
	for _, f := range pl.from.sprints {
		names = append(names, lotar.SprintName(f.Number))
	}
	slices.SortFunc(names, task.CompareKeys)
	if names = slices.Compact(names); len(names) == before {
		return false
	}
	pl.batch.Write(store.ImportedPath, old, []byte(strings.Join(names, "\n")+"\n"))
	return true
}
