package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"chant/engine"
	"chant/engine/hooks"
	"chant/engine/next"
	"chant/engine/run/attempt"
	"chant/gitops/lockfile"
)

// HooksInstall has git call chant before a commit and before a push, and makes the
// settings with which git merges specs and keeps evidence. Hooks that are there go on
// to run, with the same name, arguments and input; their exit code counts. Installing
// again is harmless, and puts back what someone else has displaced. Errors: State when
// a hook is a file of the repository and Tracked is not set, or when the folder of hooks
// is shared with other repositories, and inside a run.
func HooksInstall(ctx context.Context, dir string, o engine.Options, in HooksInput) (HooksResult, error) {
	return withHooks(ctx, dir, o, in, (*hookWorks).install)
}

// withHooks does something with the hooks while no one else does.
func withHooks(ctx context.Context, dir string, o engine.Options, in HooksInput, do func(*hookWorks, context.Context) error) (HooksResult, error) {
	p, err := open(dir, o)
	if err != nil {
		return HooksResult{}, err
	}
	if err := engine.MayInside(p, "hooks", ""); err != nil {
		return HooksResult{}, err
	}
	lock, err := lockfile.AcquireWait(ctx, filepath.Join(p.Repo.CommonDir(), "chant-hooks.lock"), "hooks")
	if err != nil {
		return HooksResult{}, engine.Wrap(err, "")
	}
	w, err := newHookWorks(ctx, p, in.Tracked)
	if err == nil {
		err = do(w, ctx)
	}
	if err = errors.Join(err, lock.Release()); err != nil {
		return HooksResult{}, engine.Wrap(err, "")
	}
	return w.view(), nil
}

func (w *hookWorks) install(ctx context.Context) error {
	if err := w.mayWrite(ctx); err != nil {
		return err
	}
	w.record.Program = filepath.ToSlash(w.p.Executable)
	if err := replace(w.shared("hook"), hooks.Script(w.record.Program), 0o644); err != nil {
		return err
	}
	for _, name := range hooks.Names() {
		path := w.place(name)
		if !slices.Contains(w.record.Files, path) {
			w.record.Files = append(w.record.Files, path)
		}
	}
	if err := w.save(); err != nil { // before the first hook: what was begun can be taken back
		return err
	}
	for _, name := range hooks.Names() {
		if err := w.put(name); err != nil {
			return err
		}
	}
	if w.husky && !w.tracked {
		w.notes = append(w.notes, fmt.Sprintf("husky writes these hooks anew whenever it is installed; %s puts them where they stay", next.HooksInstall.On().Flag("tracked")))
	}
	return w.configure(ctx)
}

// mayWrite checks that the hooks belong to this repository alone and are no files of
// it, unless that was asked for.
func (w *hookWorks) mayWrite(ctx context.Context) error {
	repo := w.p.Repo
	if inside(repo.CommonDir(), w.dir) {
		return nil
	}
	top := repo.Dir()
	if !inside(top, w.dir) {
		top = repo.Home()
	}
	if !inside(top, w.dir) {
		return engine.Fail(engine.State, next.Shell("git config --show-origin core.hooksPath"),
			"git looks for hooks in %q, which is not of this repository: what is put there runs in others too; a hook there can call chant itself, with the command hooks run and the name of the hook", w.dir)
	}
	for _, name := range hooks.Names() {
		path := w.place(name)
		tracked, err := repo.Tracked(ctx, top, path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		ignored, err := repo.IgnoredIn(ctx, top, rel)
		if err != nil {
			return err
		}
		if (tracked || !ignored[rel]) && !w.tracked {
			return engine.Fail(engine.State, next.HooksInstall.On().Flag("tracked"), "the hook %q is a file of the repository; what is put into it is for everybody", rel)
		}
	}
	return nil
}

// inside reports whether path is dir or lies below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// put brings the block into one hook.
func (w *hookWorks) put(name string) error {
	path := w.place(name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && w.husky && w.tracked:
		return replace(path, hooks.Part(name), 0o644)
	case errors.Is(err, fs.ErrNotExist):
		return replace(path, hooks.Own(name, nil), 0o755)
	case err != nil:
		return err
	}
	var src []byte
	if info.Mode().IsRegular() {
		if src, err = os.ReadFile(path); err != nil {
			return err
		}
	}
	rest, ours := hooks.Strip(src)
	aside := asideOf(path)
	runs := info.Mode()&0o111 != 0 || runtime.GOOS == "windows" || w.husky && w.tracked
	switch {
	case ours && rest == nil && w.husky && w.tracked:
		return replace(path, hooks.Part(name), info.Mode().Perm())
	case ours && rest == nil:
		return replace(path, hooks.Own(name, contentOf(aside)), info.Mode().Perm()|0o100)
	case ours && engine.Exists(aside): // others have added to it since
		return nil
	case info.Mode().IsRegular() && runs && hooks.Shell(src):
		return replace(path, hooks.Insert(src, name), info.Mode().Perm())
	}
	return moveAside(path)
}

// configure makes the settings of git that belong to specs and evidence, and remembers
// those that it made.
func (w *hookWorks) configure(ctx context.Context) error {
	made, left, err := Settle(ctx, w.p.Repo, MergeSettings(w.p.Executable))
	for i, s := range w.record.Settings { // made before, and perhaps written anew
		if at := slices.IndexFunc(left, func(l gitSetting) bool { return l.Key == s.Key }); at >= 0 {
			w.record.Settings[i] = left[at]
		}
	}
	w.record.Settings = append(w.record.Settings, made...)
	if err == nil {
		var added bool
		notes := notesSetting()
		old := gitSetting{notes.Key, attempt.NotesRef} // of which git complains while there is no such ref
		if at := slices.Index(w.record.Settings, old); at >= 0 {
			if err := w.p.Repo.DropConfig(ctx, old.Key, old.Value); err != nil {
				return err
			}
			w.record.Settings = slices.Delete(w.record.Settings, at, at+1)
		}
		if added, err = w.p.Repo.AddConfig(ctx, notes.Key, notes.Value); added {
			w.record.Settings = append(w.record.Settings, notes)
		}
	}
	return errors.Join(err, w.save())
}
