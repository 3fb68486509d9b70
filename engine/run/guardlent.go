package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chant/engine/checktree"
	"chant/engine/criteria"
	"chant/engine/store"
)

// scratchFolders are folders in which tools keep what they can make again: running a test writes
// there, also in a linked folder.
func scratchFolders() []string {
	return []string{".cache", ".vite", ".vite-temp", ".vitest", "__pycache__"}
}

// lent takes down the uncommitted files of the person's checkout that the settings put into the
// trees of runs: criteria see them beside what is committed, so an agent must leave them alone.
func (r *Run) lent(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	if r.lentSeen == nil {
		r.lentSeen = map[string]*criteria.Snapshot{}
	}
	for _, path := range r.Settings.Link {
		if !filepath.IsLocal(path) {
			continue // set-up refuses it
		}
		if err := r.lentLink(ctx, path, out); err != nil {
			return nil, err
		}
	}
	included, err := r.Repo.IgnoredBy(ctx, IncludeFile)
	if err != nil {
		return nil, err
	}
	named, err := r.Repo.IgnoredFiles(ctx, r.Settings.Copy)
	if err != nil {
		return nil, err
	}
	names := slices.DeleteFunc(slices.Concat(included, named), func(name string) bool { return strings.HasPrefix(name, store.Dir+"/") })
	slices.Sort(names)
	files, err := criteria.SnapshotFiles(ctx, r.Store.Home(), slices.Compact(names), r.lentSeen[""])
	if err != nil {
		return nil, err
	}
	r.lentSeen[""] = files
	for name, sum := range files.FileSums() {
		out[fmt.Sprintf("file %q of your checkout, which runs get a copy of,", name)] = sum
	}
	return out, nil
}

// lentLink takes down a linked file, or each entry of a linked folder.
func (r *Run) lentLink(ctx context.Context, path string, out map[string]string) error {
	at, err := filepath.EvalSymlinks(filepath.Join(r.Store.Home(), filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(at)
	if err != nil {
		return err
	}
	what := func(name string) string { return fmt.Sprintf("%q of your checkout, which runs get a link to,", name) }
	if !info.IsDir() {
		seen, err := criteria.SnapshotFiles(ctx, filepath.Dir(at), []string{filepath.Base(at)}, r.lentSeen[path])
		r.lentSeen[path] = seen
		if err == nil {
			out[what(path)] = seen.FileSums()[filepath.Base(at)]
		}
		return err
	}
	seen, err := criteria.TakeSnapshot(ctx, at, r.lentSeen[path])
	r.lentSeen[path] = seen
	if err != nil {
		return err
	}
	out[what(path)] = at
	for top, sum := range seen.Sums(scratchFolders()...) {
		out[what(filepath.ToSlash(filepath.Join(path, top)))] = sum
	}
	return nil
}

// above takes down what build tools would find in the folders above a check tree.
func (r *Run) above(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	if r.lentSeen == nil {
		r.lentSeen = map[string]*criteria.Snapshot{}
	}
	for _, dir := range checktree.CheckDirs(r.Repo, r.Environ) {
		for _, path := range checktree.FoundAbove(filepath.Join(dir, checktree.CheckTree), slices.Concat(checktree.ProjectFiles(), checktree.PersonalFiles())) {
			what := strconv.Quote(path) + ", above the folder in which criteria run,"
			if _, known := out[what]; known {
				continue
			}
			if err := r.seeAbove(ctx, path, what, out); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (r *Run) seeAbove(ctx context.Context, path, what string, out map[string]string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a link to nothing
	}
	if err != nil {
		return err
	}
	take := func() (*criteria.Snapshot, error) {
		return criteria.SnapshotFiles(ctx, filepath.Dir(path), []string{filepath.Base(path)}, r.lentSeen[path])
	}
	if info.IsDir() {
		take = func() (*criteria.Snapshot, error) { return criteria.TakeSnapshot(ctx, path, r.lentSeen[path]) }
	}
	seen, err := take()
	if err != nil {
		return err
	}
	r.lentSeen[path] = seen
	out[what] = seen.Sum()
	return nil
}
