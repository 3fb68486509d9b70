package work

import (
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// sealedStep returns the step at which an attempt resumes whose process died, if its journal is sealed: the one after the
// last step that ended, or the one during which the process died. It is "" if the journal is not sealed, or if branch or
// worktree are not as that step left them, so that the work must be collected and judged again.
func sealedStep(ctx context.Context, p *engine.Project, h *engine.Held, s *spec.File, tree string) (journal.Step, error) {
	open := h.History.Open()
	if !h.History.Sealed || open == nil || s.Branch == "" {
		return "", nil
	}
	tip, err := p.Repo.ReadCommit(ctx, "refs/heads/"+s.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	step := nextSealed(open)
	var asLeft bool
	switch step {
	case journal.Verify:
		asLeft, err = isCollected(ctx, p, open, tip, tree)
	case journal.Complete:
		asLeft, err = isVerified(ctx, p, open, tip, tree)
	case journal.Land:
		asLeft = open.Commit == tip.Hash
	}
	if !asLeft || err != nil {
		return "", err
	}
	return step, nil
}

// nextSealed returns the step of an attempt that comes next, by its journal; "" for those before collect has ended.
func nextSealed(a *journal.Attempt) journal.Step {
	state := a.Steps[a.Last]
	ended := state == journal.Done
	switch {
	case state == journal.Failed:
		return ""
	case a.Last == journal.Collect && ended, a.Last == journal.Verify && !ended:
		return journal.Verify
	case a.Last == journal.Verify, a.Last == journal.Complete && !ended:
		return journal.Complete
	case a.Last == journal.Complete, a.Last == journal.Land:
		return journal.Land
	}
	return ""
}

// isCollected reports whether the branch is where collecting has left it, with nothing uncommitted in the worktree.
func isCollected(ctx context.Context, p *engine.Project, a *journal.Attempt, tip gitops.Commit, tree string) (bool, error) {
	if tree == "" || a.Collected != tip.Hash {
		return false, nil
	}
	changed, err := p.Repo.Status(ctx, tree)
	return err == nil && len(changed) == 0, err
}

// isVerified reports whether the branch has the tree that was verified, apart from the spec itself, which the process may
// have completed before it died.
func isVerified(ctx context.Context, p *engine.Project, a *journal.Attempt, tip gitops.Commit, tree string) (bool, error) {
	if tree == "" || a.Report.Tree == "" || !a.Report.Verified {
		return false, nil
	}
	diff, err := p.Repo.Diff(ctx, a.Report.Tree, tip.Tree)
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	for _, c := range diff {
		if c.Path != store.SpecPath(a.Job.ID) {
			return false, err
		}
	}
	return err == nil, err
}

// skipPrepared lets a new attempt begin after the set-up of the worktree if its process died between that and its agent,
// and its journal is sealed: set-up commands then do not run a second time. Once an agent has begun, they do, since it may
// have changed what they made.
func skipPrepared(ctx context.Context, p *engine.Project, h *engine.Held, r *run.Run) error {
	open := h.History.Open()
	if !h.History.Sealed || open == nil || open.AgentBegan() || open.Steps[journal.Setup] != journal.Done {
		return nil
	}
	tree, err := engine.TreeOf(ctx, p, h.ID)
	if err != nil || tree == "" || !r.Whole(tree) {
		return err
	}
	at := slices.Index(r.Steps, journal.Prompt)
	if at < 0 {
		return nil
	}
	r.Tree, r.Steps = tree, r.Steps[at:]
	return nil
}
