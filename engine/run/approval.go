package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// WorkOf names what a run's branch changes but for its own spec. It is what a person
// approves who approves work: another commit makes it another work, a replay on a
// target that touched none of its files does not.
func WorkOf(ctx context.Context, repo *gitops.Repo, job Job) (string, error) {
	base, err := repo.MergeBase(ctx, "refs/heads/"+job.Target, "refs/heads/"+job.Branch)
	if err != nil {
		return "", err
	}
	return repo.WorkID(ctx, base, "refs/heads/"+job.Branch, store.SpecPath(job.ID))
}

// ChangedSince says that work is no longer what was approved.
const ChangedSince = "was changed after its work was approved"

// approvedStart is the approval that the branch may carry: what chant or a person has
// put there last, else that of the spec which counts.
func (r *Run) approvedStart(start *spec.Spec) *spec.Approval {
	if t := r.History.Trusted; t != nil && t.Approval != nil {
		return t.Approval
	}
	return start.Fields.Approval
}

// sameApproval reports whether nobody but chant and people have changed the approval
// since the start. One that asks for the approval of work gives nothing away.
func (r *Run) sameApproval(start, now *spec.Spec) bool {
	a := now.Fields.Approval
	asks := a != nil && a.Required && a.Work != "" && a.Status == spec.ApprovalPending && len(a.Approvals) == 0
	return asks || spec.SameApproval(r.approvedStart(start), a)
}

// settleApproval is the approval of a spec that completes on its branch, nil where it
// has none: that of the work stands for as long as the work is what it was, work of an
// agent waits for a person where the project asks for that, and what only the agent
// has written is put back.
func (r *Run) settleApproval(ctx context.Context) (*spec.Approval, error) {
	start, err := r.trusted(ctx)
	if err != nil {
		return nil, err
	}
	a := r.approvedStart(start)
	if !r.Settings.ApproveWork || !r.byAgent() {
		return a, nil
	}
	work, err := WorkOf(ctx, r.Repo, r.Job)
	if err != nil {
		return nil, err
	}
	now, err := r.ownSpec(ctx)
	if err != nil {
		return nil, err
	}
	if a != nil && a.Work == work && a.Status != "" && (a.Status != spec.Approved || a.Hash == spec.ContentHash(now.Doc)) {
		return a, nil
	}
	return &spec.Approval{Required: true, Status: spec.ApprovalPending, Work: work}, nil
}

// byAgent reports whether an agent had its hands on the work.
func (r *Run) byAgent() bool { return r.Agent != nil || r.History.AgentBegan() }

// setApproval gives a document its approval, or takes it off.
func setApproval(a *spec.Approval) func(*markdown.Document) (*markdown.Document, error) {
	return func(doc *markdown.Document) (*markdown.Document, error) { return spec.SetApproval(doc, a) }
}

// vouchApproval notes the approval that the branch now carries.
func (r *Run) vouchApproval(a *spec.Approval) error {
	if a == nil || a.Work == "" || r.History.Trusted == nil || spec.SameApproval(r.History.Trusted.Approval, a) {
		return nil
	}
	t := *r.History.Trusted
	t.Approval = a
	return r.trust(t)
}

// awaited says which approval of its work a completed spec has to have before it
// lands, "" when none. The run is then over, and well.
func (r *Run) awaited(ctx context.Context, step Step) string {
	if step != Land {
		return ""
	}
	own, err := r.ownSpec(ctx)
	if err != nil || own.Fields.Approval == nil || own.Fields.Approval.Work == "" {
		return "" // landing tells what is wrong with it
	}
	own.Branch, own.Home = r.Job.Branch, nil
	if why := own.ApprovalBlock(); why != spec.RefusedApproval {
		return why
	}
	return ""
}

// allowed asks whether people let the run land: nobody has cancelled or rejected the
// spec meanwhile, what was worked is what they have approved, and so is the work.
func (r *Run) allowed(ctx context.Context, target string) error {
	there, err := r.onTarget(ctx, target)
	if err != nil {
		return err
	}
	if there != nil && there.Status == spec.Cancelled {
		return &Failure{Kind: Withdrawn, Next: "chant reset " + r.Job.ID, Message: fmt.Sprintf("spec %q %s on %q", r.Job.ID, wasCancelled, r.Job.Target)}
	}
	why, err := r.heldBack(ctx, there)
	if err != nil || why == "" {
		return err
	}
	next := "chant approve " + r.Job.ID
	if why == spec.RefusedApproval {
		next = "chant reset " + r.Job.ID
	}
	return &Failure{Kind: Withdrawn, Next: next, Message: fmt.Sprintf("spec %q %s", r.Job.ID, why)}
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
func (r *Run) heldBack(ctx context.Context, there *spec.Spec) (string, error) {
	own, err := r.ownSpec(ctx)
	if err != nil {
		return "", err
	}
	own.Branch, own.Home = r.Job.Branch, nil
	home, err := r.Store.FromHome(r.Job.ID)
	if err != nil {
		home = nil // it lives on its branch alone, or cannot be read: then it says nothing
	}
	for _, s := range []*spec.Spec{own, there, home} {
		if s != nil && s.Fields.Approval != nil && s.Fields.Approval.Status == spec.Rejected {
			return spec.RefusedApproval, nil
		}
	}
	moved, err := r.movedOn(ctx, there)
	if err != nil {
		return "", err
	}
	if moved {
		if why := r.unwaived(there.ApprovalBlock()); why != "" {
			return why, nil
		}
	}
	if a := own.Fields.Approval; a != nil && a.Work != "" {
		return r.workHeldBack(ctx, own)
	}
	why, err := r.planHeldBack(ctx, there)
	return r.unwaived(why), err
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

// unwaived is what holds the run back, "" when whoever started it has waived that.
func (r *Run) unwaived(why string) string {
	if r.Job.SkipApproval && spec.Waivable(why) {
		return ""
	}
	return why
}

// workHeldBack judges the approval of work: the journal of the machine that made it has
// to know of it, and the branch to hold that work.
func (r *Run) workHeldBack(ctx context.Context, own *spec.Spec) (string, error) {
	if why := own.ApprovalBlock(); why != "" {
		return why, nil
	}
	if r.History.Last() != nil {
		start, err := r.trusted(ctx)
		if err != nil {
			return "", err
		}
		if !r.sameApproval(start, own) {
			return spec.AwaitsWorkApproval + " here: its journal knows nothing of the one on the branch", nil
		}
	}
	work, err := WorkOf(ctx, r.Repo, r.Job)
	if err == nil && work != own.Fields.Approval.Work {
		return ChangedSince, nil
	}
	return "", err
}

// planHeldBack judges the approval of what the agent was told: it has to be approved as
// it stood at the start, by then or since.
func (r *Run) planHeldBack(ctx context.Context, there *spec.Spec) (string, error) {
	start, err := r.trusted(ctx)
	if err != nil {
		return "", err
	}
	if r.Settings.ApproveWork && r.byAgent() {
		return spec.AwaitsWorkApproval, nil
	}
	start.Fields.Approval = r.approvedStart(start)
	why := start.ApprovalBlock()
	if why == "" || there == nil || there.Fields.Approval == nil {
		return why, nil
	}
	if a := there.Fields.Approval; a.Status == spec.Approved && a.Hash == spec.ContentHash(start.Doc) {
		return "", nil
	}
	return why, nil
}

// ownApproval gives the merged file of the run's own spec the approval of its work, and
// takes that off the conflicts: both sides were judged before, each for itself.
func ownApproval(path string, merged, branch []byte, conflicts []string) ([]byte, []string, error) {
	own, err := spec.Parse("own", path, branch)
	if err != nil || own.Fields.Approval == nil || own.Fields.Approval.Work == "" {
		return merged, conflicts, err
	}
	doc, err := markdown.Parse(path, merged)
	if err == nil {
		doc, err = spec.SetApproval(doc, own.Fields.Approval)
	}
	if err != nil {
		return nil, nil, err
	}
	return doc.Bytes(), slices.DeleteFunc(conflicts, func(key string) bool { return strings.HasPrefix(key, "approval") }), nil
}

// underDecisions is the commit below those that only tell of people's word on the work.
// Where the approval of work was judged, they change nothing that criteria judge.
func (r *Run) underDecisions(ctx context.Context, tip string) (string, error) {
	own, err := r.ownSpec(ctx)
	if err != nil || r.Job.Silent || own.Fields.Approval == nil || own.Fields.Approval.Work == "" {
		return tip, err
	}
	for {
		c, err := r.Repo.ReadCommit(ctx, tip)
		if err != nil || !slices.Contains([]string{ApproveWord, RejectWord}, c.Trailers["Chant-Event"]) {
			return tip, err
		}
		moves, err := r.onlyMoves(ctx, c)
		if err != nil || !moves {
			return tip, err
		}
		tip = c.Parents[0]
	}
}
