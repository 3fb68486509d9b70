package run

import (
	"context"
	"errors"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store"
)

// Finish completes the spec of a run that is planned by Facts.Finish, at a person's request; what ExtraEdit changes is
// part of the same commit. The work is judged first: if it does not hold, branch, spec and journal stay as they were. If
// the person accepts changes below .chant, they are accepted if everything else holds. The worktree must exist. Errors:
// *Failure, the context's, or that of whatever broke.
func (r *Run) Finish(ctx context.Context) error {
	return r.Trees.WithPorts(func() error { return r.finish(ctx) })
}

func (r *Run) finish(ctx context.Context) error {
	// The worktree's own HEAD, on whatever branch it was left.
	before, err := r.Repo.Head(ctx, r.Trees.Tree)
	if err != nil {
		return err
	}
	if err := r.review(ctx); err != nil {
		return r.restoreWorktree(ctx, before.Hash, err)
	}
	if err := r.Begin(ctx); err != nil {
		return err
	}
	// The review has judged already, so Verify is recorded as done and not carried out again.
	if err := r.Journal.Record(journal.Verify, journal.Done, r.Judge.Report); err != nil {
		return err
	}
	if err := r.Execute(ctx); err != nil {
		return r.restoreWorktree(ctx, before.Hash, err)
	}
	if !r.Accepted {
		return nil
	}
	t := *r.Journal.History().Trusted
	t.Vouched, t.Accepted = true, true
	// Not earlier: after a completion that fails, nothing is accepted.
	return r.Journal.Trust(t)
}

// review judges the work as the steps Collect and Verify do.
func (r *Run) review(ctx context.Context) error {
	if r.Accepted {
		if err := r.accept(ctx); err != nil {
			return err
		}
	}
	if err := r.collect(ctx); err != nil {
		return err
	}
	_, err := r.verify(ctx)
	return err
}

// restoreWorktree undoes the commit of what was uncommitted in the worktree. It also works after the context has ended.
func (r *Run) restoreWorktree(ctx context.Context, tip string, cause error) error {
	if r.Trees.Collected == "" {
		return cause
	}
	calm, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	return errors.Join(cause, r.Repo.Uncommit(calm, r.Trees.Tree, r.Trees.Collected, tip))
}

// accept makes the spec as the branch has it now the one that counts, together with other changes below .chant. Only a
// person may decide that.
func (r *Run) accept(ctx context.Context) error {
	start, err := r.Trusted(ctx)
	if err != nil {
		return err
	}
	if r.Job.Silent {
		src, err := r.Store.ReadTree(r.Store.Home(), store.SpecPath(r.Job.ID))
		if err != nil {
			return err
		}
		r.acceptAll(journal.Trusted{Text: string(src)}, start)
		return nil
	}
	// What is accepted is the spec as the person sees it now, committed or not.
	if err := r.Trees.Leftovers(ctx); err != nil {
		return err
	}
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	r.acceptAll(journal.Trusted{Commit: tip}, start)
	return nil
}

// acceptAll makes the changed version the one that counts, except for its approval: only approve gives one, so it stays
// what it was.
func (r *Run) acceptAll(t journal.Trusted, start *spec.File) {
	// An explicit empty approval, since nil would take the one in the file, which an agent can write.
	if t.Approval = r.Guard.ApprovedStart(start); t.Approval == nil {
		t.Approval = &spec.Approval{}
	}
	r.Journal.Assume(&t)
}
