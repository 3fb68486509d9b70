package review

import (
	"context"
	"errors"
	"time"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/run/guard"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// RulingResult is what a spec's approval says after someone gave his word.
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
	// decide is the approval that follows for a spec as it is, and its work.
	decide func(s *spec.Spec, work string) spec.Approval
	// shape changes more than the approval; adds are made beside.
	shape func(*markdown.Document) (*markdown.Document, error)
	adds  []store.Added
	about *spec.Spec // as it was found, with home's copy where a branch speaks
}

// rule writes a ruling where the spec stands. What concerns a branch needs the run's
// lock; home's copy may change while an agent works, whose landing finds it.
func rule(ctx context.Context, p *engine.Project, id string, v ruling) (RulingResult, error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return RulingResult{}, err
	}
	if err := ruled(s, v.word); err != nil {
		return RulingResult{}, err
	}
	v.about = s
	if at := placeOf(s, v.word); !at.branch {
		return ruleAtHome(ctx, p, id, v)
	}
	return advice.WithHold(ctx, p, id, v.word, func(h *engine.Held) (RulingResult, error) { return ruleOnBranch(ctx, p, h, v) })
}

// ruleAtHome refuses a spec with uncommitted edits: someone's word is about what is
// committed, and its commit would take what a person has not staged yet.
func ruleAtHome(ctx context.Context, p *engine.Project, id string, v ruling) (RulingResult, error) {
	if edited, err := engine.Uncommitted(ctx, p, id); err != nil {
		return RulingResult{}, err
	} else if edited {
		return RulingResult{}, engine.Fail(engine.Conflict, engine.CommitStep(id), "spec %q has edits that are not committed; it would be unclear what you %s", id, v.word)
	}
	return write(ctx, p, store.Change{ID: id, AtHome: true, Adds: v.adds}, v, "")
}

func ruleOnBranch(ctx context.Context, p *engine.Project, h *engine.Held, v ruling) (RulingResult, error) {
	s, err := p.Store.Get(ctx, h.ID) // again: a run may have come to its end meanwhile
	if err != nil {
		return RulingResult{}, err
	}
	if err := ruled(s, v.word); err != nil {
		return RulingResult{}, err
	}
	v.about = s
	at := placeOf(s, v.word)
	if !at.branch {
		return ruleAtHome(ctx, p, h.ID, v)
	}
	work := ""
	if at.ofWork {
		target, err := run.TargetOf(ctx, p, s, h.History)
		if err != nil {
			return RulingResult{}, err
		}
		if work, err = guard.WorkOf(ctx, p.Repo, journal.Job{ID: s.ID, Branch: s.Branch, Target: target}); err != nil {
			return RulingResult{}, err
		}
	}
	if err := createAll(ctx, p, v.adds); err != nil {
		return RulingResult{}, err
	}
	result, err := write(ctx, p, store.Change{ID: s.ID}, v, work)
	if err != nil || h.History.Trusted == nil {
		return result, err
	}
	t, last := *h.History.Trusted, h.History.Last()
	if t.Approval = result.Approval; last == nil {
		return result, nil
	}
	return result, journal.Vouch(p.Store, s.ID, last.Number, t, p.Now())
}

// createAll makes the specs of a ruling about a branch, in home: they are there before
// anything names them.
func createAll(ctx context.Context, p *engine.Project, adds []store.Added) error {
	for _, add := range adds {
		_, err := p.Store.Create(ctx, add.ID, add.Content)
		if _, there := errors.AsType[*store.ExistsError](err); err != nil && !there {
			return err
		}
	}
	return nil
}

// write makes the one commit of a ruling.
func write(ctx context.Context, p *engine.Project, ch store.Change, v ruling, work string) (RulingResult, error) {
	result := RulingResult{Of: "spec"}
	if work != "" {
		result.Of = "work"
	}
	for _, add := range v.adds {
		result.Added = append(result.Added, add.ID)
	}
	ch.Word, ch.Why = v.word, v.reason
	ch.Edit = func(doc *markdown.Document) (*markdown.Document, error) {
		return worded(p, ch.ID, doc, v, work)
	}
	out, err := p.Store.Transition(ctx, ch)
	if err != nil {
		return result, err
	}
	s := out.Spec
	result.ID, result.Title, result.Status, result.Commit, result.Approval = s.ID, s.Title, s.Status, out.Commit, s.Fields.Approval
	if now, err := p.Store.Get(ctx, s.ID); err == nil { // else what was written is all there is to tell
		result.Status, result.Waits = now.Status, now.ApprovalBlock().String()
	}
	return result, nil
}

// worded puts a ruling into a document: the remark first, for what it leaves of the body
// is what the approval is about.
func worded(p *engine.Project, id string, doc *markdown.Document, v ruling, work string) (*markdown.Document, error) {
	doc, err := v.shape(doc)
	if err != nil {
		return nil, err
	}
	s, err := p.Store.Parse(id, doc.Path(), doc.Bytes())
	if err != nil {
		return nil, err
	}
	s.AddRulesOf(v.about)
	a := v.decide(s, work)
	return spec.SetApproval(s.Doc, &a)
}

// stamp is a moment as approvals have it.
func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }
