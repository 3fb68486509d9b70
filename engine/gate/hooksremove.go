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
	"chant/engine/hooks"
	"chant/engine/next"
)

// HooksRemove takes away what HooksInstall has added, and that alone: hooks that were
// there are byte for byte what they were, with their mode. Hooks that are files of the
// repository need Tracked, as for installing. Errors: State.
func HooksRemove(ctx context.Context, dir string, o engine.Options, in HooksInput) (HooksResult, error) {
	return withHooks(ctx, dir, o, in, (*hookWorks).remove)
}

func (w *hookWorks) remove(ctx context.Context) error {
	var left []string
	for _, path := range w.everywhere() {
		kept, err := w.takeOut(ctx, path)
		if err != nil {
			return err
		}
		if kept {
			left = append(left, path)
		}
	}
	w.record.Files = left
	if err := gone(w.shared("hook")); err != nil { // without it a block that stays does nothing
		return err
	}
	for len(w.record.Settings) > 0 {
		s := w.record.Settings[0]
		if err := w.p.Repo.DropConfig(ctx, s.Key, s.Value); err != nil {
			return errors.Join(err, w.save())
		}
		w.record.Settings = w.record.Settings[1:]
	}
	if len(left) == 0 {
		w.record.Program = ""
	}
	return w.save()
}

// everywhere lists the files in which a block may stand: where it was put, where git
// looks now, and what other programs call a hook that they have moved.
func (w *hookWorks) everywhere() []string {
	all := slices.Clone(w.record.Files)
	for _, name := range hooks.Names() {
		all = append(all, filepath.Join(w.p.Repo.CommonDir(), "hooks", name))
		all = append(all, w.places(name)...)
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

// takeOut takes the block out of one file and puts back what was moved for it. kept
// tells that it is a file of the repository and stays.
func (w *hookWorks) takeOut(ctx context.Context, path string) (kept bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return false, nil
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	rest, found := hooks.Strip(src)
	aside := asideOf(path)
	if !found {
		if engine.Exists(aside) {
			w.notes = append(w.notes, fmt.Sprintf("%q stays: another hook has taken its place", filepath.ToSlash(aside)))
		}
		return false, nil
	}
	if tracked, err := w.p.Repo.Tracked(ctx, w.p.Repo.Dir(), path); err != nil || tracked && !w.tracked {
		if tracked {
			w.notes = append(w.notes, fmt.Sprintf("%q is a file of the repository and stays; %s changes it", filepath.ToSlash(path), next.HooksRemove.On().Flag("tracked")))
		}
		return tracked, err
	}
	switch {
	case rest == nil && engine.Exists(aside):
		return false, moveBack(path)
	case rest == nil:
		return false, os.Remove(path)
	}
	if engine.Exists(aside) {
		w.notes = append(w.notes, fmt.Sprintf("%q stays: others have added to the hook that took its place", filepath.ToSlash(aside)))
	}
	return false, replace(path, rest, info.Mode().Perm())
}
