package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// CleanupInput says whether to do it or only to tell.
type CleanupInput struct {
	DryRun bool `json:"dry_run,omitempty" jsonschema:"Say what would be removed, remove nothing"`
}

// CleanupResult lists what was done, or would be.
type CleanupResult struct {
	Actions []CleanupAction `json:"actions"`
	DryRun  bool            `json:"dry_run"`
}

// CleanupAction is one thing that is out of place and what becomes of it.
type CleanupAction struct {
	What    string   `json:"what"` // worktree, registration, branch, folder or cache
	Name    string   `json:"name"`
	Why     string   `json:"why"`
	Rescued []string `json:"rescued,omitempty"` // refs and folders that keep what was in it
	Error   string   `json:"error,omitempty"`   // why it stayed
}

// Cleanup removes what landed or broken runs have left: worktrees and branches of
// landed specs, registrations without a folder, empty folders without a
// registration, caches of ended runs. It touches only what chant made and no run
// that a process holds; what is not in the target stays or is kept by a ref.
func (e *Engine) Cleanup(ctx context.Context, in CleanupInput) (CleanupResult, error) {
	c := &cleaner{e: e, dry: in.DryRun}
	err := c.run(ctx)
	if c.out == nil {
		c.out = []CleanupAction{}
	}
	return done(CleanupResult{c.out, in.DryRun}, err, "")
}

type cleaner struct {
	e   *Engine
	dry bool
	out []CleanupAction
}

// act notes an action and, unless this is a dry run, does it.
func (c *cleaner) act(what, name, why string, do func() ([]string, error)) {
	a := CleanupAction{What: what, Name: name, Why: why}
	if !c.dry {
		var err error
		if a.Rescued, err = do(); err != nil {
			a.Error = err.Error()
		}
	}
	c.out = append(c.out, a)
}

func (c *cleaner) run(ctx context.Context) error {
	trees, err := c.e.repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if id, ok := c.e.runOfTree(t); ok && c.free(id) {
			c.tree(ctx, t, id)
		}
	}
	set, err := c.e.store.Load(ctx)
	if err != nil {
		return err
	}
	for _, s := range set.Specs {
		if s.Branch != "" && s.Status == spec.Completed && s.Landed && c.free(s.ID) {
			c.drop(ctx, s, "its spec has landed")
		}
	}
	if err := c.orphans(ctx, set); err != nil {
		return err
	}
	return errors.Join(c.folders(trees), c.caches(set))
}

func (c *cleaner) free(id string) bool {
	_, held := gitops.HeldBy(c.e.store.LockPath(id))
	return !held && c.e.store.RunOf() != id
}

func (c *cleaner) tree(ctx context.Context, t gitops.Worktree, id string) {
	switch {
	case t.Prunable || !exists(t.Path):
		c.act("registration", t.Path, "its folder is gone", func() ([]string, error) {
			return nil, c.e.repo.PruneWorktrees(ctx)
		})
	case strings.HasPrefix(id, run.CheckTree):
		c.act("worktree", t.Path, "left by a check that was killed", func() ([]string, error) {
			return nil, c.e.repo.RemoveWorktree(ctx, t.Path, true)
		})
	}
}

// orphans looks for branches of runs whose spec nobody has any longer.
func (c *cleaner) orphans(ctx context.Context, set *store.Set) error {
	refs, err := c.e.repo.Branches(ctx, c.e.config.Defaults.BranchPrefix)
	if err != nil {
		return err
	}
	known := append(set.IDs(), set.Archived...)
	for _, ref := range refs {
		id := strings.TrimPrefix(ref.Name, c.e.config.Defaults.BranchPrefix)
		if slices.Contains(known, id) || spec.ValidName(id) != nil || !c.free(id) {
			continue
		}
		c.drop(ctx, &spec.Spec{ID: id, Branch: ref.Name}, "its spec is gone")
	}
	return nil
}

func (c *cleaner) drop(ctx context.Context, s *spec.Spec, why string) {
	c.act("branch", s.Branch, why, func() ([]string, error) {
		h, err := c.e.hold(ctx, s.ID, "cleanup")
		if err != nil {
			return nil, err
		}
		job, err := c.e.job(ctx, s, h, run.Job{})
		if err != nil {
			return nil, errors.Join(err, h.release())
		}
		r := c.e.newRun(job, h, c.e.settings())
		err = r.Drop(ctx)
		return r.Rescued, errors.Join(err, h.release())
	})
}

// folders looks for folders among the worktrees that git does not know.
func (c *cleaner) folders(trees []gitops.Worktree) error {
	dir := filepath.Join(c.e.Home(), store.Dir, string(store.Worktrees))
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // none was ever made
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		known := slices.ContainsFunc(trees, func(t gitops.Worktree) bool { return filepath.Base(t.Path) == entry.Name() })
		if !entry.IsDir() || known || !c.free(entry.Name()) {
			continue
		}
		if strings.HasPrefix(entry.Name(), run.CheckTree) {
			c.act("folder", path, "left by a check that was killed", func() ([]string, error) { return nil, os.RemoveAll(path) })
			continue
		}
		inside, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		if len(inside) > 0 {
			c.out = append(c.out, CleanupAction{
				What: "folder", Name: path, Why: "git knows no worktree here",
				Error: fmt.Sprintf("kept: it holds %d entries that nothing else keeps", len(inside)),
			})
			continue
		}
		c.act("folder", path, "empty, and git knows no worktree here", func() ([]string, error) { return nil, os.Remove(path) })
	}
	return nil
}

// caches looks for files of runs that are over.
func (c *cleaner) caches(set *store.Set) error {
	entries, err := os.ReadDir(filepath.Join(c.e.Home(), store.Dir, string(store.Cache)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // none was ever made
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		id := entry.Name()
		over := !slices.ContainsFunc(set.Specs, func(s *spec.Spec) bool { return s.ID == id && s.Branch != "" })
		if entry.IsDir() && over && c.free(id) {
			c.act("cache", id, "its run is over", func() ([]string, error) { return nil, c.e.store.ClearCache(id) })
		}
	}
	return nil
}
