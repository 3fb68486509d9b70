package review

import (
	"context"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/markdown"
	"chant/text"
)

// Said is a comment as it is given.
type Said struct {
	Text string `json:"text"`
	At   string `json:"at,omitempty"` // FILE or FILE:LINE, "" for the whole
}

// Decision ends a review.
type Decision string

// The decisions. Without one, only the comments are kept.
const (
	Leave      Decision = ""
	ToApprove  Decision = "approve"
	ToReject   Decision = "reject"    // a spec that is not completed is not worked until a person approves it
	ToSendBack Decision = "send back" // only of a result: reject, for work that is completed on its branch
)

// Bounds of a review.
const (
	maxComments = 200 // comments
	maxReason   = 200 // columns of each comment in the reason of the spec
)

// ReviewInput is what a person says at the end of a review.
type ReviewInput struct {
	ID       string   `json:"id"`
	Comments []Said   `json:"comments,omitempty"`
	Decision Decision `json:"decision,omitempty"` // Leave, ToApprove or ToReject
	By       string   `json:"by,omitempty"`       // as in ApproveInput
}

// ReviewResult is what a review has left.
type ReviewResult struct {
	ID       string         `json:"id"`
	Title    string         `json:"title"`
	Status   spec.Status    `json:"status"`
	Comments []task.Comment `json:"comments"` // that were added
	Decision Decision       `json:"decision,omitempty"`
	Approval *spec.Approval `json:"approval,omitempty"`
	Waits    string         `json:"waits,omitempty"` // the approval that is still missing
	Commit   string         `json:"commit,omitempty"`
	Next     next.Advice    `json:"next,omitzero"`
}

// Review keeps the comments of a person in the section "Review" of a spec, with the decision about it, in one commit.
// The comments are in the prompt of the next attempt. To reject work that is completed on its branch sends it back: its
// status is needs_attention, and the next attempt continues on the branch. Errors: those of Approve and Reject; Usage
// without a comment and a decision, for a rejection without a comment, and for a place that is not one.
func Review(ctx context.Context, p *engine.Project, in ReviewInput) (ReviewResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return ReviewResult{}, engine.Wrap(err, in.ID)
	}
	result, err := reviewSpec(ctx, p, id, in)
	return engine.Done(result, err, id)
}

// MayReview refuses a review inside a run.
func MayReview(p *engine.Project) error { return engine.Wrap(engine.MayInside(p, "review", ""), "") }

func reviewSpec(ctx context.Context, p *engine.Project, id string, in ReviewInput) (ReviewResult, error) {
	if err := engine.MayInside(p, "review", ""); err != nil {
		return ReviewResult{}, err
	}
	comments, err := in.read(p)
	if err != nil {
		return ReviewResult{}, err
	}
	by, err := findPerson(ctx, p, in.By)
	if err != nil {
		return ReviewResult{}, err
	}
	// Comments name people without their mail addresses.
	for i := range comments {
		comments[i].By, _ = spec.SplitPerson(by)
		comments[i].At = p.Now().UTC().Truncate(time.Minute)
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return ReviewResult{}, err
	}
	r := ReviewResult{ID: id, Title: s.Title, Comments: comments, Decision: in.Decision}
	switch {
	case in.Decision == ToApprove:
		err = r.takeRuling(approveWith(ctx, p, id, by, comments))
	case in.Decision == ToReject && !isOpenWork(&s.Spec):
		v := rejection(p, by, text.OneLine(reasonOf(comments)))
		err = r.takeRuling(writeRuling(ctx, p, id, v.withComments(comments)))
	case in.Decision == ToReject:
		r.Decision = ToSendBack
		err = r.keep(ctx, p, s, by)
	default:
		err = r.keep(ctx, p, s, by)
	}
	if err == nil {
		r.describeOutcome(ctx, p)
	}
	return r, err
}

// read checks what was said.
func (in ReviewInput) read(p *engine.Project) ([]task.Comment, error) {
	help := next.Review.Help()
	switch {
	case in.Decision != Leave && in.Decision != ToApprove && in.Decision != ToReject:
		return nil, engine.Fail(engine.Usage, help, "unknown decision %q (one of approve, reject)", spec.Echo(string(in.Decision)))
	case len(in.Comments) == 0 && in.Decision == Leave:
		return nil, engine.Fail(engine.Usage, help, "a review needs a comment or a decision")
	case len(in.Comments) == 0 && in.Decision == ToReject:
		return nil, engine.Fail(engine.Usage, help, "a rejection needs a comment that says why")
	case len(in.Comments) > maxComments:
		return nil, engine.Fail(engine.Usage, help, "%d comments are more than a review may have (%d)", len(in.Comments), maxComments)
	}
	var out []task.Comment
	for _, said := range in.Comments {
		if err := engine.PlainText("comment", said.Text); err != nil {
			return nil, err
		}
		c := task.Comment{Text: task.Clean(p.Secrets.Text(said.Text))}
		if strings.TrimSpace(c.Text) == "" {
			return nil, engine.Fail(engine.Usage, help, "a comment is empty")
		}
		if said.At != "" {
			var err error
			if c.File, c.Line, err = task.ParsePlace(said.At); err != nil {
				return nil, engine.Fail(engine.Usage, help, "%s", err)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// reasonOf is the reason of a rejection: the comments in one line.
func reasonOf(comments []task.Comment) string {
	var all []string
	for _, c := range comments {
		// Cut, since the reason is one line in lists.
		one := text.Clip(text.OneLine(c.Text), maxReason)
		if c.File != "" {
			one = c.Place() + ": " + one
		}
		all = append(all, one)
	}
	return strings.Join(all, "; ")
}

// isOpenWork reports whether a spec is completed on its branch and has not landed.
func isOpenWork(s *spec.Spec) bool {
	return s.Branch != "" && s.Status == spec.Completed && !s.Landed
}

// takeRuling takes over the result of a ruling.
func (r *ReviewResult) takeRuling(out RulingResult, err error) error {
	r.Status, r.Approval, r.Waits, r.Commit = out.Status, out.Approval, out.Waits, out.Commit
	return err
}

// keep writes comments, and sends work back: into home's copy, as what people decide before a spec is completed, or
// on the branch of completed work, under the lock of its run.
func (r *ReviewResult) keep(ctx context.Context, p *engine.Project, s *spec.File, by string) error {
	// While an agent works, home's copy can be written without the lock of its run.
	if !isOpenWork(&s.Spec) && (s.Branch == "" || s.Home != nil) {
		return r.keepAtHome(ctx, p)
	}
	_, err := advice.WithHold(ctx, p, r.ID, attempt.ReviewWord, func(h *engine.Held) (struct{}, error) {
		// Again, because a run may have ended meanwhile.
		now, err := p.Store.Get(ctx, r.ID)
		switch {
		case err != nil:
		case isOpenWork(&now.Spec) || now.Branch != "" && now.Home == nil && r.Decision == Leave:
			err = r.keepOnBranch(ctx, p, h, now, by)
		case r.Decision == Leave:
			err = r.keepAtHome(ctx, p)
		// The decision was about work that has changed.
		default:
			err = engine.Fail(engine.State, next.Show.On(r.ID), "spec %q is %s now; look at it again", r.ID, now.Status)
		}
		return struct{}{}, err
	})
	return err
}

func (r *ReviewResult) keepAtHome(ctx context.Context, p *engine.Project) error {
	if edited, err := engine.HasUncommittedEdits(ctx, p, r.ID); err != nil {
		return err
	} else if edited {
		return engine.Fail(engine.Conflict, engine.CommitStep(r.ID), "spec %q has edits that are not committed, and the commit of your comments would include them", r.ID)
	}
	out, err := p.Store.Transition(ctx, store.Change{ID: r.ID, AtHome: true, Word: attempt.ReviewWord, Edit: r.addComments})
	if err != nil {
		return err
	}
	r.Commit, r.Status = out.Commit, out.Spec.Status
	return nil
}

// addComments adds the comments to a document.
func (r *ReviewResult) addComments(doc *markdown.Document) (*markdown.Document, error) {
	return task.Add(doc, r.Comments...), nil
}
