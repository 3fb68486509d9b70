package review

import (
	"context"
	"errors"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/run/guard"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/markdown"
)

// RulingResult is the approval of a spec after a person has approved or rejected it.
type RulingResult struct {
	ID       string         `json:"id"`
	Title    string         `json:"title"`
	Status   spec.Status    `json:"status"`
	Of       string         `json:"of"` // spec, or work: the contents of the run's branch
	Approval *spec.Approval `json:"approval"`
	Waits    string         `json:"waits,omitempty"` // the approval that is still missing
	Commit   string         `json:"commit,omitempty"`
	Added    []string       `json:"added,omitempty"` // specs that a rejection has created
	Next     next.Advice    `json:"next,omitzero"`   // for the spec as it is now
}

// ruling is a person's decision about a spec, before it is written into the document.
type ruling struct {
	by     string // "Name <mail>"
	word   string // approve or reject
	reason string
	// decide returns the approval that the decision leads to for a spec and its work.
	decide func(s *spec.File, work string) spec.Approval
	// shape makes the other changes of the document; adds are the specs to create.
	shape func(*markdown.Document) (*markdown.Document, error)
	adds  []store.Added
	said  []task.Comment // of a review, which shape adds
	about *spec.File     // as it was read, with home's copy if it has a branch
}

// withComments returns the ruling with comments of a review.
func (v ruling) withComments(comments []task.Comment) ruling {
	v.said = comments
	if len(comments) == 0 {
		return v
	}
	before := v.shape
	v.shape = func(doc *markdown.Document) (*markdown.Document, error) {
		doc, err := before(doc)
		if err != nil {
			return nil, err
		}
		return task.Add(doc, comments...), nil
	}
	return v
}

// writeRuling writes a ruling into the copy of the spec that it is about. A ruling about a
// branch needs the run's lock; home's copy may change while an agent works, and its landing
// finds the ruling there.
func writeRuling(ctx context.Context, p *engine.Project, id string, v ruling) (RulingResult, error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return RulingResult{}, err
	}
	// Before the lock, so that a ruling that is refused does not wait for it.
	if err := checkDecidable(s, v.word); err != nil {
		return RulingResult{}, err
	}
	v.about = s
	if at := placeOf(&s.Spec, v.word); !at.branch {
		return ruleAtHome(ctx, p, id, v)
	}
	return advice.WithHold(ctx, p, id, v.word, func(h *engine.Held) (RulingResult, error) { return ruleOnBranch(ctx, p, h, v) })
}

// ruleAtHome writes a ruling into home's copy. It refuses a spec with uncommitted edits: a
// ruling is about what is committed, and its commit would include those edits.
func ruleAtHome(ctx context.Context, p *engine.Project, id string, v ruling) (RulingResult, error) {
	if edited, err := engine.HasUncommittedEdits(ctx, p, id); err != nil {
		return RulingResult{}, err
	} else if edited {
		return RulingResult{}, engine.Fail(engine.Conflict, engine.CommitStep(id), "spec %q has edits that are not committed; it would be unclear what you %s", id, v.word)
	}
	return commitRuling(ctx, p, store.Change{ID: id, AtHome: true, Adds: v.adds}, v, "")
}

// ruleOnBranch writes a ruling under the run's lock, on the branch of the run.
func ruleOnBranch(ctx context.Context, p *engine.Project, h *engine.Held, v ruling) (RulingResult, error) {
	// Again, because a run may have ended meanwhile.
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil {
		return RulingResult{}, err
	}
	if err := checkDecidable(s, v.word); err != nil {
		return RulingResult{}, err
	}
	v.about = s
	at := placeOf(&s.Spec, v.word)
	// The run has ended, and its branch is gone.
	if !at.branch {
		return ruleAtHome(ctx, p, h.ID, v)
	}
	work := ""
	// An approval of work names its content, not a commit.
	if at.ofWork {
		target, err := run.TargetOf(ctx, p, &s.Spec, h.History)
		if err != nil {
			return RulingResult{}, err
		}
		if work, err = guard.WorkOf(ctx, p.Repo, journal.Job{ID: s.ID, Branch: s.Branch, Target: target}); err != nil {
			return RulingResult{}, err
		}
	}
	// They exist before anything refers to them.
	if err := createAll(ctx, p, v.adds); err != nil {
		return RulingResult{}, err
	}
	// Read before the commit, which changes the branch.
	start, err := trustedStart(ctx, p, h)
	if err != nil {
		return RulingResult{}, err
	}
	result, err := commitRuling(ctx, p, store.Change{ID: s.ID}, v, work)
	if err == nil {
		err = trustComments(p, h, start, result.Commit, v.said)
	}
	// Without criteria in the journal there is nothing to vouch for.
	if err != nil || h.History.Trusted == nil {
		return result, err
	}
	t, last := *h.History.Trusted, h.History.Last()
	if start != nil && len(v.said) > 0 {
		t.Text = string(task.Add(start.Doc, v.said...).Bytes())
	}
	if t.Approval = result.Approval; last == nil {
		return result, nil
	}
	return result, journal.Vouch(p.Store, s.ID, last.Number, t, p.Now())
}

// createAll creates the specs of a ruling about a branch, in home, so that they exist
// before anything refers to them.
func createAll(ctx context.Context, p *engine.Project, adds []store.Added) error {
	for _, add := range adds {
		_, err := p.Store.Create(ctx, add.ID, add.Content)
		// An interrupted ruling has created it.
		if _, there := errors.AsType[*store.ExistsError](err); err != nil && !there {
			return err
		}
	}
	return nil
}

// commitRuling makes the one commit of a ruling.
func commitRuling(ctx context.Context, p *engine.Project, ch store.Change, v ruling, work string) (RulingResult, error) {
	result := RulingResult{Of: "spec"}
	if work != "" {
		result.Of = "work"
	}
	for _, add := range v.adds {
		result.Added = append(result.Added, add.ID)
	}
	ch.Word, ch.Why = v.word, v.reason
	ch.Edit = func(doc *markdown.Document) (*markdown.Document, error) {
		return applyRuling(p, ch.ID, doc, v, work)
	}
	out, err := p.Store.Transition(ctx, ch)
	if err != nil {
		return result, err
	}
	s := out.Spec
	result.ID, result.Title, result.Status, result.Commit, result.Approval = s.ID, s.Title, s.Status, out.Commit, s.Fields.Approval
	// Otherwise the result describes only what was written.
	if now, err := p.Store.Get(ctx, s.ID); err == nil {
		result.Status, result.Waits = now.Status, now.ApprovalBlock().String()
	}
	return result, nil
}

// applyRuling writes a ruling into a document: the remark first, because the approval is about
// the body as it is afterwards.
func applyRuling(p *engine.Project, id string, doc *markdown.Document, v ruling, work string) (*markdown.Document, error) {
	doc, err := v.shape(doc)
	if err != nil {
		return nil, err
	}
	s, err := p.Store.Parse(id, doc.Path(), doc.Bytes())
	if err != nil {
		return nil, err
	}
	// Rules of home's copy decide who may approve.
	s.AddRulesOf(v.about)
	s.Adopt(v.about.Adopted())
	a := v.decide(s, work)
	return spec.SetApproval(s.Doc, &a)
}

// formatTime returns a time as approvals contain it.
func formatTime(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// rulingPlace is the copy of a spec that a ruling is about.
type rulingPlace struct {
	ofWork bool // the run's branch, once the spec is completed there
	branch bool // the run's branch
}

// placeOf returns the copy of a spec that a ruling is about: the one in home before the
// spec is completed, and if home's copy lacks approval; else the one on the branch.
func placeOf(s *spec.Spec, word string) rulingPlace {
	switch {
	case s.Branch == "":
		return rulingPlace{}
	// Home's copy says what people decide before a spec is completed.
	case s.Status != spec.Completed:
		return rulingPlace{branch: s.Home == nil}
	case word == attempt.ApproveWord && s.Home != nil && s.Home.ApprovalBlock().Exists():
		return rulingPlace{}
	}
	return rulingPlace{ofWork: true, branch: true}
}

// checkDecidable checks that there is something to decide. A spec that has landed can only be
// approved again, for a further run, if its earlier approval no longer applies.
func checkDecidable(s *spec.File, word string) error {
	// An approval that no longer applies can be given again.
	outdated := word == attempt.ApproveWord && s.ApprovalBlock().Exists()
	switch {
	case s.Status == spec.Cancelled:
		return engine.Fail(engine.State, next.Reset.On(s.ID), "spec %q is cancelled", s.ID)
	case s.Status == spec.Completed && (s.Landed || s.Branch == "") && !outdated:
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q has landed; there is nothing to decide any more", s.ID)
	}
	return nil
}
