package engine

import (
	"context"
	"errors"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// RulingResult is what a spec's approval says after somebody gave his word.
type RulingResult struct {
	ID       string         `json:"id"`
	Title    string         `json:"title"`
	Status   spec.Status    `json:"status"`
	Of       string         `json:"of"` // spec, or work: what the run's branch holds
	Approval *spec.Approval `json:"approval"`
	Waits    string         `json:"waits,omitempty"` // what approval still holds back
	Commit   string         `json:"commit,omitempty"`
	Added    []string       `json:"added,omitempty"` // specs that a rejection has made
}

// ruling is a person's word on a spec, on its way into the document.
type ruling struct {
	by     string // "Name <mail>"
	word   string // approve or reject
	reason string
	// decide is the approval that follows for a spec as it stands, and its work.
	decide func(s *spec.Spec, work string) spec.Approval
	// shape changes more than the approval; adds are made beside.
	shape func(*markdown.Document) (*markdown.Document, error)
	adds  []store.Added
	about *spec.Spec // as it was found, with home's copy where a branch speaks
}

// rule writes a ruling where the spec stands. What concerns a branch needs the run's
// lock; home's copy may change while an agent works, whose landing finds it.
func (e *Engine) rule(ctx context.Context, id string, v ruling) (RulingResult, error) {
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return RulingResult{}, err
	}
	if err := ruled(s, v.word); err != nil {
		return RulingResult{}, err
	}
	v.about = s
	if at := placeOf(s, v.word); !at.branch {
		return e.ruleAtHome(ctx, id, v)
	}
	return withHold(ctx, e, id, v.word, func(h *held) (RulingResult, error) { return e.ruleOnBranch(ctx, h, v) })
}

// ruleAtHome refuses a spec with uncommitted edits: somebody's word is about what is
// committed, and its commit would take what a person has not staged yet.
func (e *Engine) ruleAtHome(ctx context.Context, id string, v ruling) (RulingResult, error) {
	if edited, err := e.uncommitted(ctx, id); err != nil {
		return RulingResult{}, err
	} else if edited {
		return RulingResult{}, fail(Conflict, commitHint(id), "spec %q has edits that are not committed; it would be unclear what you %s", id, v.word)
	}
	return e.write(ctx, store.Change{ID: id, AtHome: true, Adds: v.adds}, v, "")
}

func (e *Engine) ruleOnBranch(ctx context.Context, h *held, v ruling) (RulingResult, error) {
	s, err := e.store.Get(ctx, h.id) // again: a run may have come to its end meanwhile
	if err != nil {
		return RulingResult{}, err
	}
	if err := ruled(s, v.word); err != nil {
		return RulingResult{}, err
	}
	v.about = s
	at := placeOf(s, v.word)
	if !at.branch {
		return e.ruleAtHome(ctx, h.id, v)
	}
	work := ""
	if at.ofWork {
		target, err := e.targetOf(ctx, s, h.history)
		if err != nil {
			return RulingResult{}, err
		}
		if work, err = run.WorkOf(ctx, e.repo, run.Job{ID: s.ID, Branch: s.Branch, Target: target}); err != nil {
			return RulingResult{}, err
		}
	}
	if err := e.createAll(ctx, v.adds); err != nil {
		return RulingResult{}, err
	}
	result, err := e.write(ctx, store.Change{ID: s.ID}, v, work)
	if err != nil || h.history.Trusted == nil {
		return result, err
	}
	t, last := *h.history.Trusted, h.history.Last()
	if t.Approval = result.Approval; last == nil {
		return result, nil
	}
	return result, run.Vouch(e.store, s.ID, last.Number, t, e.Now())
}

// createAll makes the specs of a ruling about a branch, in home: they are there before
// anything names them.
func (e *Engine) createAll(ctx context.Context, adds []store.Added) error {
	for _, add := range adds {
		_, err := e.store.Create(ctx, add.ID, add.Content)
		if _, there := errors.AsType[*store.ExistsError](err); err != nil && !there {
			return err
		}
	}
	return nil
}

// write makes the one commit of a ruling.
func (e *Engine) write(ctx context.Context, ch store.Change, v ruling, work string) (RulingResult, error) {
	result := RulingResult{Of: "spec"}
	if work != "" {
		result.Of = "work"
	}
	for _, add := range v.adds {
		result.Added = append(result.Added, add.ID)
	}
	ch.Word, ch.Why = v.word, v.reason
	ch.Edit = func(doc *markdown.Document) (*markdown.Document, error) {
		return e.worded(ch.ID, doc, v, work)
	}
	out, err := e.store.Transition(ctx, ch)
	if err != nil {
		return result, err
	}
	s := out.Spec
	result.ID, result.Title, result.Status, result.Commit, result.Approval = s.ID, s.Title, s.Status, out.Commit, s.Fields.Approval
	if now, err := e.store.Get(ctx, s.ID); err == nil { // else what was written is all there is to tell
		result.Status, result.Waits = now.Status, now.ApprovalBlock().String()
	}
	return result, nil
}

// worded puts a ruling into a document: the remark first, for what it leaves of the body
// is what the approval is about.
func (e *Engine) worded(id string, doc *markdown.Document, v ruling, work string) (*markdown.Document, error) {
	doc, err := v.shape(doc)
	if err != nil {
		return nil, err
	}
	s, err := e.store.Parse(id, doc.Path(), doc.Bytes())
	if err != nil {
		return nil, err
	}
	s.Under(v.about)
	a := v.decide(s, work)
	return spec.SetApproval(s.Doc, &a)
}

// stamp is a moment as approvals have it.
func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }
