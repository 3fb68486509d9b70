package work

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/run"
	"chant/engine/run/train"
	"chant/engine/run/tree"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// CleanupInput says whether to remove anything or only to list it.
type CleanupInput struct {
	DryRun bool `json:"dry_run,omitempty" jsonschema:"Say what would be removed, remove nothing"`
}

// CleanupResult lists what was done, or would be.
type CleanupResult struct {
	Actions []CleanupAction `json:"actions"`
	DryRun  bool            `json:"dry_run"`
}

// CleanupAction is one thing that is left over and what Cleanup does about it.
type CleanupAction struct {
	What    string   `json:"what"` // worktree, registration, branch, journal, lock, folder or cache
	Name    string   `json:"name"`
	Why     string   `json:"why"`
	Rescued []string `json:"rescued,omitempty"` // refs and folders that keep its contents
	Error   string   `json:"error,omitempty"`   // why it was not removed
}

// Cleanup removes what landed or broken runs have left: worktrees and branches of
// landed specs, and the rest of a run of which a part is missing. It touches only
// what chant made, and no run that a process holds. Work that is not in the target
// stays, or a ref keeps it.
func Cleanup(ctx context.Context, p *engine.Project, in CleanupInput) (CleanupResult, error) {
	out, err := RemoveLeftovers(ctx, p, in.DryRun, false)
	return engine.Done(CleanupResult{out, in.DryRun}, err, "")
}

// RemoveLeftovers lists what is left over and, unless dry, removes it. unasked means that no person has asked for it:
// then a worktree that a person asked to keep stays.
func RemoveLeftovers(ctx context.Context, p *engine.Project, dry, unasked bool) ([]CleanupAction, error) {
	c := &cleaner{p: p, dry: dry, unasked: unasked, out: []CleanupAction{}}
	err := c.run(ctx)
	return c.out, err
}

type cleaner struct {
	p       *engine.Project
	dry     bool
	unasked bool // no person has asked for it: a worktree that a person asked to keep stays
	out     []CleanupAction
}

// perform lists an action and, unless this is a dry run, does it.
func (c *cleaner) perform(what, name, why string, do func() ([]string, error)) {
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
	found, err := c.survey(ctx)
	if err != nil {
		return err
	}
	for _, r := range found {
		// Looked at again under the lock; this only spares a needless attempt.
		if !c.isFree(r.id) || c.unasked && r.wanted {
			continue
		}
		// First, since git could not remove the worktree otherwise.
		if err := c.breakLock(ctx, r); err != nil {
			return err
		}
		for _, what := range r.decide() {
			c.execute(ctx, r, what)
		}
	}
	if err := c.sweepTrains(); err != nil {
		return err
	}
	return c.clearCaches(found)
}

// sweepTrains removes what killed processes have left of the queues in which they waited to land. It holds no work, so it is not
// listed.
func (c *cleaner) sweepTrains() error {
	locks, err := c.p.Store.Local(local.Locks, "")
	if err != nil || c.dry {
		return err
	}
	return train.Sweep(locks)
}

// isFree reports whether no process works on a run, including this one. A holder that was killed does not
// count, even if a process that it was starting has a copy of its lock for an instant longer.
func (c *cleaner) isFree(id string) bool {
	holder, held := c.p.Store.Holder(lockName(id))
	// A holder without a PID is about to write it.
	works := held && (holder.PID == 0 || holder.Alive())
	// An agent must not clean up the run that it works in.
	return !works && c.p.Store.RunOf() != id
}

// execute does what was decided for a run, under the lock of the run.
func (c *cleaner) execute(ctx context.Context, r remains, what disposal) {
	name := r.path
	switch what.what {
	case "branch":
		name = r.branch
	case "journal":
		name = r.id
	}
	if what.keep != "" {
		c.out = append(c.out, CleanupAction{What: what.what, Name: name, Why: what.why, Error: what.keep})
		return
	}
	c.perform(what.what, name, what.why, func() ([]string, error) {
		if !what.drop {
			return c.removeRest(ctx, r)
		}
		// The lock also ends what a killed run has left running, which could write into the folder.
		h, err := engine.Hold(ctx, c.p, r.id, "cleanup")
		if err != nil {
			return nil, err
		}
		rescued, err := c.dropRun(ctx, r, h)
		return rescued, errors.Join(err, h.Release())
	})
}

// dropRun removes a whole run; refs and folders keep its work.
func (c *cleaner) dropRun(ctx context.Context, r remains, h *engine.Held) ([]string, error) {
	facts, err := run.ReadFacts(ctx, c.p, r.asSpec(), h.History)
	if err != nil {
		return nil, err
	}
	dropped := run.NewRun(c.p, facts.Question(journal.Job{}), h.History)
	err = dropped.Trees.Drop(ctx, "")
	return dropped.Trees.Rescued, err
}

// lockAge is the age from which git's own lock on the index of a run's tree counts
// as left over, when no process works on the run: git does not write its process id
// into it.
const lockAge = time.Hour

// breakLock removes the index.lock that a killed git left in a run's tree.
func (c *cleaner) breakLock(ctx context.Context, r remains) error {
	if !r.ours || !r.registered || r.entries < 0 {
		return nil
	}
	since, locked, err := c.p.Repo.IndexLock(r.path)
	// A tree without its .git has nothing to lock.
	if errors.Is(err, gitops.ErrNotRepository) || err == nil && !locked {
		return nil
	}
	if err != nil {
		return err
	}
	name := filepath.Join(r.path, "index.lock")
	if age := c.p.Now().Sub(since); age < lockAge {
		c.out = append(c.out, CleanupAction{What: "lock", Name: name, Why: "git left it or is at work", Error: "kept: it is younger than an hour"})
		return nil
	}
	c.perform("lock", name, "left by a git that was killed", func() ([]string, error) {
		// The lock also ends the processes that a killed run has left.
		h, err := engine.Hold(ctx, c.p, r.id, "cleanup")
		if err != nil {
			return nil, err
		}
		_, err = c.p.Repo.BreakLock(r.path)
		return nil, errors.Join(err, h.Release())
	})
	return nil
}

// removeRest removes what is not a run: a registration without a folder, an empty folder, the tree of a check, which holds
// no work, or a tree that an earlier version has kept. It returns the refs and folders that keep what a person has left in
// that.
func (c *cleaner) removeRest(ctx context.Context, r remains) (rescued []string, err error) {
	err = c.withLock(ctx, lockName(r.id), func() error {
		id, check := sandbox.CheckedSpec(r.id)
		if check {
			if err := sandbox.StopAsked(ctx, c.p.Store, id); err != nil {
				return err
			}
		}
		rescued, err = c.removePath(ctx, r)
		if check && err == nil {
			// It fails if the folder contains anything else, which then stays.
			_ = os.Remove(filepath.Dir(r.path))
		}
		return err
	})
	return rescued, err
}

func (c *cleaner) removePath(ctx context.Context, r remains) ([]string, error) {
	switch {
	// A person may have worked in such a tree, so what is in it is kept first.
	case strings.HasPrefix(r.id, tree.Spare) && r.registered && r.entries >= 0:
		kept := run.NewQuestionRun(c.p, journal.Job{ID: r.id}, &journal.History{})
		err := kept.Trees.RemoveTree(ctx)
		return kept.Trees.Rescued, err
	case r.registered:
		return nil, c.p.Repo.RemoveWorktree(ctx, r.path)
	case r.entries == 0:
		return nil, os.Remove(r.path)
	}
	// This can only be the tree of a check.
	return nil, rootdir.Remove(r.path)
}

// lockName returns the name of the lock of a worktree: all trees of one check share a lock.
func lockName(tree string) string {
	if id, check := sandbox.CheckedSpec(tree); check {
		return sandbox.CheckTree + id
	}
	return tree
}

// withLock does something under the lock of a run or of a check.
func (c *cleaner) withLock(ctx context.Context, id string, do func() error) error {
	path, err := engine.LockFor(c.p, id)
	if err != nil {
		return err
	}
	lock, err := engine.AcquireLeft(ctx, path, "cleanup", id)
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Release())
}

// clearCaches removes cached files of runs that are over.
func (c *cleaner) clearCaches(found []remains) error {
	entries, err := os.ReadDir(filepath.Join(engine.Home(c.p), store.Dir, string(local.Cache)))
	if errors.Is(err, fs.ErrNotExist) {
		// There never was a cache.
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		id := entry.Name()
		if strings.HasPrefix(id, ".") {
			// It does not belong to a run.
			continue
		}
		underWay := slices.ContainsFunc(found, func(r remains) bool { return r.id == id && r.branch != "" && r.whyOver() == "" })
		// The entry may have gone since it was listed.
		if _, err := os.Stat(filepath.Join(engine.Home(c.p), store.Dir, string(local.Cache), id)); err == nil && entry.IsDir() && !underWay && c.isFree(id) {
			c.perform("cache", id, "its run is over", func() ([]string, error) { return nil, c.p.Store.ClearCache(id) })
		}
	}
	return nil
}
