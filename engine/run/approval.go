package run

import (
	"context"
	"slices"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// WorkOf names what a run's branch changes but for its own spec. It is what a person
// approves who approves work: another commit makes it another work, a replay on a
// target that touched none of its files does not.
func WorkOf(ctx context.Context, repo *gitops.Repo, job journal.Job) (string, error) {
	base, err := repo.MergeBase(ctx, "refs/heads/"+job.Target, "refs/heads/"+job.Branch)
	if err != nil {
		return "", err
	}
	return repo.WorkID(ctx, base, "refs/heads/"+job.Branch, store.SpecPath(job.ID))
}

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
		if _, word := store.Says(c); err != nil || word != ApproveWord && word != RejectWord {
			return tip, err
		}
		moves, err := r.onlyMoves(ctx, c)
		if err != nil || !moves {
			return tip, err
		}
		tip = c.Parents[0]
	}
}
