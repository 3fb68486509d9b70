package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/store/disk"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// RescueRefs is where the tips of removed branches are kept.
const RescueRefs = "refs/chant/rescue/"

// Spare begins the names of the worktrees that earlier versions have kept for later runs. Only cleanup uses them.
const Spare = ".spare-"

// CleanUp removes what a run no longer needs; also its branch, if it has landed.
func (t *Trees) CleanUp(ctx context.Context, landed bool) error {
	if t.Job.KeepTree {
		return t.Store.ClearCache(t.Job.ID)
	}
	if err := t.RemoveTree(ctx); err != nil {
		return err
	}
	if landed {
		if err := t.landedBranch(ctx); err != nil {
			return err
		}
	}
	return t.Store.ClearCache(t.Job.ID)
}

// landedBranch deletes the branch of a landed run, unless it is checked out somewhere.
func (t *Trees) landedBranch(ctx context.Context) error {
	_, foreign, err := t.FindTree(ctx)
	if err != nil {
		return err
	}
	if foreign != "" {
		t.Announce(journal.Clean, "warning", "left branch %s, which is checked out in %s", t.Job.Branch, foreign)
		return recordDrop(ctx, t, "", "")
	}
	return t.dropBranch(ctx, "")
}

// RemoveTree removes the run's worktree. Uncommitted changes are first committed beside the branch and kept by a rescue
// ref. A worktree that git cannot save is set aside instead, and one whose submodules would be lost stays.
func (t *Trees) RemoveTree(ctx context.Context) error {
	tree, _, err := t.openTree(ctx)
	if err != nil || tree == "" {
		return err
	}
	// Git would commit to the repository around it, or to one of the agent's.
	if !t.Whole(tree) {
		return t.setAsideTree(ctx, tree)
	}
	switch kept, err := keepWork(ctx, t, tree); {
	case unsavable(ctx, err):
		t.Announce(journal.Clean, "warning", "git cannot save what is in the worktree: %v", err)
		return t.setAsideTree(ctx, tree)
	case err != nil:
		return err
	case !kept:
		return t.setAsideTree(ctx, tree)
	}
	return t.Repo.RemoveWorktree(ctx, tree)
}

// keepWork saves what is uncommitted in a worktree. If not kept, only its files can be.
func keepWork(ctx context.Context, t *Trees, tree string) (kept bool, err error) {
	if stuck, err := t.unsavedSubmodules(ctx, tree); err != nil {
		return false, err
	} else if stuck != nil {
		return false, stuck
	}
	// Git records only a link to such a repository, without its content.
	if nested, err := t.nestedRepositories(ctx, tree); err != nil || len(nested) > 0 {
		return false, err
	}
	err = t.save(ctx, tree, "What was uncommitted when the worktree was removed.")
	// Its branch was deleted.
	if errors.Is(err, gitops.ErrUnborn) {
		return false, nil
	}
	return err == nil, err
}

// unsavable reports whether git has refused a worktree as it is: one with a broken index, of another owner, or with a
// file that is too large. Trying again does not help then, but it does if another process holds a lock.
func unsavable(ctx context.Context, err error) bool {
	if _, large := errors.AsType[*gitops.TooLargeError](err); large {
		return true
	}
	var refused *gitops.GitError
	// A lock or damage may be another process's, and then trying again helps, as after a stop.
	return ctx.Err() == nil && errors.As(err, &refused) && refused.ExitCode > 0 && !refused.Locked() && !refused.Damaged()
}

// nestedRepositories lists the repositories in a worktree whose content is nowhere else, including ignored ones.
func (t *Trees) nestedRepositories(ctx context.Context, tree string) ([]string, error) {
	var ignored []string
	var ignoredErr error
	asked := make(chan struct{})
	// Both walk the tree with a git of their own.
	go func() {
		defer close(asked)
		ignored, ignoredErr = t.Repo.IgnoredRepositories(ctx, tree)
	}()
	seen, err := t.Repo.NestedRepositories(ctx, tree)
	<-asked
	return append(seen, ignored...), errors.Join(err, ignoredErr)
}

// save keeps by a rescue ref the uncommitted changes of a worktree, or else the commit that it has checked out if no
// branch contains it.
func (t *Trees) save(ctx context.Context, tree, what string) error {
	left, err := t.Repo.Snapshot(ctx, tree, t.Message("rescue", what))
	// With changes, the snapshot's parent keeps the commit already.
	if err == nil && left == "" {
		left, err = t.unheldCommit(ctx, tree)
	}
	if err != nil || left == "" {
		return err
	}
	return t.rescue(ctx, left)
}

// rescue keeps a commit by a rescue ref and adds the ref to Rescued.
func (t *Trees) rescue(ctx context.Context, commit string) error {
	ref, err := Rescue(ctx, t.Repo, t.Job.ID, commit)
	if err == nil {
		t.Rescued = append(t.Rescued, ref)
		t.Announce(journal.Clean, "warning", "kept %s as %s", attempt.Short(commit), ref)
	}
	return err
}

// unheldCommit returns the commit that a worktree has checked out if no branch contains it.
func (t *Trees) unheldCommit(ctx context.Context, tree string) (string, error) {
	head, err := t.Repo.Head(ctx, tree)
	// On a branch, the branch keeps it.
	if err != nil || head.Branch != "" {
		return "", err
	}
	known, err := t.contains(ctx, head.Hash)
	if err != nil || known {
		return "", err
	}
	return head.Hash, nil
}

// contains reports whether the run's branch, or without it the target, contains a commit. A check outside of a run has
// neither: then it is what your checkout has checked out.
func (t *Trees) contains(ctx context.Context, commit string) (bool, error) {
	for _, branch := range []string{t.Job.Branch, t.Job.Target} {
		if branch == "" {
			continue
		}
		known, err := t.Repo.IsAncestor(ctx, commit, "refs/heads/"+branch)
		if !errors.Is(err, gitops.ErrNotFound) {
			return known, err
		}
	}
	head, err := t.Repo.Head(ctx, t.Repo.Home())
	if err != nil {
		return false, err
	}
	return t.Repo.IsAncestor(ctx, commit, head.Hash)
}

// dropBranch deletes the run's branch. A tip that the target does not contain, as after a squash, is kept by a rescue
// ref. why is the event for which the run is dropped, "" for its landing.
func (t *Trees) dropBranch(ctx context.Context, why string) error {
	ref := "refs/heads/" + t.Job.Branch
	tip, err := t.Repo.Resolve(ctx, ref)
	if errors.Is(err, gitops.ErrNotFound) {
		return t.closeDropped(ctx, why)
	}
	if err != nil {
		return err
	}
	merged, err := t.Repo.IsAncestor(ctx, tip, "refs/heads/"+t.Job.Target)
	if err != nil {
		return err
	}
	// Commits that only move the spec are not worth a ref: the journal has them.
	if !merged {
		work, err := t.AgentCommits(ctx, tip)
		if err == nil && len(work) > 0 {
			err = t.rescue(ctx, tip)
		}
		if err != nil {
			return err
		}
	}
	// Deleted only at the tip that was read and kept.
	if err := deleteBranch(ctx, t, tip); err != nil {
		return err
	}
	// After the branch is gone: a record without the deletion would hide a branch that is still there.
	return recordDrop(ctx, t, why, tip)
}

// deleteBranch deletes the run's branch, which is at tip, and nothing else under its name.
func deleteBranch(ctx context.Context, t *Trees, tip string) error {
	// An agent can rename branches, and a main_branch below chant/ would be deleted with its run.
	if t.Job.Branch == t.Job.Target {
		return fmt.Errorf("branch %q is the target of the run and stays", t.Job.Target)
	}
	return t.Repo.DeleteRef(ctx, "refs/heads/"+t.Job.Branch, tip)
}

// recordDrop records that the run has no branch any more, why, and where its tip was.
func recordDrop(ctx context.Context, t *Trees, why, tip string) error {
	what := journal.Dropped{Why: why, Tip: tip, Kept: t.Rescued}
	if why != "" {
		// The head only orders what is listed, so an error does not matter.
		if head, err := t.Repo.Head(ctx, t.Store.Home()); err == nil {
			what.Head = head.Hash
		}
	}
	return t.Journal.Record(journal.Drop, journal.Done, what)
}

// closeDropped closes a journal whose attempts have lost their branch.
func (t *Trees) closeDropped(ctx context.Context, why string) error {
	if t.Journal.History().Open() == nil && !t.Journal.History().AgentBegan() {
		return nil
	}
	return recordDrop(ctx, t, why, "")
}

// Drop ends a run without landing it, by an event that its journal names as the reason: a rescue ref keeps its work, and its worktree and branch are removed. Rescued
// then has what was kept. If the branch is checked out elsewhere, it stays, and so does everything else.
func (t *Trees) Drop(ctx context.Context, why string) error {
	_, foreign, err := t.FindTree(ctx)
	if err == nil {
		err = t.checkedOut(foreign)
	}
	if err == nil {
		// The worktree first: git does not delete a branch that is checked out.
		err = t.RemoveTree(ctx)
	}
	if err == nil {
		err = t.dropBranch(ctx, why)
	}
	if err != nil {
		return err
	}
	return t.Store.ClearCache(t.Job.ID)
}

// Rescue keeps a commit under refs/chant/rescue/<id>/<n> and returns the ref. No part of a ref begins with a dot.
func Rescue(ctx context.Context, repo *gitops.Repo, id, commit string) (string, error) {
	ref, _, err := RescueNew(ctx, repo, id, commit)
	return ref, err
}

// RescueNew is Rescue, and reports whether the ref is new.
func RescueNew(ctx context.Context, repo *gitops.Repo, id, commit string) (ref string, made bool, err error) {
	for n := 1; ; n++ {
		ref := fmt.Sprintf("%s%s/%d", RescueRefs, strings.TrimPrefix(id, "."), n)
		have, err := repo.Resolve(ctx, ref)
		switch {
		// A repeated rescue after a kill finds the ref that it has made.
		case err == nil && have == commit:
			return ref, false, nil
		case err == nil:
			continue
		case !errors.Is(err, gitops.ErrNotFound):
			return "", false, err
		}
		err = repo.UpdateRef(ctx, ref, commit, "", "chant: rescue "+id)
		// Another process has taken the number in between, so the next one is tried.
		if !errors.Is(err, gitops.ErrChanged) {
			return ref, err == nil, err
		}
	}
}

// handedOver is why a run is dropped whose branch was pushed for another machine.
const handedOver = "pushed"

// HandOver removes the worktree and the branch of a run whose branch is at this commit in a remote, from where another
// machine continues. Whatever else the worktree holds is kept by a rescue ref.
func HandOver(ctx context.Context, t *Trees, pushed string) error {
	_, foreign, err := t.FindTree(ctx)
	if err == nil {
		err = t.checkedOut(foreign)
	}
	if err == nil {
		err = t.RemoveTree(ctx)
	}
	if err != nil {
		return err
	}
	ref := "refs/heads/" + t.Job.Branch
	tip, err := t.Repo.Resolve(ctx, ref)
	if errors.Is(err, gitops.ErrNotFound) {
		return t.closeDropped(ctx, handedOver)
	}
	if err != nil {
		return err
	}
	// A commit that the remote lacks would exist nowhere else.
	if tip != pushed {
		return fmt.Errorf("branch %q is at %s, and the remote has %s: it stays", t.Job.Branch, tip, pushed)
	}
	if err := deleteBranch(ctx, t, tip); err != nil {
		return err
	}
	if err := recordDrop(ctx, t, handedOver, tip); err != nil {
		return err
	}
	return t.Store.ClearCache(t.Job.ID)
}

// setAsideTree renames a folder that git cannot save: one whose .git is missing, or that contains repositories of its own.
// Its registration is removed, its files stay.
func (t *Trees) setAsideTree(ctx context.Context, tree string) error {
	// Before the registration goes, which is all that keeps a detached commit.
	if err := t.rescueHead(ctx, tree); err != nil {
		return err
	}
	for n := 1; ; n++ {
		kept := fmt.Sprintf("%s.kept-%d", tree, n)
		if _, err := os.Lstat(kept); err == nil {
			continue
		}
		err := os.Rename(tree, kept)
		// A missing folder only has its registration removed.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			t.Rescued = append(t.Rescued, kept)
			t.Announce(journal.Clean, "warning", "kept the folder of the worktree as %s", kept)
			if err := detachGitFile(kept); err != nil {
				return err
			}
		}
		// Git removes its own registration only, since the folder has moved.
		return t.Repo.RemoveWorktree(ctx, tree)
	}
}

// detachGitFile makes the .git of a folder that was set aside lead nowhere. The next worktree of its name gets the
// registration that it names, and git, run in this folder, would take it for that worktree. Without the file, git would
// take it for home.
func detachGitFile(folder string) error {
	return rootdir.In(folder, func(root *os.Root) error {
		if info, err := root.Lstat(".git"); err != nil || !info.Mode().IsRegular() {
			// An agent has removed it, or made a repository there, which leads to itself.
			return nil //nolint:nilerr
		}
		return rootdir.Write(root, ".git", []byte("gitdir: nowhere, this folder was set aside\n"), 0o644)
	})
}

// rescueHead keeps the commit that a worktree without a branch has checked out: nothing else holds it once the
// registration is removed.
func (t *Trees) rescueHead(ctx context.Context, tree string) error {
	trees, err := t.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, one := range trees {
		if one.Branch != "" || one.Head == "" || !disk.SamePlace(one.Path, tree) {
			continue
		}
		known, err := t.contains(ctx, one.Head)
		if err != nil || known {
			return err
		}
		return t.rescue(ctx, one.Head)
	}
	return nil
}
