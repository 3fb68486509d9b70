package work

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/run"
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
		if !c.isFree(r.id) || c.unasked && r.wanted {
			continue
		}
		if err := c.breakLock(ctx, r); err != nil {
			return err
		}
		for _, what := range r.decide() {
			c.execute(ctx, r, what)
		}
	}
	return c.clearCaches(found)
}

// isFree reports whether no process works on a run, including this one. A holder that was killed does not
// count, even if a process that it was starting has a copy of its lock for an instant longer.
func (c *cleaner) isFree(id string) bool {
	holder, held := c.p.Store.Holder(lockName(id))
	works := held && (holder.PID == 0 || holder.Alive()) // a holder without a PID is about to write it
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
	err = dropped.Trees.Drop(ctx)
	return dropped.Trees.Rescued, err
}
