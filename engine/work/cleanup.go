package work

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/run"
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
	What    string   `json:"what"` // worktree, registration, branch, journal, lock, folder or cache
	Name    string   `json:"name"`
	Why     string   `json:"why"`
	Rescued []string `json:"rescued,omitempty"` // refs and folders that keep what was in it
	Error   string   `json:"error,omitempty"`   // why it stayed
}

// Cleanup removes what landed or broken runs have left: worktrees and branches of
// landed specs, and of a run of which a part is missing the rest. It touches only
// what chant made and no run that a process holds; what is not in the target stays
// or is kept by a ref.
func Cleanup(ctx context.Context, p *engine.Project, in CleanupInput) (CleanupResult, error) {
	out, err := CleanUp(ctx, p, in.DryRun, false)
	return engine.Done(CleanupResult{out, in.DryRun}, err, "")
}

// CleanUp lists, and unless dry removes, what is left over. What was asked to stay stays when unasked.
func CleanUp(ctx context.Context, p *engine.Project, dry, unasked bool) ([]CleanupAction, error) {
	c := &cleaner{p: p, dry: dry, unasked: unasked, out: []CleanupAction{}}
	err := c.run(ctx)
	return c.out, err
}

type cleaner struct {
	p       *engine.Project
	dry     bool
	unasked bool // no one has asked for it: what was asked to stay stays
	out     []CleanupAction
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
	if err := c.repair(ctx); err != nil {
		return err
	}
	found, err := c.survey(ctx)
	if err != nil {
		return err
	}
	for _, r := range found {
		if !c.free(r.id) || c.unasked && r.wanted {
			continue
		}
		if err := c.breakLock(ctx, r); err != nil {
			return err
		}
		for _, what := range r.judge() {
			c.carryOut(ctx, r, what)
		}
	}
	return c.caches(found)
}

// free reports whether no process works on a run, the caller included. A holder that was killed does
// not, even if a process that it was starting has a copy of its lock for an instant longer.
func (c *cleaner) free(id string) bool {
	holder, held := c.p.Store.Holder(lockName(id))
	works := held && (holder.PID == 0 || holder.Alive()) // one without a name is about to write it
	return !works && c.p.Store.RunOf() != id
}

// carryOut does what was decided for a run, holding it.
func (c *cleaner) carryOut(ctx context.Context, r remains, what disposal) {
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
	c.act(what.what, name, what.why, func() ([]string, error) {
		if !what.drop {
			return nil, c.removeBare(ctx, r)
		}
		h, err := engine.Hold(ctx, c.p, r.id, "cleanup")
		if err != nil {
			return nil, err
		}
		rescued, err := c.drop(ctx, r, h)
		return rescued, errors.Join(err, h.Release())
	})
}

// drop puts away a whole run.
func (c *cleaner) drop(ctx context.Context, r remains, h *engine.Held) ([]string, error) {
	job, err := run.Job(ctx, c.p, r.asSpec(), h.History, journal.Job{})
	if err != nil {
		return nil, err
	}
	dropped := run.NewRun(c.p, job, h.History, run.SettingsOf(c.p))
	err = dropped.Trees.Drop(ctx)
	return dropped.Trees.Rescued, err
}
