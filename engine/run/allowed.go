package run

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/gitops"
)

// awaited says which approval of its work a completed spec has to have before it
// lands, "" when none. The run is then over, and well.
func (r *Run) awaited(ctx context.Context, step journal.Step) string {
	if step != journal.Land {
		return ""
	}
	own, err := r.ownSpec(ctx)
	if err != nil || own.Fields.Approval == nil || own.Fields.Approval.Work == "" {
		return "" // landing tells what is wrong with it
	}
	own.Branch, own.Home = r.Job.Branch, nil
	start, err := r.trusted(ctx)
	if err != nil {
		return "" // and this too
	}
	own.Under(start)
	if hold := own.ApprovalBlock(); hold.Kind != spec.HeldByRejection {
		return hold.String()
	}
	return ""
}

// MayLand asks before a completed branch is touched what landing will ask: a refusal
// leaves it where it is. Errors: *Failure.
func (r *Run) MayLand(ctx context.Context) error {
	target, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target)
	if err != nil {
		return err
	}
	return r.allowed(ctx, target)
}

// allowed asks whether people let the run land: nobody has cancelled or rejected the
// spec meanwhile, what was worked is what they have approved, and so is the work.
func (r *Run) allowed(ctx context.Context, target string) error {
	there, err := r.onTarget(ctx, target)
	if err != nil {
		return err
	}
	if there != nil && there.Status == spec.Cancelled {
		return &journal.Failure{Kind: spec.ReasonWithdrawn, Next: "chant reset " + r.Job.ID, Message: fmt.Sprintf("spec %q was cancelled on %q", r.Job.ID, r.Job.Target)}
	}
	hold, err := r.heldBack(ctx, there)
	if err != nil {
		return err
	}
	if !hold.Exists() {
		if err := r.keptSilently(ctx); err != nil {
			return err
		}
		if err := r.requireChecks(ctx); err != nil {
			return err
		}
		return r.driverAllows(ctx)
	}
	next := "chant approve " + r.Job.ID
	if hold.Kind == spec.HeldByRejection {
		next = "chant reset " + r.Job.ID
	}
	return &journal.Failure{Kind: unapproved(hold), Next: next, Message: fmt.Sprintf("spec %q %s", r.Job.ID, hold)}
}

// unapproved is the kind of failure for what approval holds back.
func unapproved(hold spec.Hold) spec.ReasonCode {
	if hold.Kind == spec.HeldByRejection {
		return spec.ReasonWithdrawn
	}
	return spec.ReasonUnapproved
}

// onTarget is the spec as the target has it, nil where it does not or where git
// ignores .chant.
func (r *Run) onTarget(ctx context.Context, target string) (*spec.Spec, error) {
	if r.Job.Silent {
		return nil, nil
	}
	there, err := r.specAt(ctx, target)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	return there, err
}

// heldBack judges every copy of the spec that has a say. Home's, where another branch
// than the target is checked out, can only refuse.
func (r *Run) heldBack(ctx context.Context, there *spec.Spec) (spec.Hold, error) {
	own, err := r.ownSpec(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	own.Branch, own.Home = r.Job.Branch, nil
	home, err := r.Store.FromHome(r.Job.ID)
	if err != nil {
		home = nil // it lives on its branch alone, or cannot be read: then it says nothing
	}
	for _, s := range []*spec.Spec{own, there, home} {
		if s != nil && s.Fields.Approval != nil && s.Fields.Approval.Status == spec.Rejected {
			return spec.Hold{Kind: spec.HeldByRejection}, nil
		}
	}
	start, err := r.trusted(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	for _, other := range []*spec.Spec{start, there, home} {
		own.Under(other)
	}
	moved, err := r.movedOn(ctx, there)
	if err != nil {
		return spec.Hold{}, err
	}
	if moved {
		if hold := r.unwaived(there.ApprovalBlock()); hold.Exists() {
			return hold, nil
		}
	}
	if a := own.Fields.Approval; a != nil && a.Work != "" {
		return r.workHeldBack(ctx, own)
	}
	hold, err := r.planHeldBack(ctx, there)
	return r.unwaived(hold), err
}

// movedOn reports whether people have changed the target's copy since the branch left
// it, in what an approval is about or in the approval. While they have not, what the run
// began with speaks for it: that may have been approved where home is.
func (r *Run) movedOn(ctx context.Context, there *spec.Spec) (bool, error) {
	if there == nil {
		return false, nil
	}
	base, err := r.base(ctx)
	if err != nil {
		return false, err
	}
	before, err := r.specAt(ctx, base)
	if errors.Is(err, gitops.ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	same := spec.SameApproval(before.Fields.Approval, there.Fields.Approval) && spec.ContentHash(before.Doc) == spec.ContentHash(there.Doc)
	return !same, nil
}

// unwaived is what holds the run back, unless the person who started it has waived that.
func (r *Run) unwaived(hold spec.Hold) spec.Hold {
	if r.Job.SkipApproval && hold.Waivable() {
		return spec.Hold{}
	}
	return hold
}

// workHeldBack judges the approval of work: the journal of the machine that made it has
// to know of it, and the branch to hold that work.
func (r *Run) workHeldBack(ctx context.Context, own *spec.Spec) (spec.Hold, error) {
	if hold := own.ApprovalBlock(); hold.Exists() {
		return hold, nil
	}
	if r.History.Last() != nil {
		start, err := r.trusted(ctx)
		if err != nil {
			return spec.Hold{}, err
		}
		if !r.sameApproval(start, own) {
			return spec.Hold{Kind: spec.HeldForWork, More: " here: its journal knows nothing of the one on the branch"}, nil
		}
	}
	work, err := WorkOf(ctx, r.Repo, r.Job)
	if err == nil && work != own.Fields.Approval.Work {
		return spec.Hold{Kind: spec.HeldByChange}, nil
	}
	return spec.Hold{}, err
}

// planHeldBack judges the approval of what the agent was told: it has to be approved as
// it stood at the start, by then or since.
func (r *Run) planHeldBack(ctx context.Context, there *spec.Spec) (spec.Hold, error) {
	start, err := r.trusted(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	if r.Settings.ApproveWork && r.byAgent() {
		return spec.Hold{Kind: spec.HeldForWork}, nil
	}
	start.Under(there)
	start.Fields.Approval = r.approvedStart(start)
	hold := start.ApprovalBlock()
	if !hold.Exists() || there == nil || there.Fields.Approval == nil {
		return hold, nil
	}
	if a := there.Fields.Approval; a.Status == spec.Approved && a.Hash == spec.ContentHash(start.Doc) && !there.ApprovalBlock().Exists() {
		return spec.Hold{}, nil
	}
	return hold, nil
}
