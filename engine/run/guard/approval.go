package guard

import (
	"context"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/markdown"
)

// WorkOf identifies the changes of a run's branch, apart from its own spec. A person who approves work approves this:
// another commit makes it other work; a replay on a target that touched none of its files does not.
func WorkOf(ctx context.Context, repo *gitops.Repo, job journal.Job) (string, error) {
	base, err := repo.MergeBase(ctx, "refs/heads/"+job.Target, "refs/heads/"+job.Branch)
	if err != nil {
		return "", err
	}
	return repo.WorkID(ctx, base, "refs/heads/"+job.Branch, store.SpecPath(job.ID))
}

// ApprovedStart returns the approval that the branch may contain: the last one that chant or a person has put there,
// else that of the trusted spec.
func (g *Guard) ApprovedStart(start *spec.File) *spec.Approval {
	if t := g.Journal.History().Trusted; t != nil && t.Approval != nil {
		return t.Approval
	}
	return start.Fields.Approval
}

// sameApproval reports whether only chant and people have changed the approval since the start. An approval that asks
// for approval of the work is harmless and may be anyone's.
func (g *Guard) sameApproval(start, now *spec.File) bool {
	a := now.Fields.Approval
	asks := a != nil && a.Required && a.Work != "" && a.Status == spec.ApprovalPending && len(a.Approvals) == 0
	return asks || spec.SameApproval(g.ApprovedStart(start), a)
}

// SettleApproval returns the approval of a spec that completes on its branch, nil if it has none. An approval of the
// work stays valid while the work is the same; an agent's work waits for a person if the project asks for that; and
// what only the agent has written is undone.
func (g *Guard) SettleApproval(ctx context.Context) (*spec.Approval, error) {
	start, err := g.Trusted(ctx)
	if err != nil {
		return nil, err
	}
	a := g.ApprovedStart(start)
	if !g.Settings.ApproveWork || !g.byAgent() {
		return a, nil
	}
	work, err := WorkOf(ctx, g.Repo, g.Job)
	if err != nil {
		return nil, err
	}
	now, err := g.OwnSpec(ctx)
	if err != nil {
		return nil, err
	}
	// The same work keeps its approval, so that a person is not asked twice.
	if a != nil && a.Work == work && a.Status != "" && (a.Status != spec.Approved || a.Hash == now.ContentHash()) {
		return a, nil
	}
	return &spec.Approval{Required: true, Status: spec.ApprovalPending, Work: work}, nil
}

// byAgent reports whether an agent has worked on the branch.
func (g *Guard) byAgent() bool { return g.found != nil || g.Journal.History().AgentBegan() }

// SetApproval sets the approval of a document, or removes it.
func SetApproval(a *spec.Approval) func(*markdown.Document) (*markdown.Document, error) {
	return func(doc *markdown.Document) (*markdown.Document, error) { return spec.SetApproval(doc, a) }
}

// VouchApproval records the approval that the branch now contains.
func (g *Guard) VouchApproval(a *spec.Approval) error {
	if a == nil || a.Work == "" || g.Journal.History().Trusted == nil || spec.SameApproval(g.Journal.History().Trusted.Approval, a) {
		return nil
	}
	t := *g.Journal.History().Trusted
	t.Approval = a
	return g.Journal.Trust(t)
}

// OwnApproval sets the approval of the work in the merged file of the run's own spec, and removes it from the
// conflicts: both sides were checked before, each by itself.
func OwnApproval(path string, merged, branch []byte, conflicts []string) ([]byte, []string, error) {
	// Only the run's own side has an approval of this work.
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

// UnderDecisions returns the commit below those that only record people's decisions on the work. They change nothing
// that criteria check.
func (g *Guard) UnderDecisions(ctx context.Context, tip string) (string, error) {
	own, err := g.OwnSpec(ctx)
	if err != nil || g.Job.Silent || own.Fields.Approval == nil || own.Fields.Approval.Work == "" {
		return tip, err
	}
	for {
		c, err := g.Repo.ReadCommit(ctx, tip)
		// Commits are passed over from the tip down, and only while each of them changes nothing but the spec.
		if _, word := message.SpecAndEvent(c); err != nil || !slices.Contains([]string{attempt.ApproveWord, attempt.RejectWord, attempt.ReviewWord, attempt.UndoWord}, word) {
			return tip, err
		}
		moves, err := g.OnlyMoves(ctx, c)
		if err != nil || !moves {
			return tip, err
		}
		tip = c.Parents[0]
	}
}
