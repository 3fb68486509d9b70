package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine/store"
)

// treePath is where the run's worktree belongs.
func (r *Run) treePath(name string) (string, error) {
	if r.Settings.Dir == "" {
		return r.Store.Local(store.Worktrees, name)
	}
	return filepath.Join(r.Settings.Dir, name), nil
}

// findTree is the run's worktree: the one that has its branch, or stands where it
// belongs, on whatever branch an agent has left it. "" when there is none.
func (r *Run) findTree(ctx context.Context) (string, error) {
	trees, err := r.Repo.Worktrees(ctx)
	if err != nil {
		return "", err
	}
	want, err := r.treePath(r.Job.ID)
	if err != nil {
		return "", err
	}
	place := ""
	for _, t := range trees {
		switch {
		case t.Main:
		case t.Branch == r.Job.Branch:
			return t.Path, nil
		case samePath(t.Path, want):
			place = t.Path
		}
	}
	return place, nil
}

// worktree gives the run its tree: a new one, or that of an earlier attempt if
// an agent may have worked in it.
func (r *Run) worktree(ctx context.Context) (any, error) {
	want, err := r.treePath(r.Job.ID)
	if err != nil {
		return nil, err
	}
	have, err := r.findTree(ctx)
	if err != nil {
		return nil, err
	}
	if have != "" && samePath(have, want) && !r.History.AgentBegan() {
		if err := r.Repo.RemoveWorktree(ctx, have, true); err != nil { // half made by a process that was killed
			return nil, err
		}
		have = ""
	}
	if have == "" {
		if err := r.makeTree(ctx, want); err != nil {
			return nil, err
		}
		have = want
	}
	r.Tree = have
	if err := r.onBranch(ctx); err != nil {
		return nil, err
	}
	return have, r.leftovers(ctx)
}

// onBranch checks that the tree is on the run's branch.
func (r *Run) onBranch(ctx context.Context) error {
	head, err := r.Repo.Head(ctx, r.Tree)
	if err != nil || head.Branch == r.Job.Branch {
		return err
	}
	where := fmt.Sprintf("on %q", head.Branch)
	if head.Branch == "" {
		where = "on no branch, at " + short(head.Hash)
	}
	return &Failure{Kind: Strayed, Message: fmt.Sprintf("the run's worktree %q is %s, not on %q", r.Tree, where, r.Job.Branch)}
}

func (r *Run) makeTree(ctx context.Context, path string) error {
	if err := r.Repo.PruneWorktrees(ctx); err != nil {
		return err
	}
	if entries, err := os.ReadDir(path); err == nil && len(entries) > 0 {
		return &Failure{Kind: Occupied, Details: []string{path}, Message: fmt.Sprintf("folder %q stands where the run's worktree belongs, and git knows no worktree there", path)}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return r.Repo.AddWorktree(ctx, path, r.Job.Branch)
}

func samePath(a, b string) bool {
	x, errA := filepath.EvalSymlinks(a)
	y, errB := filepath.EvalSymlinks(b)
	if errA != nil || errB != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return x == y
}

// NeedTree finds the run's worktree, or makes one for its branch.
func (r *Run) NeedTree(ctx context.Context) error {
	tree, err := r.findTree(ctx)
	if err != nil {
		return err
	}
	if tree == "" {
		if tree, err = r.treePath(r.Job.ID); err != nil {
			return err
		}
		if err := r.makeTree(ctx, tree); err != nil {
			return err
		}
		if err := r.setup(ctx, tree); err != nil {
			return err
		}
	}
	r.Tree = tree
	return nil
}
