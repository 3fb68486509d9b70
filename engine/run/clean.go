package run

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/journal"
	"chant/gitops"
)

// RescueRefs is where the tips of branches live on that had to go.
const RescueRefs = "refs/chant/rescue/"

// clean removes what a landed run no longer needs.
func (r *Run) clean(ctx context.Context) error {
	if r.Job.KeepTree {
		return r.Store.ClearCache(r.Job.ID)
	}
	if err := r.removeTree(ctx); err != nil {
		return err
	}
	if r.Landed {
		if err := r.landedBranch(ctx); err != nil {
			return err
		}
	}
	return r.Store.ClearCache(r.Job.ID)
}

// landedBranch deletes the branch of a landed run, unless somebody reads it.
func (r *Run) landedBranch(ctx context.Context) error {
	_, foreign, err := r.findTree(ctx)
	if err != nil {
		return err
	}
	if foreign != "" {
		r.emit(journal.Clean, "warning", "left branch %s, which is checked out in %s", r.Job.Branch, foreign)
		return r.record(journal.Drop, journal.Done, nil)
	}
	return r.dropBranch(ctx)
}

// removeTree removes the run's worktree; what is uncommitted in it is committed
// beside the branch and kept by a rescue ref first. A tree that git cannot save
// is set aside instead, one whose submodules would be lost so stays.
func (r *Run) removeTree(ctx context.Context) error {
	tree, _, err := r.openTree(ctx)
	if err != nil || tree == "" {
		return err
	}
	if !r.whole(tree) {
		return r.setAside(ctx, tree)
	}
	if stuck, err := r.unsaved(ctx, tree); err != nil {
		return err
	} else if stuck != nil {
		return stuck
	}
	if nested, err := r.nested(ctx, tree); err != nil {
		return err
	} else if len(nested) > 0 {
		return r.setAside(ctx, tree)
	}
	err = r.save(ctx, tree, "What was uncommitted when the worktree was removed.")
	if errors.Is(err, gitops.ErrUnborn) { // its branch was deleted under it
		return r.setAside(ctx, tree)
	}
	if err != nil {
		return err
	}
	if r.setBy(ctx, tree) {
		return nil
	}
	return r.Repo.RemoveWorktree(ctx, tree, true)
}

// nested lists the repositories in a tree whose content nothing else keeps, ignored ones too.
func (r *Run) nested(ctx context.Context, tree string) ([]string, error) {
	seen, err := r.Repo.NestedRepositories(ctx, tree)
	if err != nil {
		return nil, err
	}
	ignored, err := r.Repo.IgnoredRepositories(ctx, tree)
	return append(seen, ignored...), err
}

// save keeps by a rescue ref what is uncommitted in a tree, or else what it has checked
// out that no branch holds.
func (r *Run) save(ctx context.Context, tree, what string) error {
	left, err := r.Repo.Snapshot(ctx, tree, r.message("rescue", what))
	if err == nil && left == "" {
		left, err = r.strayed(ctx, tree)
	}
	if err != nil || left == "" {
		return err
	}
	return r.rescue(ctx, left)
}

// rescue keeps a commit and remembers where.
func (r *Run) rescue(ctx context.Context, commit string) error {
	ref, err := Rescue(ctx, r.Repo, r.Job.ID, commit)
	if err == nil {
		r.Rescued = append(r.Rescued, ref)
		r.emit(journal.Clean, "warning", "kept %s as %s", short(commit), ref)
	}
	return err
}

// strayed is the commit a tree has checked out when no branch holds it.
func (r *Run) strayed(ctx context.Context, tree string) (string, error) {
	head, err := r.Repo.Head(ctx, tree)
	if err != nil || head.Branch != "" {
		return "", err
	}
	known, err := r.held(ctx, head.Hash)
	if err != nil || known {
		return "", err
	}
	return head.Hash, nil
}

// held reports whether the run's branch holds a commit or, without that branch, the
// target.
func (r *Run) held(ctx context.Context, commit string) (bool, error) {
	known, err := r.Repo.IsAncestor(ctx, commit, "refs/heads/"+r.Job.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		known, err = r.Repo.IsAncestor(ctx, commit, "refs/heads/"+r.Job.Target)
	}
	return known, err
}

// dropBranch deletes the run's branch. A tip that the target does not contain,
// as after a squash, is kept by a rescue ref.
func (r *Run) dropBranch(ctx context.Context) error {
	ref := "refs/heads/" + r.Job.Branch
	tip, err := r.Repo.Resolve(ctx, ref)
	if errors.Is(err, gitops.ErrNotFound) {
		return r.dropped()
	}
	if err != nil {
		return err
	}
	merged, err := r.Repo.IsAncestor(ctx, tip, "refs/heads/"+r.Job.Target)
	if err != nil {
		return err
	}
	work, err := r.agentCommits(ctx, tip)
	if err != nil {
		return err
	}
	if !merged && len(work) > 0 {
		if err := r.rescue(ctx, tip); err != nil {
			return err
		}
	}
	if err := r.Repo.DeleteRef(ctx, ref, tip); err != nil {
		return err
	}
	return r.record(journal.Drop, journal.Done, r.Rescued)
}

// dropped closes a journal that tells of attempts whose branch somebody has deleted.
func (r *Run) dropped() error {
	if r.History.Open() == nil && !r.History.AgentBegan() {
		return nil
	}
	return r.record(journal.Drop, journal.Done, r.Rescued)
}

// Drop ends a run without landing it: its work is kept by a rescue ref, its
// worktree and branch go. Rescued then says where what was kept is. A branch that
// somebody has checked out stays, and with it everything else.
func (r *Run) Drop(ctx context.Context) error {
	_, foreign, err := r.findTree(ctx)
	if err == nil {
		err = r.checkedOut(foreign)
	}
	if err == nil {
		err = r.removeTree(ctx)
	}
	if err == nil {
		err = r.dropBranch(ctx)
	}
	if err != nil {
		return err
	}
	return r.Store.ClearCache(r.Job.ID)
}

// Rescue keeps a commit under refs/chant/rescue/<id>/<n> and returns the ref.
func Rescue(ctx context.Context, repo *gitops.Repo, id, commit string) (string, error) {
	ref, _, err := keep(ctx, repo, id, commit)
	return ref, err
}

// keep is Rescue, and tells whether the ref is new.
func keep(ctx context.Context, repo *gitops.Repo, id, commit string) (ref string, made bool, err error) {
	for n := 1; ; n++ {
		ref := fmt.Sprintf("%s%s/%d", RescueRefs, id, n)
		have, err := repo.Resolve(ctx, ref)
		switch {
		case err == nil && have == commit:
			return ref, false, nil
		case err == nil:
			continue
		case !errors.Is(err, gitops.ErrNotFound):
			return "", false, err
		}
		err = repo.UpdateRef(ctx, ref, commit, "", "chant: rescue "+id)
		if !errors.Is(err, gitops.ErrChanged) {
			return ref, err == nil, err
		}
	}
}
