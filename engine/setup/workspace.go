package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
	"chant/gitops/lockfile"
	"chant/providers"
)

// Workspaces opens the projects that hold the tasks of workspaces: folders with a .tasks directory, which need not be
// projects yet.
type Workspaces struct {
	Options engine.Options
	Report  func(text string) // what was made, for people; may be nil

	mu     sync.Mutex
	empty  map[string]*gitops.Repo // repositories without a project, by the folders that they are read in place of
	inside map[string]preview      // what .tasks directories hold that was not imported, by the homes of their projects
	said   map[string]bool         // what was reported once
}

// Open opens the project that holds the tasks of the workspace for a folder. Where there is none, it makes one if the
// caller writes: a repository and a project, around the .tasks directory. Else it returns an empty one that exists
// only for reading, without changing anything in the workspace. Tasks of the .tasks directory that were not imported are
// imported if the caller writes, else the project shows them as if they were. Errors: those of engine.Open and Init, Usage for a home
// folder, which is not made a repository, and Invalid for a workspace that cannot be read.
func (w *Workspaces) Open(ctx context.Context, dir string, writes bool) (*engine.Project, error) {
	p, err := w.OpenForImport(ctx, dir, writes)
	if err != nil {
		return p, err
	}
	return p, w.readTasks(ctx, p, writes && p.Store.RunOf() == "")
}

// OpenForImport is Open without the tasks of the .tasks directory, for an import that a person asks for.
func (w *Workspaces) OpenForImport(ctx context.Context, dir string, writes bool) (*engine.Project, error) {
	ws, place, err := w.find(dir)
	if err != nil {
		return nil, err
	}
	o := w.optionsIn(ws)
	p, err := engine.Open(nearestFolder(place), o)
	if missing, ok := errors.AsType[*engine.Error](err); ok && missing.Code == engine.NotFound {
		// An interrupted call must not make a project.
		if err := ctx.Err(); err != nil {
			return nil, engine.Wrap(err, "")
		}
		if writes {
			return w.create(ctx, place, o)
		}
		return w.openBlank(place, o)
	}
	return p, err
}

// optionsIn returns the options for the project of a workspace: it finds the same directory from its own top.
func (w *Workspaces) optionsIn(ws lotar.Workspace) engine.Options {
	o := w.Options
	// Otherwise it would look for a directory of its own.
	if !ws.Own {
		o.Environ = append(o.Environ[:len(o.Environ):len(o.Environ)], "LOTAR_TASKS_DIR="+ws.Dir, "LOTAR_TEST_MODE=", "LOTAR_IGNORE_ENV_TASKS_DIR=")
	}
	return o
}

// Close removes what Open made for reading.
func (w *Workspaces) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var failed error
	for place, repo := range w.empty {
		failed = errors.Join(failed, os.RemoveAll(filepath.Dir(repo.Home())))
		delete(w.empty, place)
	}
	return failed
}

// find returns the workspace for a folder, and the folder in which its project is or would be.
func (w *Workspaces) find(dir string) (ws lotar.Workspace, place string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return ws, "", err
	}
	if ws, err = lotar.Find(dir, w.Options.Environ, dir); err != nil {
		return ws, "", engine.Fail(engine.Invalid, next.Step{}, "%s", err)
	}
	place = filepath.Dir(ws.Dir)
	if _, err := os.Stat(filepath.Join(ws.Dir, ".git")); err == nil {
		// The workspace is named by its repository.
		place = ws.Dir
	}
	if ws.Own || !w.isNamed() && dir != place && !strings.HasPrefix(dir, place+string(filepath.Separator)) {
		place = dir
	}
	return ws, place, nil
}

// isNamed reports whether the environment names the workspace.
func (w *Workspaces) isNamed() bool {
	is := func(name string) bool { return providers.Variable(w.Options.Environ, name) == "1" }
	return providers.Variable(w.Options.Environ, "LOTAR_TASKS_DIR") != "" && !is("LOTAR_TEST_MODE") && !is("LOTAR_IGNORE_ENV_TASKS_DIR")
}

// nearestFolder is a folder, or the nearest above it that exists.
func nearestFolder(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// create makes the project of a workspace. One process does so at a time: git init cannot run twice in one folder, and
// there is no repository yet whose lock could be used.
func (w *Workspaces) create(ctx context.Context, place string, o engine.Options) (*engine.Project, error) {
	// The folder may be that of all people.
	name := fmt.Sprintf("chant-init-%d.lock", os.Getuid())
	lock, err := lockfile.AcquireWait(ctx, filepath.Join(os.TempDir(), name), "init")
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	repo, err := w.repository(ctx, place)
	if err != nil {
		return nil, errors.Join(engine.Wrap(err, ""), lock.Release())
	}
	p, err := w.createIn(ctx, repo, o)
	return p, errors.Join(err, lock.Release())
}

// repository returns the repository around a folder, and makes one where there is none.
func (w *Workspaces) repository(ctx context.Context, place string) (*gitops.Repo, error) {
	repo, err := engine.OpenRepository(nearestFolder(place))
	if !errors.Is(err, gitops.ErrNotRepository) {
		return repo, err
	}
	// A home folder has the files of everything a person does.
	if place == filepath.Clean(providers.Variable(w.Options.Environ, "HOME")) || filepath.Dir(place) == place {
		return nil, engine.Fail(engine.Usage, next.Shell("git init"), "tasks need a git repository, and %q is not made one: it is your home folder", place)
	}
	if repo, err = gitops.Init(ctx, place, "main"); err == nil {
		w.report("made a git repository in " + repo.Home())
	}
	return repo, err
}

// createIn makes a repository a project, unless another process has just done so.
func (w *Workspaces) createIn(ctx context.Context, repo *gitops.Repo, o engine.Options) (*engine.Project, error) {
	// Another process may have made it since.
	if p, err := engine.Open(repo.Home(), o); err == nil {
		return p, nil
	}
	if err := w.setIdentity(ctx, repo); err != nil {
		return nil, engine.Wrap(err, "")
	}
	if _, err := Init(ctx, repo.Home(), o, InitInput{}); err != nil {
		return nil, err
	}
	w.report("made .chant in " + repo.Home())
	return engine.Open(repo.Home(), o)
}

// setIdentity gives the repository the name of the account, if git has no identity to commit with.
func (w *Workspaces) setIdentity(ctx context.Context, repo *gitops.Repo) error {
	if _, err := repo.Identity(ctx); !errors.Is(err, gitops.ErrNoIdentity) {
		return err
	}
	name := "chant"
	// Windows has the first of these, other systems the second.
	for _, variable := range []string{"USERNAME", "USER"} {
		if value := strings.TrimSpace(providers.Variable(w.Options.Environ, variable)); value != "" {
			name = value
		}
	}
	w.report("git has no identity here: commits are by " + name)
	return errors.Join(repo.SetConfig(ctx, "user.name", name), repo.SetConfig(ctx, "user.email", name+"@localhost"))
}

func (w *Workspaces) report(text string) {
	if w.Report != nil {
		w.Report(text)
	}
}

// openBlank returns a project without specs.
func (w *Workspaces) openBlank(place string, o engine.Options) (*engine.Project, error) {
	empty, err := w.emptyRepo(place)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	repo, err := engine.OpenRepository(nearestFolder(place))
	// Without a repository there are no settings.
	if errors.Is(err, gitops.ErrNotRepository) {
		repo, err = empty, nil
	}
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	settings, err := config.ReadConfig(repo.Home(), o.Environ)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	return engine.New(o, repo, store.OpenRepository(empty, settings.Defaults.BranchPrefix), settings)
}

// emptyRepo returns a repository without commits in a folder for temporary files. It has the name of the folder that it
// is read in place of, since a project may be named by it.
func (w *Workspaces) emptyRepo(place string) (*gitops.Repo, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	// Made once, since every call would leave a folder.
	if known := w.empty[place]; known != nil {
		return known, nil
	}
	dir, err := os.MkdirTemp("", "chant-empty-")
	if err != nil {
		return nil, err
	}
	repo, err := gitops.Blank(filepath.Join(dir, filepath.Base(place)), "main")
	if err == nil {
		err = os.MkdirAll(filepath.Join(repo.Home(), filepath.FromSlash(store.SpecsDir)), 0o755)
	}
	if err != nil {
		// What was made before the error must not stay.
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if w.empty == nil {
		w.empty = map[string]*gitops.Repo{}
	}
	w.empty[place] = repo
	return repo, nil
}
