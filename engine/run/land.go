package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/gitops/lockfile"
)

// tries bounds how often a landing begins anew because the target moved.
const tries = 5

// land brings branch and status to the target in one merge commit. One landing
// at a time per repository, in the order in which runs get here.
func (r *Run) land(ctx context.Context) (any, error) {
	line, err := r.Store.Local(store.Locks, "landing")
	if err != nil {
		return nil, err
	}
	place, err := lockfile.LineUp(ctx, line, "land "+r.Job.ID)
	if err != nil {
		return nil, err
	}
	for range tries {
		err = r.landOnce(ctx)
		if !errors.Is(err, gitops.ErrChanged) {
			break
		}
	}
	if errors.Is(err, gitops.ErrChanged) {
		err = &journal.Failure{Kind: spec.ReasonMoved, Message: fmt.Sprintf("%q kept moving while %q was landing", r.Job.Target, r.Job.ID)}
	}
	r.Landed = err == nil
	return r.Landing, errors.Join(err, place.Leave())
}

func (r *Run) landOnce(ctx context.Context) error {
	target, err := r.landsOn(ctx)
	if err != nil {
		return err
	}
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	if done, err := r.alreadyLanded(ctx, target, tip); err != nil || done {
		return err
	}
	if err := r.gate(ctx, target, tip); err != nil {
		return err
	}
	side, drivers, err := r.withDrivers(ctx, target, tip)
	if err != nil {
		return err
	}
	tree, err := r.mergedTree(ctx, target, side)
	if err != nil {
		return err
	}
	merge, err := r.Repo.CommitTree(ctx, tree, []string{target, side}, r.landingMessage())
	if err != nil {
		return err
	}
	if err := r.recheck(ctx, target, tip, merge); err != nil {
		return err
	}
	if err := r.note(ctx, merge); err != nil { // before the target moves: nothing lands without evidence
		return err
	}
	if err := r.noteDrivers(ctx, drivers); err != nil {
		return err
	}
	if err := r.record(journal.Land, journal.Note, merge); err != nil {
		return err
	}
	if err := r.advance(ctx, target, merge); err != nil {
		return err
	}
	if err := r.arrived(ctx, merge); err != nil {
		return err
	}
	r.Landing = merge
	return r.driversSilently(ctx, drivers)
}

// alreadyLanded sees a landing that a killed process had finished, or that a
// person made by hand, as a merge or squashed.
func (r *Run) alreadyLanded(ctx context.Context, target, tip string) (bool, error) {
	ok, err := r.Repo.IsAncestor(ctx, tip, target)
	if err != nil {
		return false, err
	}
	if ok {
		there, err := r.specAt(ctx, target)
		if err == nil && there.Status != spec.Completed && !r.Job.Silent {
			err = &journal.Failure{Kind: spec.ReasonWithdrawn, Next: "chant reset " + r.Job.ID, Message: fmt.Sprintf("%q was merged into %q and taken back there", r.Job.Branch, r.Job.Target)}
		}
		return true, err
	}
	m, err := r.mergeTree(ctx, target, tip)
	if err != nil || len(m.Conflicts) > 0 {
		return false, err
	}
	at, err := r.Repo.ReadCommit(ctx, target)
	return err == nil && at.Tree == m.Tree, err
}

// PutBack undoes what a process that was killed while it landed has left in a checkout of the
// target: files of a merge commit that the target never got to. The caller holds the run.
func (r *Run) PutBack(ctx context.Context) error {
	open := r.History.Open()
	if open == nil || open.Landing == "" {
		return nil
	}
	trees, err := r.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if t.Branch != r.Job.Target || t.Prunable {
			continue
		}
		if _, err := r.Repo.PutBack(ctx, t.Path, open.Landing); err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return err
		}
	}
	return nil
}

// HasLanded reports whether the target holds what chant has completed on the branch: the
// process that landed it was killed before it cleaned up, or a person has merged it.
func (r *Run) HasLanded(ctx context.Context) (bool, error) {
	target, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target)
	if errors.Is(err, gitops.ErrNotFound) || r.lastComplete() == "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return false, err
	}
	return r.alreadyLanded(ctx, target, tip)
}

func (r *Run) landingMessage() string {
	return store.Message{
		ID: r.Job.ID, Event: LandWord, Attempt: r.Job.Attempt,
		Subject: cmp.Or(strings.TrimSpace(r.Job.Title), r.Job.Branch),
	}.String()
}

// advance moves the target to the merge commit: with index and files where it
// is checked out, by its ref alone where it is not.
func (r *Run) advance(ctx context.Context, target, merge string) error {
	if where, found, err := r.Repo.Rebasing(r.Job.Target); err != nil {
		return err
	} else if found {
		return &journal.Failure{Kind: spec.ReasonInTheWay, Next: fmt.Sprintf("git -C %q status", where), Message: fmt.Sprintf("%q is completed on %q but could not land: %q is being rebased in %q", r.Job.ID, r.Job.Branch, r.Job.Target, where)}
	}
	trees, err := r.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	real, err := r.Repo.RealBranch(ctx, r.Job.Target)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if t.Branch != r.Job.Target && t.Branch != real || t.Prunable {
			continue
		}
		err := r.Repo.FastForward(ctx, t.Path, merge)
		var blocked *gitops.ConflictError
		if !errors.As(err, &blocked) {
			return err
		}
		if now, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target); err == nil && now != target {
			return gitops.ErrChanged
		}
		return &journal.Failure{
			Kind: spec.ReasonInTheWay, Details: blocked.Files, Next: clearTheWay(r.Job.ID, blocked.Files),
			Message: fmt.Sprintf("%q is completed on %q but could not land: %s", r.Job.ID, r.Job.Branch, blocked.Error()),
		}
	}
	return r.Repo.UpdateRef(ctx, "refs/heads/"+r.Job.Target, merge, target, "chant: land "+r.Job.ID)
}

// arrived checks that the target is at the merge commit, or already beyond it: only then
// the work has landed, whatever git reported, and only then its branch may go.
func (r *Run) arrived(ctx context.Context, merge string) error {
	now, err := r.landsOn(ctx)
	if err != nil || now == merge {
		return err
	}
	beyond, err := r.Repo.IsAncestor(ctx, merge, now)
	if err != nil || beyond {
		return err
	}
	return fmt.Errorf("%q is at %s instead of the merge commit %s: %w", r.Job.Target, short(now), short(merge), gitops.ErrChanged)
}

// clearTheWay is the command that leads on where a person's checkout keeps work from landing:
// files that are in the way are put aside, what is under way is for the person to end.
func clearTheWay(id string, files []string) string {
	if len(files) == 0 {
		return "git status"
	}
	return "git stash --include-untracked && chant merge " + id
}
