package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
)

// adopt lands a branch that chant has not started, such as one of the Rust chant: the spec gets a run whose branch it is, which
// is judged by the target's version of the spec, completed and landed as if an agent had ended on it. The branch itself stays
// as it is, unless it has the name of the run's branch.
func adopt(ctx context.Context, p *engine.Project, in MergeInput) (WorkResult, error) {
	text := cmp.Or(in.ID, strings.TrimPrefix(in.Adopt, p.Store.Branch("")))
	return advice.WithHold(ctx, p, text, "merge", func(h *engine.Held) (WorkResult, error) {
		result, err := adoptHeld(ctx, p, in, h)
		if err != nil || result.Status != spec.Completed || result.Landed {
			return result, err
		}
		if h.History, err = journal.ReadSealed(p.Store, h.ID); err != nil {
			return result, err
		}
		return mergeHeld(ctx, p, in, h)
	})
}

// adoptHeld makes the branch that of a run, and completes its work.
func adoptHeld(ctx context.Context, p *engine.Project, in MergeInput, h *engine.Held) (WorkResult, error) {
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+in.Adopt)
	if errors.Is(err, gitops.ErrNotFound) {
		return WorkResult{}, engine.Fail(engine.NotFound, next.Shell("git branch --list"), "there is no branch %q", in.Adopt)
	}
	if err == nil {
		err = mayAdopt(ctx, p, in.Adopt, h)
	}
	if err == nil {
		err = hasSpec(ctx, p, in.Adopt, tip, h.ID)
	}
	if err != nil {
		return WorkResult{}, err
	}
	attempt := 1
	if last := h.History.Last(); last != nil {
		attempt = last.Number + 1
	}
	if err := run.Receive(ctx, p, h, run.Received{ID: h.ID, Tip: tip, Attempt: attempt}); err != nil {
		return WorkResult{}, err
	}
	// A branch that a person has made does not say that the spec is being worked.
	if s, err := p.Store.Get(ctx, h.ID); err != nil {
		return WorkResult{}, err
	} else if s.Status == spec.Pending {
		if _, err := p.Store.Transition(ctx, store.Change{ID: h.ID, Event: spec.Start, Attempt: attempt, Why: "Adopted from " + in.Adopt + "."}); err != nil {
			return WorkResult{}, err
		}
	}
	return FinalizeHeld(ctx, p, FinalizeInput{ID: h.ID}, h, nil)
}

// mayAdopt refuses a branch while the spec has a run, or while another worktree could write to the branch.
func mayAdopt(ctx context.Context, p *engine.Project, branch string, h *engine.Held) error {
	own := p.Store.Branch(h.ID)
	exists, err := p.Store.HasBranch(ctx, h.ID)
	if err != nil {
		return err
	}
	if last := h.History.Last(); exists && last != nil && !last.Gone {
		return engine.Fail(engine.State, next.Reset.On(h.ID), "spec %q has a run already, on %q; drop that before another branch is adopted", h.ID, own)
	}
	// Another branch than the one of this name was asked for.
	if exists && branch != own {
		return engine.Fail(engine.Conflict, next.Shell("git branch -m %s kept/%[1]s", own), "branch %q has the name of the run's branch; adopt that, or give it another name", own)
	}
	trees, err := p.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(trees, func(t gitops.Worktree) bool { return t.Branch == branch && branch == own })
	switch {
	case at < 0:
		return nil
	case trees[at].Main:
		return engine.Fail(engine.Conflict, next.Shell("git switch -"), "branch %q is checked out in your checkout, and the run needs it", branch)
	}
	// Git refuses to remove a worktree with changes that are not committed.
	return engine.Fail(engine.Conflict, next.Merge.On().Set("adopt", branch).After(fmt.Sprintf("git worktree remove %q", trees[at].Path)),
		"branch %q is checked out in the worktree %q; commit what is uncommitted there, then remove it", branch, trees[at].Path)
}

// hasSpec refuses a branch without the spec, which could not record that it is completed.
func hasSpec(ctx context.Context, p *engine.Project, branch, tip, id string) error {
	tracked, err := p.Store.Tracked(ctx)
	if err != nil || !tracked {
		return err
	}
	_, err = p.Repo.ReadFile(ctx, tip, store.SpecPath(id))
	if errors.Is(err, gitops.ErrNotFound) {
		return engine.Fail(engine.Conflict, next.ByHand("commit the spec and merge its branch into "+branch), "branch %q does not have the spec %q", branch, id)
	}
	return err
}
