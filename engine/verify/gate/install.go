package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/format/hooks"
	"chant/engine/run/attempt"
	"chant/engine/spec/next"
	"chant/gitops/lockfile"
)

// HooksInstall installs git hooks that call chant before a commit and before a push, and writes the settings with which
// git merges specs and keeps evidence. Existing hooks still run, with the same name, arguments and input, and their
// exit code counts. Installing again changes nothing, except that it restores hooks that were replaced. Errors: State
// if a hook is a file of the repository and Tracked is not set, if the folder of hooks belongs to other repositories
// too, and inside a run.
func HooksInstall(ctx context.Context, dir string, o engine.Options, in HooksInput) (HooksResult, error) {
	return withHookSet(ctx, dir, o, in, (*hookSet).install)
}

// HooksCheck returns the error with which HooksInstall would refuse, and changes nothing.
func HooksCheck(ctx context.Context, dir string, o engine.Options, in HooksInput) error {
	p, err := openForHooks(dir, o)
	if err != nil {
		return err
	}
	if err := engine.MayInside(p, "hooks", ""); err != nil {
		return err
	}
	// A check must not write, so it needs no lock.
	w, err := newHookSet(ctx, p, in.Tracked)
	if err == nil {
		err = w.checkMayWrite(ctx)
	}
	return engine.Wrap(err, "")
}

// withHookSet calls do with the hooks of a worktree while it holds their lock.
func withHookSet(ctx context.Context, dir string, o engine.Options, in HooksInput, do func(*hookSet, context.Context) error) (HooksResult, error) {
	p, err := openForHooks(dir, o)
	if err != nil {
		return HooksResult{}, err
	}
	if err := engine.MayInside(p, "hooks", ""); err != nil {
		return HooksResult{}, err
	}
	// Two installations at once could each move the hook of the other away.
	lock, err := lockfile.AcquireWait(ctx, filepath.Join(p.Repo.CommonDir(), "chant-hooks.lock"), "hooks")
	if err != nil {
		return HooksResult{}, engine.Wrap(err, "")
	}
	w, err := newHookSet(ctx, p, in.Tracked)
	if err == nil {
		err = w.recordChanges(ctx, do)
	}
	if err = errors.Join(err, lock.Release()); err != nil {
		return HooksResult{}, engine.Wrap(err, "")
	}
	return w.view(), nil
}

// recordChanges calls do and records what it has changed, so that no agent of a run at work is charged with it.
func (w *hookSet) recordChanges(ctx context.Context, do func(*hookSet, context.Context) error) error {
	was, err := w.p.Repo.ReadGit(ctx, "", "")
	if err != nil {
		return err
	}
	if err := do(w, ctx); err != nil {
		return err
	}
	now, err := w.p.Repo.ReadGit(ctx, "", "")
	if err == nil {
		// Programs that git starts from files, such as hooks, are charged to agents like those in the settings.
		maps.Copy(was.Programs, was.Kept)
		maps.Copy(now.Programs, now.Kept)
		err = journal.RecordDifference(w.p.Store, was.Programs, now.Programs, w.p.Now())
	}
	return err
}

func (w *hookSet) install(ctx context.Context) error {
	if err := w.checkMayWrite(ctx); err != nil {
		return err
	}
	w.record.Program = filepath.ToSlash(w.p.Executable)
	// Written first: lines in a hook do nothing without this file.
	if err := writeFile(w.sharedPath("hook"), hooks.Script(w.record.Program), 0o644); err != nil {
		return err
	}
	for _, name := range hooks.Names() {
		path := w.pathFor(name)
		if !slices.Contains(w.record.Files, path) {
			w.record.Files = append(w.record.Files, path)
		}
	}
	// It is saved before the first hook, so that an interrupted installation can be removed.
	if err := w.saveRecord(); err != nil {
		return err
	}
	for _, name := range hooks.Names() {
		if err := w.installHook(name); err != nil {
			return err
		}
	}
	if w.husky && !w.tracked {
		w.notes = append(w.notes, fmt.Sprintf("husky overwrites these hooks each time it is installed; %s writes them to files that it keeps", next.HooksInstall.On().Flag("tracked")))
	}
	return w.setGitSettings(ctx)
}

// checkMayWrite checks that the hooks belong to this repository only, and are not files of it unless Tracked is set.
func (w *hookSet) checkMayWrite(ctx context.Context) error {
	repo := w.p.Repo
	// Git's own folder belongs to this repository only.
	if isInside(repo.CommonDir(), w.dir) {
		return nil
	}
	top := repo.Dir()
	// Hooks in the main worktree are shared by the others.
	if !isInside(top, w.dir) {
		top = repo.Home()
	}
	if !isInside(top, w.dir) {
		return engine.Fail(engine.State, next.Shell("git config --show-origin core.hooksPath"),
			"git looks for hooks in %q, which is outside of this repository: hooks there run in other repositories too; such a hook can call chant with the command hooks run and the name of the hook", w.dir)
	}
	for _, name := range hooks.Names() {
		path := w.pathFor(name)
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
		// A file that is neither tracked nor ignored could be committed by accident.
		if (tracked || !ignored[rel]) && !w.tracked {
			return engine.Fail(engine.State, next.HooksInstall.On().Flag("tracked"), "the hook %q is a file of the repository; a change of it affects everyone who works on it", rel)
		}
	}
	return nil
}

// isInside reports whether path is dir or below it.
func isInside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// installHook adds the lines that call chant to one hook.
func (w *hookSet) installHook(name string) error {
	path := w.pathFor(name)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return w.writeOwnHook(name, nil, 0o644, 0o755)
	}
	if err != nil {
		return err
	}
	var src []byte
	if info.Mode().IsRegular() {
		if src, err = os.ReadFile(path); err != nil {
			return err
		}
	}
	rest, ours := hooks.Strip(src)
	aside := backupPath(path)
	switch {
	case ours && rest == nil:
		return w.writeOwnHook(name, readOrNil(aside), info.Mode().Perm(), info.Mode().Perm()|0o100)
	// Other tools have added to our hook.
	case ours && engine.Exists(aside):
		return nil
	// Only a shell can run our lines; other programs are moved away and called.
	case info.Mode().IsRegular() && w.runs(info) && hooks.Shell(src):
		return writeFile(path, hooks.Insert(src, name), info.Mode().Perm())
	}
	return moveAside(path)
}

// writeOwnHook writes a hook that has nothing but the lines of chant, which call what was moved aside: with one mode as a
// part of Husky's, with the other where git runs it.
func (w *hookSet) writeOwnHook(name string, aside []byte, asPart, asHook fs.FileMode) error {
	// Husky's own files call this one, so it needs no line for a shell and no right to run.
	if w.husky && w.tracked {
		return writeFile(w.pathFor(name), hooks.Part(name), asPart)
	}
	return writeFile(w.pathFor(name), hooks.OwnHook(name, aside), asHook)
}

// runs reports whether git runs a hook: not one that is not executable, and our lines must not make it run.
func (w *hookSet) runs(info fs.FileInfo) bool {
	return info.Mode()&0o111 != 0 || runtime.GOOS == "windows" || w.husky && w.tracked
}

// setGitSettings writes the settings of git for specs and evidence, and records those that it added.
func (w *hookSet) setGitSettings(ctx context.Context) error {
	made, left, err := ApplySettings(ctx, w.p.Repo, MergeSettings(w.p.Executable))
	// They were added by an earlier installation, and are perhaps replaced now.
	for i, s := range w.record.Settings {
		if at := slices.IndexFunc(left, func(l gitSetting) bool { return l.Key == s.Key }); at >= 0 {
			w.record.Settings[i] = left[at]
		}
	}
	w.record.Settings = append(w.record.Settings, made...)
	if err == nil {
		var added bool
		notes := notesSetting()
		// Git warns about this value if there is no such ref.
		old := gitSetting{notes.Key, attempt.NotesRef}
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
	// Also after an error, so that what was set can be removed.
	return errors.Join(err, w.saveRecord())
}
