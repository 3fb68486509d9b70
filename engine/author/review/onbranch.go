package review

import (
	"context"
	"encoding/json"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/attempt"
	"chant/engine/run/edits"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/markdown"
)

// keepOnBranch commits the comments on the branch and makes them part of the text that counts: what else is changed in
// the review there, no person has written.
func (r *ReviewResult) keepOnBranch(ctx context.Context, p *engine.Project, h *engine.Held, s *spec.File, by string) error {
	// Read before the commit, which changes the branch.
	start, err := trustedStart(ctx, p, h)
	if err != nil {
		return err
	}
	back := r.Decision == ToSendBack
	change := store.Change{ID: r.ID, Word: attempt.ReviewWord, Edit: r.addComments}
	if back {
		change = r.sendBackChange(s, start, by)
	}
	out, err := p.Store.Transition(ctx, change)
	if err != nil {
		return err
	}
	r.Commit, r.Status, r.Approval = out.Commit, out.Spec.Status, out.Spec.Fields.Approval
	if err := trustComments(p, h, start, out.Commit, r.Comments); err != nil || !back || h.History.Trusted == nil {
		return err
	}
	// With the approval of the work, the one before it counts.
	t := *h.History.Trusted
	t.Text = string(task.Add(start.Doc, r.Comments...).Bytes())
	// Without one in the text, none counts.
	if t.Approval = start.Fields.Approval; t.Approval == nil {
		t.Approval = &spec.Approval{}
	}
	return journal.Vouch(p.Store, r.ID, h.History.Last().Number, t, p.Now())
}

// sendBackChange is the change with which completed work needs attention again. An approval of the work, given or awaited,
// was about work that is not the last now.
func (r *ReviewResult) sendBackChange(s, start *spec.File, by string) store.Change {
	name, _ := spec.SplitPerson(by)
	why := fmt.Sprintf("sent back by %s: %s", name, reasonOf(r.Comments))
	return store.Change{
		ID: r.ID, Event: spec.Flag, Edits: spec.SetReason(spec.ReasonReviewed, why), Why: why,
		More: []message.Trailer{{Key: message.ReviewTrailer, Value: string(ToSendBack)}},
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			// An approval of the spec itself still applies.
			if a := s.Fields.Approval; a != nil && a.Work != "" {
				var before *spec.Approval
				if start != nil {
					before = start.Fields.Approval
				}
				var err error
				if doc, err = spec.SetApproval(doc, before); err != nil {
					return nil, err
				}
			}
			return r.addComments(doc)
		},
	}
}

// trustedStart reads the text that counts for a run, nil if this machine does not know it.
func trustedStart(ctx context.Context, p *engine.Project, h *engine.Held) (*spec.File, error) {
	last := h.History.Last()
	// Its journal is missing here, or its branch was removed.
	if h.History.Trusted == nil || last == nil || last.Gone {
		return nil, nil
	}
	job := last.Job
	job.Attempt = last.Number
	return run.NewQuestionRun(p, job, h.History).Trusted(ctx)
}

// trustComments records that a person has committed comments on the branch of a run: they are part of the text that
// counts, and come along when the run is dropped.
func trustComments(p *engine.Project, h *engine.Held, start *spec.File, commit string, comments []task.Comment) error {
	// This machine does not know the text that counts.
	if start == nil || commit == "" || len(comments) == 0 {
		return nil
	}
	raw, err := json.Marshal(journal.Taken{Counts: string(task.Add(start.Doc, comments...).Bytes())})
	if err != nil {
		return err
	}
	if err := journal.Append(p.Store, h.ID, journal.Record{Time: p.Now().UTC(), Attempt: h.History.Last().Number, Step: journal.Edited, State: journal.Note, Data: raw}); err != nil {
		return err
	}
	return edits.NoteEdit(p.Store, h.ID, commit, p.Now())
}

// describeOutcome fills in the state of the spec after the review, and the next step of a person, if any.
func (r *ReviewResult) describeOutcome(ctx context.Context, p *engine.Project) {
	s, err := p.Store.Get(ctx, r.ID)
	if err != nil {
		// The result describes only what was written.
		return
	}
	r.Status, r.Waits, r.Next = s.Status, s.ApprovalBlock().String(), r.nextStep(p, s)
}

// nextStep returns what a person does after the review, the zero step if nothing follows.
func (r *ReviewResult) nextStep(p *engine.Project, s *spec.File) next.Advice {
	_, held := p.Store.Holder(r.ID)
	hold := s.ApprovalBlock()
	switch {
	// A process works on it, or nothing is left to do.
	case held, s.Status == spec.Cancelled, s.Status == spec.Completed && !isOpenWork(&s.Spec):
		return next.Advice{}
	case hold.Kind == spec.HeldByRejection:
		return next.Edit.On(r.ID).Because("it %s", hold)
	case hold.Exists():
		return next.Approve.On(r.ID).Because("it %s", hold)
	case isOpenWork(&s.Spec) && r.Decision == ToApprove:
		return next.Merge.On(r.ID).Because("its work is approved and has not landed")
	case isOpenWork(&s.Spec):
		return next.Review.On(r.ID).Because("its work is complete and waits for a decision")
	case s.Fields.Type.Container():
		return next.Deps.On(r.ID).Because("it only holds members, which are worked")
	}
	return next.Work.On(r.ID).Because("nothing else has to be decided")
}
