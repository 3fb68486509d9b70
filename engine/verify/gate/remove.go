package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"chant/engine"
	"chant/engine/format/hooks"
	"chant/engine/spec/next"
)

// HooksRemove removes exactly what HooksInstall has added: other hooks have the same bytes and mode as before. Hooks
// that are files of the repository are changed only if Tracked is set. Errors: State.
func HooksRemove(ctx context.Context, dir string, o engine.Options, in HooksInput) (HooksResult, error) {
	return withHookSet(ctx, dir, o, in, (*hookSet).remove)
}

func (w *hookSet) remove(ctx context.Context) error {
	var left []string
	for _, path := range w.allPaths() {
		kept, err := w.removeBlock(ctx, path)
		if err != nil {
			return err
		}
		if kept {
			left = append(left, path)
		}
	}
	// Files of the repository that were not changed still have our lines.
	w.record.Files = left
	// Without this file, our lines in a hook do nothing.
	if err := removeIfExists(w.sharedPath("hook")); err != nil {
		return err
	}
	// One by one, so that an error leaves a record of those that are still set.
	for len(w.record.Settings) > 0 {
		s := w.record.Settings[0]
		if err := w.p.Repo.DropConfig(ctx, s.Key, s.Value); err != nil {
			return errors.Join(err, w.saveRecord())
		}
		w.record.Settings = w.record.Settings[1:]
	}
	if len(left) == 0 {
		w.record.Program = ""
	}
	return w.saveRecord()
}

// allPaths lists the files that may contain our lines: those to which they were added, those that git uses now, and the
// names that other programs give to hooks that they have moved.
func (w *hookSet) allPaths() []string {
	all := slices.Clone(w.record.Files)
	for _, name := range hooks.Names() {
		all = append(all, filepath.Join(w.p.Repo.CommonDir(), "hooks", name))
		// An installation with or without Tracked may have written to other files.
		all = append(all, w.searchPaths(name)...)
	}
	var out []string
	for _, path := range all {
		for _, ending := range []string{"", ".old", ".legacy"} {
			if !slices.Contains(out, path+ending) {
				out = append(out, path+ending)
			}
		}
	}
	return out
}

// removeBlock removes our lines from one file and restores the hook that was moved for them. kept reports that the file
// belongs to the repository and was not changed.
func (w *hookSet) removeBlock(ctx context.Context, path string) (kept bool, err error) {
	info, err := os.Lstat(path)
	// A hook can be a link to a file elsewhere, which has none of our lines.
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return false, nil
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	rest, found := hooks.Strip(src)
	aside := backupPath(path)
	// A hook without our lines was written by others and stays.
	if !found {
		if engine.Exists(aside) {
			w.notes = append(w.notes, fmt.Sprintf("%q is kept: another hook has replaced it", filepath.ToSlash(aside)))
		}
		return false, nil
	}
	if tracked, err := w.p.Repo.Tracked(ctx, w.p.Repo.Dir(), path); err != nil || tracked && !w.tracked {
		if tracked {
			w.notes = append(w.notes, fmt.Sprintf("%q is a file of the repository and was not changed; %s changes it", filepath.ToSlash(path), next.HooksRemove.On().Flag("tracked")))
		}
		return tracked, err
	}
	switch {
	case rest == nil && engine.Exists(aside):
		return false, restoreBackup(path)
	case rest == nil:
		return false, os.Remove(path)
	}
	// The hook was ours, but others have added to it, so restoring the old one would lose their lines.
	if engine.Exists(aside) {
		w.notes = append(w.notes, fmt.Sprintf("%q is kept: other programs have added to the hook that replaced it", filepath.ToSlash(aside)))
	}
	return false, writeFile(path, rest, info.Mode().Perm())
}
