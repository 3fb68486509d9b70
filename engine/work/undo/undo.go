package undo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
)

// ListInput says which decisions to list.
type ListInput struct {
	ID    string `json:"id,omitempty"`    // only those about this spec
	Limit int    `json:"limit,omitempty"` // 0 for 10
}

// ListResult lists decisions that were not undone, newest first.
type ListResult struct {
	Decisions []Decision `json:"decisions"`
	engine.Page
}

// List lists the last decisions, and says of each whether it can be undone now. It changes nothing. Errors: NotFound;
// State where git ignores .chant.
func List(ctx context.Context, p *engine.Project, in ListInput) (ListResult, error) {
	id, err := resolveID(ctx, p, in.ID)
	if err != nil {
		return ListResult{}, engine.Wrap(err, in.ID)
	}
	limit := in.Limit
	if limit <= 0 {
		limit = 10
	}
	all, err := findDecisions(ctx, p, id, min(limit, maxShown))
	if err != nil {
		return ListResult{}, engine.Wrap(err, id)
	}
	for i := range all {
		if _, err := judge(ctx, p, &all[i]); err != nil {
			return ListResult{}, engine.Wrap(err, all[i].ID)
		}
	}
	if all == nil {
		all = []Decision{}
	}
	return ListResult{all, engine.Whole(len(all))}, nil
}

// resolveID resolves the id of a spec, which may be archived or deleted; "" for all specs.
func resolveID(ctx context.Context, p *engine.Project, text string) (string, error) {
	if tracked, err := p.Store.Tracked(ctx); err != nil || !tracked {
		if err == nil {
			err = engine.Fail(engine.State, next.Guide.On("undo"), "git ignores .chant here, so decisions leave no commits that could be undone")
		}
		return "", err
	}
	if text == "" {
		return "", nil
	}
	s, err := engine.FindAny(ctx, p, text)
	if _, missing := errors.AsType[*spec.NotFoundError](err); missing && spec.ValidName(text) == nil {
		// It is the complete id of a spec that was deleted.
		return text, nil
	}
	if err != nil {
		return "", err
	}
	return s.ID, nil
}

// UndoInput says what to undo.
type UndoInput struct {
	ID       string `json:"id,omitempty"`       // the last decision about this spec; "" for the last one about any
	Expected string `json:"expected,omitempty"` // Key of the decision that a person has seen, "" for any
}

// UndoResult is what was undone.
type UndoResult struct {
	Decision
	Undo   string      `json:"undo_commit,omitempty"`
	Status spec.Status `json:"status,omitempty"`   // of the spec now, "" if it is gone
	Landed bool        `json:"landed"`             // only of a completed spec
	Made   string      `json:"restored,omitempty"` // the branch that was made again
	Rescue []string    `json:"rescue,omitempty"`   // refs with what was not committed in the worktree
}

// Key names a decision, so that the one that a person has seen is undone, and no other.
func (d Decision) Key() string {
	if d.Commit != "" {
		return d.Commit
	}
	return d.Event + " " + d.ID + " " + d.At.UTC().Format("20060102150405.000000000")
}

// Undo takes the last decision back that was not undone before. Errors: NotFound if there is none; State if it cannot
// be undone, with the reason; Conflict if something is in the way or another decision was made meanwhile; State inside
// a run.
func Undo(ctx context.Context, p *engine.Project, in UndoInput) (UndoResult, error) {
	if err := engine.MayInside(p, "undo", ""); err != nil {
		return UndoResult{}, engine.Wrap(err, in.ID)
	}
	before, err := Last(ctx, p, in.ID)
	if err != nil {
		return UndoResult{}, err
	}
	// An undo may have been killed before its commit.
	if err := store.FinishKilled(ctx, p.Store); err != nil {
		return UndoResult{}, engine.Wrap(err, before.ID)
	}
	d, err := Last(ctx, p, in.ID)
	// Finishing that commit was this undo, and undoing again would take back one decision more.
	if before.Commit != "" && (err != nil || d.Key() != before.Key()) {
		head, headErr := p.Repo.Head(ctx, engine.Home(p))
		if headErr == nil && undoes(ctx, p, head.Hash, before.Commit) {
			return UndoResult{Decision: before, Undo: head.Hash}, nil
		}
	}
	if err != nil {
		return UndoResult{}, err
	}
	// The person has confirmed another decision than the one that is last now.
	if in.Expected != "" && d.Key() != in.Expected {
		return UndoResult{}, engine.Fail(engine.Conflict, next.Undo.On().Flag("list"), "the last decision is now another one: %s", d.Name())
	}
	if !d.Undoable {
		return UndoResult{}, engine.Fail(engine.State, d.Next.Command, "cannot undo %s: %s", d.Name(), d.Why)
	}
	r, err := undoHeld(ctx, p, d)
	return engine.Done(r, err, d.ID)
}

// undoes reports whether a commit takes another one back.
func undoes(ctx context.Context, p *engine.Project, commit, other string) bool {
	c, err := p.Repo.ReadCommit(ctx, commit)
	return err == nil && slices.Contains(message.Lines(c, message.UndoesTrailer), other)
}

// Last returns the decision that Undo takes back. Error: NotFound if there is none.
func Last(ctx context.Context, p *engine.Project, id string) (Decision, error) {
	all, err := List(ctx, p, ListInput{ID: id, Limit: 1})
	if err != nil {
		return Decision{}, err
	}
	if len(all.Decisions) == 0 {
		return Decision{}, engine.Fail(engine.NotFound, next.Activity.On(), "there is no decision to undo")
	}
	return all.Decisions[0], nil
}

// step is how a decision is taken back; act changes something.
type step struct {
	act func(ctx context.Context, p *engine.Project, held *engine.Held, r *UndoResult) error
}

// judge decides whether a decision can be undone, and how.
func judge(ctx context.Context, p *engine.Project, d *Decision) (step, error) {
	var s step
	var err error
	switch d.place {
	case atHome:
		s, err = judgeFiles(ctx, p, d)
	case onBranch:
		s, err = judgeBranch(ctx, p, d)
	case landed:
		s, err = judgeLanding(ctx, p, d)
	case dropped:
		s, err = judgeDrop(ctx, p, d)
	}
	if refused, ok := errors.AsType[*refusal](err); ok {
		d.Why, d.Next, err = refused.why, refused.next.Because("%s", refused.why), nil
		return step{}, err
	}
	d.Undoable = err == nil
	return s, err
}

// refusal is why a decision cannot be undone.
type refusal struct {
	why  string
	next next.Step
}

// Error returns the reason.
func (r *refusal) Error() string { return r.why }

func refuse(step next.Step, format string, args ...any) error {
	return &refusal{fmt.Sprintf(format, args...), step}
}

// undoHeld undoes a decision under the locks of its specs. It is judged again there.
func undoHeld(ctx context.Context, p *engine.Project, d Decision) (r UndoResult, err error) {
	// In one order for all, or two undos with the same specs could wait for each other.
	ids := slices.Sorted(slices.Values(d.IDs))
	var first *engine.Held
	for _, id := range ids {
		h, holdErr := engine.Hold(ctx, p, id, "undo")
		if holdErr != nil {
			return r, holdErr
		}
		defer func() { err = errors.Join(err, h.Release()) }()
		if id == d.ID {
			first = h
		}
	}
	d.Undoable, d.Does, d.Why = false, nil, ""
	// Judged again under the locks, since anything may have changed before.
	s, err := judge(ctx, p, &d)
	if err != nil {
		return r, err
	}
	if !d.Undoable {
		return r, engine.Fail(engine.State, d.Next.Command, "cannot undo %s: %s", d.Name(), d.Why)
	}
	r.Decision = d
	if err := s.act(ctx, p, first, &r); err != nil {
		return r, err
	}
	// Without it, the spec is gone.
	if now, err := p.Store.Get(ctx, d.ID); err == nil {
		r.Status, r.Landed = now.Status, now.Status == spec.Completed && (now.Branch == "" || now.Landed)
	}
	return r, nil
}

// resolveOrNone resolves a ref, "" if it does not exist.
func resolveOrNone(ctx context.Context, p *engine.Project, ref string) (string, error) {
	hash, err := p.Repo.Resolve(ctx, ref)
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	return hash, err
}
