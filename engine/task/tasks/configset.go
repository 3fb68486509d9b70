package tasks

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/engine/task/taskboard"
	"chant/gitops/lockfile"
)

// ConfigSet writes settings of tasks, all or none. Files in the checkout are committed, unless git ignores them.
// Errors: Usage for a key or value that is not allowed.
func ConfigSet(ctx context.Context, p *engine.Project, in ConfigSetInput) (ConfigSetResult, error) {
	if len(in.Values) == 0 {
		return ConfigSetResult{}, asEngineError(task.Invalid("Missing values"), "")
	}
	// A run does not change what other tasks mean.
	if err := engine.MayInside(p, "status", ""); err != nil {
		return ConfigSetResult{}, err
	}
	// The files are read, changed and written as a whole, so two calls at once would lose one of the changes.
	turn, err := p.Store.Local(local.Locks, "settings.lock")
	if err != nil {
		return ConfigSetResult{}, engine.Wrap(err, "")
	}
	lock, err := lockfile.AcquireWait(ctx, turn, "settings")
	if err != nil {
		return ConfigSetResult{}, engine.Wrap(err, "")
	}
	var result ConfigSetResult
	if err = store.FinishKilled(ctx, p.Store); err == nil {
		result, err = configSet(ctx, p, in)
	}
	return result, asEngineError(errors.Join(err, lock.Release()), "")
}

func configSet(ctx context.Context, p *engine.Project, in ConfigSetInput) (ConfigSetResult, error) {
	board, err := taskboard.Open(ctx, p, in.Project)
	if err != nil {
		return ConfigSetResult{}, err
	}
	project := in.Project
	if project == "" && !in.Global {
		project = board.Settings.DefaultProject
	}
	change, err := board.Workspace.Set(in.Values, in.Global, project)
	if bad, ok := errors.AsType[*lotar.ConfigError](err); ok {
		return ConfigSetResult{}, bad.Fault()
	}
	if err != nil {
		return ConfigSetResult{}, err
	}
	result := ConfigSetResult{Warnings: change.Warnings, Info: change.Info, Files: []string{}}
	b, tracked := store.NewBatch(p.Store), false
	for _, path := range slices.Sorted(maps.Keys(change.Files)) {
		rel, below := belowHome(p, path)
		// What git ignores, or what is elsewhere, cannot be part of the commit.
		if below && !ignored(ctx, p, rel) {
			old, err := os.ReadFile(path)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return ConfigSetResult{}, err
			}
			b.Write(rel, old, change.Files[path])
			tracked = true
		} else if err := writeOutside(path, change.Files[path]); err != nil {
			return ConfigSetResult{}, err
		}
		if !below {
			rel = path
		}
		result.Files = append(result.Files, rel)
	}
	if !tracked {
		return result, nil
	}
	saved, err := b.Commit(ctx, "set the settings of tasks")
	result.Commit = saved.Commit
	return result, err
}

// belowHome returns a path relative to home; false if it is elsewhere.
func belowHome(p *engine.Project, path string) (string, bool) {
	rel, err := filepath.Rel(engine.Home(p), path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path, false
	}
	return filepath.ToSlash(rel), true
}

func ignored(ctx context.Context, p *engine.Project, rel string) bool {
	is, err := p.Repo.Ignored(ctx, rel)
	// Where git does not answer, the file is written without a commit rather than not at all.
	return err != nil || is[rel]
}

func writeOutside(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.Write(path, content, disk.Options{})
}
