package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// branch makes the run's branch with the start commit on the target's tip, or
// starts a further attempt on the branch that is there.
func (r *Run) branch(ctx context.Context) (any, error) {
	ref := "refs/heads/" + r.Job.Branch
	_, err := r.Repo.Resolve(ctx, ref)
	switch {
	case err == nil:
		return nil, r.again(ctx)
	case !errors.Is(err, gitops.ErrNotFound):
		return nil, err
	case r.Job.Silent:
		return nil, r.startSilently(ctx, ref)
	}
	doc, word, err := r.started(ctx)
	if err != nil {
		return nil, err
	}
	start, err := r.Repo.CommitOn(ctx, r.Job.Base,
		[]gitops.File{{Path: store.SpecPath(r.Job.ID), Content: doc.Bytes()}},
		r.message(string(word), ""))
	if err != nil {
		return nil, err
	}
	if err := r.trust(journal.Trusted{Commit: start}); err != nil {
		return nil, err
	}
	return start, r.Repo.UpdateRef(ctx, ref, start, "", "chant: start "+r.Job.ID)
}

// haveBranch makes the run's branch again where it was deleted while the agent worked: at
// the last commit that its worktree had checked out, else where the agent began. Without a
// branch nothing would show that there is a run. Who deleted it is not known.
func (r *Run) haveBranch(ctx context.Context, began string) error {
	ref := "refs/heads/" + r.Job.Branch
	_, err := r.Repo.Resolve(ctx, ref)
	if !errors.Is(err, gitops.ErrNotFound) || began == "" {
		return err
	}
	tip := began
	if last, err := r.Repo.LastHead(r.Tree); err == nil {
		if grown, err := r.Repo.IsAncestor(ctx, began, last); err == nil && grown {
			tip = last
		}
	}
	if err := r.Repo.UpdateRef(ctx, ref, tip, "", "chant: restore "+r.Job.ID); err != nil {
		return err
	}
	if head, err := r.Repo.Head(ctx, r.Tree); err == nil && head.Branch == "" && head.Hash == tip {
		if err := r.Repo.Attach(ctx, r.Tree, r.Job.Branch); err != nil {
			return err
		}
	}
	r.deleted = &journal.Failure{
		Kind: spec.ReasonStrayed, Next: "chant finalize " + r.Job.ID,
		Message: fmt.Sprintf("branch %q was deleted during the run; it was restored at %s, its last commit", r.Job.Branch, short(tip)),
	}
	r.emit(journal.Agent, "warning", "%s", r.deleted.Message)
	return nil
}

// started is the spec as the start commit has it: home's, under way, or for a replay
// what has landed on the target.
func (r *Run) started(ctx context.Context) (*markdown.Document, spec.Event, error) {
	path := store.SpecPath(r.Job.ID)
	if r.Job.Replay {
		src, err := r.Repo.ReadFile(ctx, r.Job.Base, path)
		if err != nil {
			return nil, "", err
		}
		s, err := spec.Parse(r.Job.ID, path, src)
		if err != nil {
			return nil, "", err
		}
		ev, _ := s.Again()
		doc, err := s.Replayed(r.Now().UTC().Format(time.RFC3339))
		if err == nil && r.Job.Onto != "" {
			doc, err = doc.Apply(markdown.Set("onto", r.Job.Onto))
		}
		return doc, ev, err
	}
	src, err := r.Store.ReadTree(r.Store.Home(), path)
	if err != nil {
		return nil, "", err
	}
	s, err := spec.Parse(r.Job.ID, path, src)
	if err != nil {
		return nil, "", err
	}
	edits := spec.ClearReason()
	if r.Job.Onto != "" {
		edits = append(edits, markdown.Set("onto", r.Job.Onto))
	}
	doc, err := s.Apply(spec.Start, edits...)
	return doc, spec.Start, err
}

// again starts an attempt on the branch of an earlier one.
func (r *Run) again(ctx context.Context) error {
	s, err := r.Store.Get(ctx, r.Job.ID)
	if err != nil {
		return err
	}
	if err := r.trustSomething(ctx); err != nil {
		return err
	}
	if s.Status == spec.InProgress {
		return nil // the process that started it was killed
	}
	_, err = r.Store.Transition(ctx, store.Change{
		ID: r.Job.ID, Event: spec.Start, Attempt: r.Job.Attempt, Edits: spec.ClearReason(),
	})
	return err
}

func (r *Run) startSilently(ctx context.Context, ref string) error {
	src, err := r.Store.ReadTree(r.Store.Home(), store.SpecPath(r.Job.ID))
	if err != nil {
		return err
	}
	if err := r.trust(journal.Trusted{Text: string(src)}); err != nil {
		return err
	}
	if err := r.Repo.UpdateRef(ctx, ref, r.Job.Base, "", "chant: start "+r.Job.ID); err != nil {
		return err
	}
	return r.again(ctx)
}

func (r *Run) trust(t journal.Trusted) error {
	r.History.Trusted = &t
	return r.record(journal.Trust, journal.Done, t)
}

// trustSomething finds criteria to believe for a branch that came without its
// journal, say from another machine: those the target has.
func (r *Run) trustSomething(ctx context.Context) error {
	if r.History.Trusted != nil {
		return nil
	}
	target, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target)
	if err != nil {
		return err
	}
	if _, err := r.Repo.ReadFile(ctx, target, store.SpecPath(r.Job.ID)); errors.Is(err, gitops.ErrNotFound) {
		src, err := r.Store.ReadTree(r.Store.Home(), store.SpecPath(r.Job.ID))
		if err != nil {
			return fmt.Errorf("neither %q nor home has the spec %q, so nothing says what its branch has to fulfil: %w", r.Job.Target, r.Job.ID, err)
		}
		return r.trust(journal.Trusted{Text: string(src)})
	}
	return r.trust(journal.Trusted{Commit: target, OfTarget: true})
}

// trusted reads the spec whose criteria count.
func (r *Run) trusted(ctx context.Context) (*spec.Spec, error) {
	if err := r.trustSomething(ctx); err != nil {
		return nil, err
	}
	t := r.History.Trusted
	src := []byte(t.Text)
	if t.Text == "" {
		var err error
		if src, err = r.Repo.ReadFile(ctx, t.Commit, store.SpecPath(r.Job.ID)); err != nil {
			return nil, err
		}
	}
	return r.Store.Parse(r.Job.ID, store.SpecPath(r.Job.ID), src)
}
