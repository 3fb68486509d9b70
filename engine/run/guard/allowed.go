package guard

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/gitops"
)

// MissingApproval returns the approval of its work that a completed spec needs before it lands, "" if none. A run that waits
// for one has ended successfully.
func (g *Guard) MissingApproval(ctx context.Context, step journal.Step) string {
	if step != journal.Land {
		return ""
	}
	own, err := g.OwnSpec(ctx)
	if err != nil || own.Fields.Approval == nil || own.Fields.Approval.Work == "" {
		// The landing reports what is wrong with it.
		return ""
	}
	// Without these, the approval would be taken from home's copy.
	own.Branch, own.Home = g.Job.Branch, nil
	start, err := g.Trusted(ctx)
	if err != nil {
		// The landing reports this, too.
		return ""
	}
	own.AddRulesOf(start)
	if hold := own.ApprovalBlock(); hold.Kind != spec.HeldByRejection {
		return hold.String()
	}
	return ""
}

// MayCatchUp checks, before a completed branch is rebased or merged, whether people let it land, so that a refusal
// leaves it untouched. Errors: *Failure.
func (g *Guard) MayCatchUp(ctx context.Context) error {
	target, err := g.Repo.Resolve(ctx, "refs/heads/"+g.Job.Target)
	if err != nil {
		return err
	}
	_, err = g.checkPermitted(ctx, target)
	return err
}

// checkPermitted checks whether people let the run land: the spec was neither cancelled nor rejected meanwhile, the text that
// was worked on is approved, and so is the work if the project asks for that. It returns the
// graph of the specs.
func (g *Guard) checkPermitted(ctx context.Context, target string) (*spec.Graph, error) {
	there, err := g.OnTarget(ctx, target)
	if err != nil {
		return nil, err
	}
	if there != nil && there.Status == spec.Cancelled {
		return nil, &journal.Failure{Kind: spec.ReasonWithdrawn, Next: next.Reset.On(g.Job.ID), Message: fmt.Sprintf("spec %q was cancelled on %q", g.Job.ID, g.Job.Target)}
	}
	hold, err := g.findHold(ctx, there)
	if err != nil {
		return nil, err
	}
	// Rejections first: they explain more than the checks below.
	if !hold.Exists() {
		if err := g.checkHomeCriteria(ctx); err != nil {
			return nil, err
		}
		if err := g.requireChecks(ctx); err != nil {
			return nil, err
		}
		return g.driverAllows(ctx)
	}
	step := next.Approve.On(g.Job.ID)
	if hold.Kind == spec.HeldByRejection {
		step = next.Reset.On(g.Job.ID)
	}
	return nil, &journal.Failure{Kind: reasonOfHold(hold), Next: step, Message: fmt.Sprintf("spec %q %s", g.Job.ID, hold)}
}

// reasonOfHold returns the kind of failure of a hold.
func reasonOfHold(hold spec.Hold) spec.ReasonCode {
	if hold.Kind == spec.HeldByRejection {
		return spec.ReasonWithdrawn
	}
	return spec.ReasonUnapproved
}

// findHold decides by every copy of the spec that counts. Home's copy can only refuse while another branch than the
// target is checked out there.
func (g *Guard) findHold(ctx context.Context, there *spec.File) (spec.Hold, error) {
	own, err := g.OwnSpec(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	own.Branch, own.Home = g.Job.Branch, nil
	home, err := g.Store.ReadHome(g.Job.ID)
	if err != nil {
		// It exists only on its branch, or cannot be read, and does not count then.
		home = nil
	}
	// A rejection in any copy counts, also one that is not committed.
	for _, s := range []*spec.File{own, there, home} {
		if s != nil && s.Fields.Approval != nil && s.Fields.Approval.Status == spec.Rejected {
			return spec.Hold{Kind: spec.HeldByRejection}, nil
		}
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	for _, other := range []*spec.File{start, there, home} {
		own.AddRulesOf(other)
	}
	// The target's copy counts only if a person has changed it since: else the start copy may have been approved in home.
	moved, err := g.targetCopyChanged(ctx, there)
	if err != nil {
		return spec.Hold{}, err
	}
	if moved {
		if hold := g.enforceHold(there.ApprovalBlock()); hold.Exists() {
			return hold, nil
		}
	}
	if a := own.Fields.Approval; a != nil && a.Work != "" {
		return g.workHold(ctx, own)
	}
	hold, err := g.planHold(ctx, there)
	return g.enforceHold(hold), err
}

// targetCopyChanged reports whether the target's copy was changed since the branch left it, in its approval or in what an
// approval is about. While it was not, the copy that the run started with counts: it may have been approved in home.
func (g *Guard) targetCopyChanged(ctx context.Context, there *spec.File) (bool, error) {
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
	same := spec.SameApproval(before.Fields.Approval, there.Fields.Approval) && before.ContentHash() == there.ContentHash()
	return !same, nil
}

// enforceHold returns the hold unless the person who started the run has waived it.
func (g *Guard) enforceHold(hold spec.Hold) spec.Hold {
	if g.Job.SkipApproval && hold.Waivable() {
		return spec.Hold{}
	}
	return hold
}

// workHold checks the approval of the work: the journal of the machine that made the work must contain it, and the
// branch must hold exactly that work.
func (g *Guard) workHold(ctx context.Context, own *spec.File) (spec.Hold, error) {
	if hold := own.ApprovalBlock(); hold.Exists() {
		return hold, nil
	}
	// An agent can write an approval into the front matter, but not into the journal that chant keeps.
	if g.Journal.History().Last() != nil {
		start, err := g.Trusted(ctx)
		if err != nil {
			return spec.Hold{}, err
		}
		if !g.sameApproval(start, own) {
			return spec.Hold{Kind: spec.HeldForWork, More: " here: its journal knows nothing of the one on the branch"}, nil
		}
	}
	// The approval is for these changes, and another commit makes it other work.
	work, err := WorkOf(ctx, g.Repo, g.Job)
	if err == nil && work != own.Fields.Approval.Work {
		return spec.Hold{Kind: spec.HeldByChange}, nil
	}
	return spec.Hold{}, err
}

// planHold checks the approval of the text that the agent worked on: that text must be approved, before the start
// or since.
func (g *Guard) planHold(ctx context.Context, there *spec.File) (spec.Hold, error) {
	start, err := g.Trusted(ctx)
	if err != nil {
		return spec.Hold{}, err
	}
	if g.Settings.ApproveWork && g.byAgent() {
		return spec.Hold{Kind: spec.HeldForWork}, nil
	}
	// Rules that were added on the target since must be met as well.
	start.AddRulesOf(there)
	start.Fields.Approval = g.ApprovedStart(start)
	hold := start.ApprovalBlock()
	if !hold.Exists() || there == nil || there.Fields.Approval == nil {
		return hold, nil
	}
	// An approval that came during the run counts only for the text that the agent has worked on.
	if a := there.Fields.Approval; a.Status == spec.Approved && a.Hash == start.ContentHash() && !there.ApprovalBlock().Exists() {
		return spec.Hold{}, nil
	}
	return hold, nil
}

// DriverAt reads a driver as the target has it; home's copy where the target has none, or git ignores .chant.
func (g *Guard) DriverAt(ctx context.Context, target, id string) (*spec.File, error) {
	if g.Job.Silent {
		return g.Store.ReadHome(id)
	}
	s, err := g.Store.ReadAt(ctx, target, id)
	if errors.Is(err, gitops.ErrNotFound) {
		return g.Store.ReadHome(id)
	}
	return s, err
}

// driverAllows checks that no driver above the spec waits for approval or was rejected since the run started: a member
// lands only if its driver may.
func (g *Guard) driverAllows(ctx context.Context) (*spec.Graph, error) {
	graph, err := g.Graph(ctx)
	if err != nil {
		return nil, err
	}
	driver, hold := graph.HeldByDriver(g.Job.ID)
	if !g.enforceHold(hold).Exists() {
		return graph, nil
	}
	return nil, &journal.Failure{Kind: reasonOfHold(hold), Next: next.Approve.On(driver.ID), Message: fmt.Sprintf("spec %q is a part of %q, which %s", g.Job.ID, driver.ID, hold)}
}

// Graph returns the graph of the specs as they are now.
func (g *Guard) Graph(ctx context.Context) (*spec.Graph, error) {
	set, _, err := g.Store.LoadFiles(ctx)
	if err != nil {
		return nil, err
	}
	return set.Graph(), nil
}

// checkHomeCriteria checks, where git ignores .chant, that home's copy still has the criteria that the work was checked by.
// No merge would notice an edit of it there. A person who wants the edit drops the run, since nothing was checked by
// the edited spec.
func (g *Guard) checkHomeCriteria(ctx context.Context) error {
	if !g.Job.Silent {
		return nil
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return err
	}
	now, err := g.OwnSpec(ctx)
	if err != nil {
		return err
	}
	found := append(spec.WeakenedChecks(start, now), spec.LoosenedRequirements(start, now, g.Settings.Required)...)
	if len(found) == 0 {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonSpecChanged, Next: next.Edit.On(g.Job.ID), Details: found,
		Message: fmt.Sprintf("spec %q is not the one that the work was judged by: %s", g.Job.ID, strings.Join(found, "; ")),
	}
}
