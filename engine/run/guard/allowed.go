package guard

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/gitops"
)

// Awaited says which approval of its work a completed spec has to have before it
// lands, "" when none. The run is then over, and well.
func (g *Guard) Awaited(ctx context.Context, step journal.Step) string {
	if step != journal.Land {
		return ""
	}
	own, err := g.OwnSpec(ctx)
	if err != nil || own.Fields.Approval == nil || own.Fields.Approval.Work == "" {
		return "" // landing tells what is wrong with it
	}
	own.Branch, own.Home = g.Job.Branch, nil
	start, err := g.Trusted(ctx)
	if err != nil {
		return "" // and this too
	}
	own.AddRulesOf(start)
	if hold := own.ApprovalBlock(); hold.Kind != spec.HeldByRejection {
		return hold.String()
	}
	return ""
}

// MayLand asks before a completed branch is touched what landing will ask: a refusal
// leaves it where it is. Errors: *Failure.
func (g *Guard) MayLand(ctx context.Context) error {
	target, err := g.Repo.Resolve(ctx, "refs/heads/"+g.Job.Target)
	if err != nil {
		return err
	}
	return g.allowed(ctx, target)
}

// allowed asks whether people let the run land: no one has cancelled or rejected the
// spec meanwhile, what was worked is what they have approved, and so is the work.
func (g *Guard) allowed(ctx context.Context, target string) error {
	there, err := g.OnTarget(ctx, target)
	if err != nil {
		return err
	}
	if there != nil && there.Status == spec.Cancelled {
		return &journal.Failure{Kind: spec.ReasonWithdrawn, Next: next.Reset.On(g.Job.ID), Message: fmt.Sprintf("spec %q was cancelled on %q", g.Job.ID, g.Job.Target)}
	}
	hold, err := g.heldBack(ctx, there)
	if err != nil {
		return err
	}
	if !hold.Exists() {
		if err := g.keptSilently(ctx); err != nil {
			return err
		}
		if err := g.requireChecks(ctx); err != nil {
			return err
		}
		return g.driverAllows(ctx)
	}
	step := next.Approve.On(g.Job.ID)
	if hold.Kind == spec.HeldByRejection {
		step = next.Reset.On(g.Job.ID)
	}
	return &journal.Failure{Kind: unapproved(hold), Next: step, Message: fmt.Sprintf("spec %q %s", g.Job.ID, hold)}
}

// unapproved is the kind of failure for what approval holds back.
func unapproved(hold spec.Hold) spec.ReasonCode {
	if hold.Kind == spec.HeldByRejection {
		return spec.ReasonWithdrawn
	}
	return spec.ReasonUnapproved
}

// heldBack judges every copy of the spec that has a say. Home's, where another branch
// than the target is checked out, can only refuse.
func (g *Guard) heldBack(ctx context.Context, there *spec.Spec) (spec.Hold, error) {
	own, err := g.OwnSpec(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	own.Branch, own.Home = g.Job.Branch, nil
	home, err := g.Store.FromHome(g.Job.ID)
	if err != nil {
		home = nil // it lives on its branch alone, or cannot be read: then it says nothing
	}
	for _, s := range []*spec.Spec{own, there, home} {
		if s != nil && s.Fields.Approval != nil && s.Fields.Approval.Status == spec.Rejected {
			return spec.Hold{Kind: spec.HeldByRejection}, nil
		}
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	for _, other := range []*spec.Spec{start, there, home} {
		own.AddRulesOf(other)
	}
	moved, err := g.movedOn(ctx, there)
	if err != nil {
		return spec.Hold{}, err
	}
	if moved {
		if hold := g.unwaived(there.ApprovalBlock()); hold.Exists() {
			return hold, nil
		}
	}
	if a := own.Fields.Approval; a != nil && a.Work != "" {
		return g.workHeldBack(ctx, own)
	}
	hold, err := g.planHeldBack(ctx, there)
	return g.unwaived(hold), err
}

// movedOn reports whether people have changed the target's copy since the branch left
// it, in what an approval is about or in the approval. While they have not, what the run
// began with speaks for it: that may have been approved where home is.
func (g *Guard) movedOn(ctx context.Context, there *spec.Spec) (bool, error) {
	if there == nil {
		return false, nil
	}
	base, err := g.Base(ctx)
	if err != nil {
		return false, err
	}
	before, err := g.SpecAt(ctx, base)
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
func (g *Guard) unwaived(hold spec.Hold) spec.Hold {
	if g.Job.SkipApproval && hold.Waivable() {
		return spec.Hold{}
	}
	return hold
}

// workHeldBack judges the approval of work: the journal of the machine that made it has
// to know of it, and the branch to hold that work.
func (g *Guard) workHeldBack(ctx context.Context, own *spec.Spec) (spec.Hold, error) {
	if hold := own.ApprovalBlock(); hold.Exists() {
		return hold, nil
	}
	if g.History.Last() != nil {
		start, err := g.Trusted(ctx)
		if err != nil {
			return spec.Hold{}, err
		}
		if !g.sameApproval(start, own) {
			return spec.Hold{Kind: spec.HeldForWork, More: " here: its journal knows nothing of the one on the branch"}, nil
		}
	}
	work, err := WorkOf(ctx, g.Repo, g.Job)
	if err == nil && work != own.Fields.Approval.Work {
		return spec.Hold{Kind: spec.HeldByChange}, nil
	}
	return spec.Hold{}, err
}

// planHeldBack judges the approval of what the agent was told: it has to be approved as
// it stood at the start, by then or since.
func (g *Guard) planHeldBack(ctx context.Context, there *spec.Spec) (spec.Hold, error) {
	start, err := g.Trusted(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	if g.Settings.ApproveWork && g.byAgent() {
		return spec.Hold{Kind: spec.HeldForWork}, nil
	}
	start.AddRulesOf(there)
	start.Fields.Approval = g.ApprovedStart(start)
	hold := start.ApprovalBlock()
	if !hold.Exists() || there == nil || there.Fields.Approval == nil {
		return hold, nil
	}
	if a := there.Fields.Approval; a.Status == spec.Approved && a.Hash == spec.ContentHash(start.Doc) && !there.ApprovalBlock().Exists() {
		return spec.Hold{}, nil
	}
	return hold, nil
}

// DriverAt reads a driver as the target has it; home's copy where the target has none, or git ignores .chant.
func (g *Guard) DriverAt(ctx context.Context, target, id string) (*spec.Spec, error) {
	if g.Job.Silent {
		return g.Store.FromHome(id)
	}
	s, err := g.Store.At(ctx, target, id)
	if errors.Is(err, gitops.ErrNotFound) {
		return g.Store.FromHome(id)
	}
	return s, err
}

// driverAllows checks that no driver above the spec has been rejected since the run began,
// or waits for approval: a part lands with the whole.
func (g *Guard) driverAllows(ctx context.Context) error {
	set, err := g.Store.Load(ctx)
	if err != nil {
		return err
	}
	driver, hold := set.Graph().HeldByDriver(g.Job.ID)
	if !g.unwaived(hold).Exists() {
		return nil
	}
	return &journal.Failure{Kind: unapproved(hold), Next: next.Approve.On(driver.ID), Message: fmt.Sprintf("spec %q is a part of %q, which %s", g.Job.ID, driver.ID, hold)}
}
