package exchange

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
)

// ImportInput says what to import.
type ImportInput struct {
	Dir         string `json:"dir,omitempty" jsonschema:"A .tasks directory of lotar; by default that of this project"`
	DryRun      bool   `json:"dry_run,omitempty" jsonschema:"Only report what would be imported"`
	SkipInvalid bool   `json:"skip_invalid,omitempty" jsonschema:"Import the rest if files cannot be read"`

	OnlyNew bool `json:"-"` // leave out what was imported before, also if it has been deleted since
}

// ImportResult says what was imported, or would be.
type ImportResult struct {
	Dir      string         `json:"dir"`
	Tasks    []ImportedTask `json:"tasks"`
	Sprints  []int          `json:"sprints,omitempty"`
	Present  []string       `json:"present,omitempty"`  // tasks and sprints that chant already has
	Invalid  []string       `json:"invalid,omitempty"`  // files that cannot be imported, with the reason
	Warnings []string       `json:"warnings,omitempty"` // what is kept but has no effect in chant
	Commit   string         `json:"commit,omitempty"`
	DryRun   bool           `json:"dry_run,omitempty"`
}

// ImportedTask is a spec that was made of a task.
type ImportedTask struct {
	Key   string `json:"key"`
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Import makes specs and sprints of the tasks and sprints of a directory of lotar, in one commit. Errors: NotFound if
// the directory has no tasks, Invalid if a file cannot be read and is not to be skipped.
func Import(ctx context.Context, p *engine.Project, in ImportInput) (ImportResult, error) {
	result, err := importAll(ctx, p, in)
	return engine.Done(result, err, "")
}

func importAll(ctx context.Context, p *engine.Project, in ImportInput) (ImportResult, error) {
	if err := engine.MayInside(p, "import", ""); err != nil && !in.DryRun {
		return ImportResult{}, err
	}
	read, err := readSource(p, in.Dir)
	if err != nil {
		return ImportResult{}, err
	}
	result := ImportResult{Dir: read.workspace.Dir, Tasks: []ImportedTask{}, Invalid: read.invalid, DryRun: in.DryRun}
	// A part of the tasks without a word about the others would look like all of them.
	if len(read.invalid) > 0 && !in.SkipInvalid {
		return result, engine.Fail(engine.Invalid, next.EditFile(read.broken), "%s%s", read.invalid[0], andMore(len(read.invalid)-1))
	}
	if !in.DryRun {
		// A spec that is added meanwhile could get a number that a task of the directory has.
		release, err := takeTurn(ctx, p)
		if err != nil {
			return result, err
		}
		defer func() { release() }()
		if err := store.FinishKilled(ctx, p.Store); err != nil {
			return result, err
		}
	}
	plan, err := newPlan(ctx, p, read, in.OnlyNew)
	if err != nil {
		return result, err
	}
	if err := plan.fill(ctx); err != nil {
		return result, err
	}
	recorded := plan.recordImported()
	result.Tasks = append(result.Tasks, plan.tasks...)
	result.Sprints, result.Present, result.Warnings = plan.sprints, plan.present, plan.warnings
	// A commit without a spec is made too if it records that there is nothing more to import.
	if in.DryRun || len(plan.tasks)+len(plan.sprints) == 0 && !recorded {
		return result, nil
	}
	saved, err := plan.batch.Commit(ctx, fmt.Sprintf("import %s of %s", task.WithNoun(len(plan.tasks), "task"), filepath.Base(result.Dir)))
	result.Commit = saved.Commit
	// The specs exist with the commit, even if something failed after it.
	if err == nil || saved.Commit != "" {
		err = errors.Join(err, plan.recordNumbers())
	}
	return result, err
}

// takeTurn waits for the lock under which numbers of specs are given.
func takeTurn(ctx context.Context, p *engine.Project) (release func() error, err error) {
	turn, err := p.Store.Local(local.Locks, "add.lock")
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.AcquireWait(ctx, turn, "import")
	if err != nil {
		return nil, err
	}
	return lock.Release, nil
}

// source is the content of a directory of lotar.
type source struct {
	workspace lotar.Workspace
	own       bool                      // it is the one of the project
	settings  map[string]*task.Settings // of its projects, by prefix
	tasks     []lotar.TaskFile
	sprints   []lotar.SprintFile
	invalid   []string // files that cannot be read, with the reason
	broken    string   // the first of them
}

// readSource reads a directory; without a name it is the one of the project.
func readSource(p *engine.Project, dir string) (source, error) {
	var s source
	if dir == "" {
		found, err := lotar.Find(p.Repo.Dir(), p.Environ, engine.Home(p))
		if err != nil {
			return s, err
		}
		if s.workspace = found; found.Own {
			return s, engine.Fail(engine.NotFound, next.Guide.On("tasks"), "there is no .tasks directory here; name the one to import")
		}
		s.own = true
	} else {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return s, err
		}
		// People also name the project that contains the directory.
		if info, err := os.Stat(filepath.Join(abs, ".tasks")); err == nil && info.IsDir() {
			abs = filepath.Join(abs, ".tasks")
		}
		s.workspace = lotar.OpenPlain(abs)
	}
	tasks, badTasks, err := s.workspace.Tasks()
	if err != nil {
		return s, err
	}
	sprints, badSprints, err := s.workspace.Sprints()
	if err != nil {
		return s, err
	}
	for _, bad := range append(badTasks, badSprints...) {
		s.reject(bad.Path, bad.Err)
	}
	s.sprints = sprints
	if err := s.keepReadable(p, tasks); err != nil {
		return s, err
	}
	if len(tasks)+len(sprints)+len(s.invalid) == 0 {
		return s, engine.Fail(engine.NotFound, next.Guide.On("tasks"), "%q has no tasks of lotar (files such as AUTH/1.yml)", s.workspace.Dir)
	}
	return s, nil
}

// keepReadable keeps the tasks whose status has a meaning.
func (s *source) keepReadable(p *engine.Project, tasks []lotar.TaskFile) (err error) {
	s.settings = map[string]*task.Settings{}
	for _, f := range tasks {
		st := s.settings[f.Prefix]
		if st == nil {
			if st, err = settingsOf(p, s.workspace, f.Prefix); err != nil {
				return err
			}
			s.settings[f.Prefix] = st
		}
		// A status without a meaning cannot be a spec's.
		if _, _, err := statusOf(&f, st); err != nil {
			s.reject(f.Path, err)
			continue
		}
		s.tasks = append(s.tasks, f)
	}
	return nil
}

func (s *source) reject(path string, err error) {
	if s.broken == "" {
		s.broken = path
	}
	s.invalid = append(s.invalid, err.Error())
}

func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %s)", task.WithNoun(n, "more file"))
}
