package work

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// CancelGroupInput says what to cancel beside a spec, and whether to delete it.
type CancelGroupInput struct {
	ID         string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Cascade    bool   `json:"cascade,omitempty" jsonschema:"The members of a driver too"`
	Delete     bool   `json:"delete,omitempty" jsonschema:"Remove the files of the specs"`
	SkipChecks bool   `json:"skip_checks,omitempty" jsonschema:"Also delete what is completed or needed by others"`
	DryRun     bool   `json:"dry_run,omitempty" jsonschema:"Only say what would be done"`
}

// CancelGroupResult lists the specs that were cancelled or deleted, or would be.
type CancelGroupResult struct {
	Specs   []CancelledSpec `json:"specs"`
	Deleted bool            `json:"deleted"`
	Commit  string          `json:"commit,omitempty"`
	DryRun  bool            `json:"dry_run,omitempty"`
}

// CancelledSpec is a spec that was cancelled or deleted.
type CancelledSpec struct {
	ID      string      `json:"id"`
	Title   string      `json:"title"`
	Was     spec.Status `json:"was"`
	Branch  string      `json:"branch,omitempty"`  // of the run that was dropped
	Rescued []string    `json:"rescued,omitempty"` // refs and folders that keep its work
	Edits   []string    `json:"edits,omitempty"`   // what became of edits of the spec on the dropped branch
}

// CancelGroup cancels a spec, with its members if asked to, in one commit; or removes their files in one commit. Runs are
// dropped as by Cancel, and refs keep their work. Errors: State while something would be lost or others need the spec.
func CancelGroup(ctx context.Context, p *engine.Project, in CancelGroupInput) (CancelGroupResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return CancelGroupResult{}, engine.Wrap(err, in.ID)
	}
	if err := engine.MayInside(p, "cancel", id); err != nil {
		return CancelGroupResult{}, err
	}
	result, err := cancelGroup(ctx, p, id, in)
	return engine.Done(result, err, id)
}

func cancelGroup(ctx context.Context, p *engine.Project, id string, in CancelGroupInput) (CancelGroupResult, error) {
	c := canceller{p: p, in: in, result: CancelGroupResult{Specs: []CancelledSpec{}, Deleted: in.Delete, DryRun: in.DryRun}}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return c.result, err
	}
	ids := []string{id}
	if in.Cascade {
		ids = append(ids, g.Members(id)...)
	}
	if in.DryRun {
		return c.result, c.plan(ctx, g, ids)
	}
	c.result.Commit, err = advice.WithAllHeld(ctx, p, ids, string(spec.Cancel), func(held []*engine.Held) (string, error) {
		// Read again, since another process may have held one of them until now.
		if _, g, err = engine.Graph(ctx, p); err != nil {
			return "", err
		}
		if err := c.plan(ctx, g, ids); err != nil {
			return "", err
		}
		return c.carryOut(ctx, held)
	})
	return c.result, err
}

// canceller cancels or deletes specs.
type canceller struct {
	p      *engine.Project
	in     CancelGroupInput
	result CancelGroupResult
}

// plan finds out which of the specs are affected, and refuses what would lose something.
func (c *canceller) plan(ctx context.Context, g *spec.Graph, ids []string) error {
	for _, id := range ids {
		s := g.Spec(id)
		if s == nil {
			return engine.Fail(engine.Invalid, next.Lint.On(id), "spec %q cannot be read", id)
		}
		if c.in.Delete {
			if err := c.mayDelete(ctx, g, s, ids); err != nil {
				return err
			}
		} else if _, err := spec.Next(s.Status, spec.Cancel); err != nil {
			// Members that are done keep their status; the spec that was named has to allow it.
			if id != ids[0] {
				continue
			}
			return err
		}
		c.result.Specs = append(c.result.Specs, CancelledSpec{ID: id, Title: s.Title, Was: s.Status, Branch: s.Branch})
	}
	return nil
}

// mayDelete refuses to delete a spec that others need, that is a record of work, or whose text no commit has.
func (c *canceller) mayDelete(ctx context.Context, g *spec.Graph, s *spec.Spec, ids []string) error {
	if members := g.Members(s.ID); len(members) > 0 && !c.in.Cascade {
		return engine.Fail(engine.State, next.Cancel.On(s.ID).Flag("delete").Flag("cascade"), "spec %q has %d members, which have to be deleted with it", s.ID, len(members))
	}
	// What exists nowhere else is not deleted for any flag.
	if err := c.mustBeCommitted(ctx, s.ID); err != nil || c.in.SkipChecks {
		return err
	}
	insist := next.Cancel.On(ids[0]).Flag("delete").Flag("skip-checks")
	if c.in.Cascade {
		insist = insist.Flag("cascade")
	}
	var needed []string
	for _, other := range g.Specs() {
		needs := slices.Contains(other.Fields.DependsOn, s.ID) || slices.Contains(other.Fields.Members, s.ID)
		if needs && !slices.Contains(ids, other.ID) && !g.Done(other.ID) {
			needed = append(needed, other.ID)
		}
	}
	switch {
	case s.Status == spec.Completed:
		return engine.Fail(engine.State, next.Archive.On(s.ID), "spec %q is completed, and its file is the record of that", s.ID)
	case len(needed) > 0:
		return engine.Fail(engine.State, insist, "spec %q is needed by %s, which would wait for a spec that does not exist", s.ID, strings.Join(needed, ", "))
	}
	return nil
}

// mustBeCommitted refuses to delete a text that no commit keeps.
func (c *canceller) mustBeCommitted(ctx context.Context, id string) error {
	tracked, err := c.p.Store.Tracked(ctx)
	if err != nil {
		return err
	}
	if !tracked {
		return engine.Fail(engine.State, next.Cancel.On(id), "git ignores spec %q, so nothing would keep its text", id)
	}
	edits, err := c.p.Repo.Status(ctx, engine.Home(c.p), store.SpecPath(id))
	if err == nil && len(edits) > 0 {
		err = engine.Fail(engine.Conflict, engine.CommitStep(id), "spec %q has changes that are not committed, and nothing would keep them", id)
	}
	return err
}

// carryOut drops the runs and makes the commit.
func (c *canceller) carryOut(ctx context.Context, held []*engine.Held) (string, error) {
	batch := store.NewBatch(c.p.Store)
	for i := range c.result.Specs {
		one := &c.result.Specs[i]
		h := held[slices.IndexFunc(held, func(h *engine.Held) bool { return h.ID == one.ID })]
		if err := c.dropRun(ctx, h, one); err != nil {
			return "", err
		}
		home, err := c.p.Store.ReadHome(one.ID)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// The spec existed only on its branch.
		case err != nil:
			return "", err
		case c.in.Delete:
			// Again, since an edit may have been saved before the file was read here; a later one fails the removal.
			if err := c.mustBeCommitted(ctx, one.ID); err != nil {
				return "", err
			}
			batch.Remove(one.ID, "delete", home.Doc.Bytes())
		case home.Status != spec.Cancelled:
			if _, err := batch.Change(ctx, store.Change{ID: one.ID, Event: spec.Cancel, Edits: spec.ClearReason()}); err != nil {
				return "", err
			}
		}
	}
	word := "cancel"
	if c.in.Delete {
		word = "delete"
	}
	saved, err := batch.Commit(ctx, fmt.Sprintf("%s %s with its members", word, c.result.Specs[0].ID))
	if err != nil {
		return saved.Commit, err
	}
	for _, one := range c.result.Specs {
		_, err := question.OpenBox(c.p.Store.Files, c.p.Now).WithdrawAll(ctx, question.OfSpec(one.ID), "the run was dropped by "+word)
		if err != nil {
			return saved.Commit, err
		}
	}
	if c.in.Delete {
		return saved.Commit, nil
	}
	return saved.Commit, settleDriversOf(ctx, c.p, c.result.Specs[0].ID, "Its last member "+c.result.Specs[0].ID+" was cancelled.")
}

// dropRun drops the run of a spec; refs keep its work.
func (c *canceller) dropRun(ctx context.Context, h *engine.Held, one *CancelledSpec) error {
	if one.Branch == "" {
		return nil
	}
	s, err := c.p.Store.Get(ctx, h.ID)
	if err != nil {
		return err
	}
	facts, err := run.ReadFacts(ctx, c.p, &s.Spec, h.History)
	if err != nil {
		return err
	}
	r := run.NewRun(c.p, facts.Question(journal.Job{}), h.History)
	if !c.in.Delete {
		if one.Edits, err = carryEdits(ctx, c.p, r); err != nil {
			return err
		}
	}
	if err := r.Trees.Drop(ctx, string(spec.Cancel)); err != nil {
		return err
	}
	one.Rescued = r.Trees.Rescued
	return nil
}
