package run

import (
	"context"
	"errors"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/tree"
	"chant/gitops"
)

// Received is the branch of a run that another machine has pushed.
type Received struct {
	ID        string
	Tip       string // of the branch, a commit that is here
	Attempt   int
	Completed bool // the spec is completed at Tip
}

// Receive makes the branch of a spec lead to what another machine has pushed, and opens a journal for it. Nothing in the
// branch is believed: its criteria are those of the target, and what lands is judged here. The caller holds the spec.
// Error: one that names both commits if the branch is here with commits that the other machine does not have.
func Receive(ctx context.Context, p *engine.Project, h *engine.Held, in Received) error {
	branch := p.Store.Branch(in.ID)
	ref := "refs/heads/" + branch
	old, err := p.Repo.Resolve(ctx, ref)
	switch {
	case errors.Is(err, gitops.ErrNotFound):
		old = ""
	case err != nil:
		return err
	}
	// A branch is only moved forward: commits that are only here would be lost.
	if old != "" && old != in.Tip {
		contained, err := p.Repo.IsAncestor(ctx, old, in.Tip)
		if err != nil {
			return err
		}
		if !contained {
			return fmt.Errorf("branch %q has %s here, which is not in %s of the remote", branch, old, in.Tip)
		}
	}
	if old != in.Tip {
		// Compared with the old tip, in case a person moves the branch meanwhile.
		if err := p.Repo.UpdateRef(ctx, ref, in.Tip, old, "chant: receive "+in.ID); err != nil {
			return err
		}
	}
	return openReceived(ctx, p, h, in)
}

// openReceived records the attempt in which the branch was made elsewhere.
func openReceived(ctx context.Context, p *engine.Project, h *engine.Held, in Received) error {
	s, err := p.Store.Get(ctx, in.ID)
	if err != nil {
		return err
	}
	// What an earlier attempt here has trusted is not what the branch began with.
	h.History.Trusted = nil
	facts, err := ReadFacts(ctx, p, &s.Spec, h.History)
	if err != nil {
		return err
	}
	r := NewRun(p, facts.Question(journal.Job{Attempt: in.Attempt, NoMerge: true}), h.History)
	if err := r.Journal.Write(journal.Record{Step: journal.Open, State: journal.Begin}, r.Job); err != nil {
		return err
	}
	if err := r.EnsureTrusted(ctx); err != nil {
		return err
	}
	// Recorded in the order of a run, so that a later command finds complete work that has yet to land.
	if in.Completed {
		if err := r.Journal.Record(journal.Complete, journal.Done, in.Tip); err != nil {
			return err
		}
	}
	if err := r.Journal.Record(journal.Close, journal.Done, in.Tip); err != nil {
		return err
	}
	h.History, err = journal.ReadSealed(p.Store, in.ID)
	return err
}

// OpenTree gives a run whose branch is here its worktree, in which a person continues. The caller holds the spec.
func OpenTree(ctx context.Context, p *engine.Project, h *engine.Held) error {
	r, err := runOfHeld(ctx, p, h)
	if err != nil {
		return err
	}
	return r.Trees.NeedTree(ctx)
}

// HandOver removes worktree and branch of a run whose branch is at this commit in a remote, from where another machine
// continues. The caller holds the spec.
func HandOver(ctx context.Context, p *engine.Project, h *engine.Held, pushed string) error {
	r, err := runOfHeld(ctx, p, h)
	if err != nil {
		return err
	}
	return tree.HandOver(ctx, r.Trees, pushed)
}

// SetAside removes worktree and branch of a run that continues elsewhere; a rescue ref keeps its work. The caller holds the
// spec.
func SetAside(ctx context.Context, p *engine.Project, h *engine.Held) error {
	r, err := runOfHeld(ctx, p, h)
	if err != nil {
		return err
	}
	return r.Trees.Drop(ctx, "continued elsewhere")
}

// runOfHeld returns the run of a held spec without a plan.
func runOfHeld(ctx context.Context, p *engine.Project, h *engine.Held) (*Run, error) {
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil {
		return nil, err
	}
	facts, err := ReadFacts(ctx, p, &s.Spec, h.History)
	if err != nil {
		return nil, err
	}
	return NewRun(p, facts.Question(journal.Job{}), h.History), nil
}
