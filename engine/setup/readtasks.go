package setup

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/task/exchange"
)

// preview is what an import would create, for files that have not changed since.
type preview struct {
	stamps string // of what it was made from
	files  map[string][]byte
}

// readTasks makes the tasks of a .tasks directory that were not imported yet tasks of the project: by importing them, or
// as files that exist in memory only.
func (w *Workspaces) readTasks(ctx context.Context, p *engine.Project, imports bool) error {
	found, err := exchange.NotImported(ctx, p)
	if err != nil || len(found) == 0 {
		return err
	}
	if imports {
		return w.importTasks(ctx, p)
	}
	files, err := w.preview(ctx, p, found)
	if err == nil {
		store.Overlay(p.Store, files)
	}
	return err
}

// importTasks imports tasks, and reports it.
func (w *Workspaces) importTasks(ctx context.Context, p *engine.Project) error {
	r, err := exchange.Import(ctx, p, exchange.ImportInput{SkipInvalid: true, OnlyNew: true})
	if err != nil {
		return err
	}
	// Calls of a server report at the same time.
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, why := range r.Invalid {
		w.reportOnce("not imported: " + why)
	}
	for _, why := range r.Warnings {
		w.reportOnce("warning: " + why)
	}
	if len(r.Tasks)+len(r.Sprints) > 0 {
		w.report(fmt.Sprintf("imported the tasks of %s (%s): from now on they are specs; of that directory only files are read that were not imported", r.Dir, r.Commit))
	}
	return nil
}

// preview returns what an import would create, by the paths below home.
func (w *Workspaces) preview(ctx context.Context, p *engine.Project, found []lotar.File) (map[string][]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	home := engine.Home(p)
	stamps, settled := stampsOf(home, found)
	// A stamp that is too new could be that of a change to come.
	if known, ok := w.inside[home]; ok && settled && known.stamps == stamps {
		return known.files, nil
	}
	files, invalid, err := exchange.Preview(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, why := range invalid {
		w.reportOnce("left out: " + why)
	}
	if w.inside == nil {
		w.inside = map[string]preview{}
	}
	w.inside[home] = preview{stamps, files}
	return files, nil
}

// stampsOf returns the stamps of all that a preview is made from; settled is false if a later change could leave the
// same ones.
func stampsOf(home string, found []lotar.File) (stamps string, settled bool) {
	paths := map[string]bool{
		filepath.Join(home, filepath.FromSlash(store.ConfigPath)): true, filepath.Join(home, filepath.FromSlash(store.SpecsDir)): true,
	}
	for _, f := range found {
		project := filepath.Dir(f.Path)
		// The settings of a project are in its folder, or in the one above.
		paths[f.Path], paths[filepath.Join(project, "config.yml")], paths[filepath.Join(filepath.Dir(project), "config.yml")] = true, true, true
	}
	settled = true
	now := time.Now()
	var out []byte
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		info, err := os.Stat(path)
		if err != nil {
			// Some need not exist.
			continue
		}
		at := disk.FromInfo(info)
		// Two changes in a moment can leave the same stamp.
		settled = settled && at.Settled(now)
		out = at.Append(append(out, path...))
	}
	return string(out), settled
}

// reportOnce reports what each call would report again.
func (w *Workspaces) reportOnce(text string) {
	if w.said == nil {
		w.said = map[string]bool{}
	}
	if !w.said[text] {
		w.said[text] = true
		w.report(text)
	}
}
