package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
)

// treePath is where a worktree of ours belongs.
func (r *Run) treePath(name string) (string, error) {
	if r.Settings.Dir == "" {
		return r.Store.Local(store.Worktrees, name)
	}
	return filepath.Join(r.Settings.Dir, name), nil
}

// findTree finds the run's worktree: the one that stands where it belongs, on
// whatever branch an agent has left it. "" when there is none. foreign is a tree
// of somebody else, home included, that has the run's branch checked out.
func (r *Run) findTree(ctx context.Context) (own, foreign string, err error) {
	trees, err := r.Repo.Worktrees(ctx)
	if err != nil {
		return "", "", err
	}
	want, err := r.treePath(r.Job.ID)
	if err != nil {
		return "", "", err
	}
	for _, one := range trees {
		switch {
		case !one.Main && samePath(one.Path, want):
			own = one.Path
		case one.Branch == r.Job.Branch:
			foreign = one.Path
		}
	}
	return own, foreign, nil
}

// checkedOut refuses what cannot be done while somebody else's tree has the
// run's branch.
func (r *Run) checkedOut(foreign string) error {
	if foreign == "" {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonCheckedOut, Next: fmt.Sprintf("git -C %q switch --detach", foreign),
		Message: fmt.Sprintf("branch %q is checked out in %q, which chant did not make", r.Job.Branch, foreign),
	}
}

// whole reports whether a registered tree still is one: it is not where its ".git" is
// gone, or an agent has put a repository of its own in its place.
func (r *Run) whole(tree string) bool {
	_, err := r.Repo.GitDir(tree)
	return err == nil
}

// worktree gives the run its tree: a new one, or that of an earlier attempt if
// an agent may have worked in it.
func (r *Run) worktree(ctx context.Context) (any, error) {
	if err := r.heal(ctx); err != nil {
		return nil, err
	}
	own, foreign, err := r.openTree(ctx)
	if err == nil {
		err = r.checkedOut(foreign)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case own != "" && !r.History.AgentBegan(): // half made by a process that was killed, or its journal is lost
		err, own = r.removeTree(ctx), ""
	case own != "" && !r.whole(own):
		err, own = r.setAside(ctx, own), ""
	}
	if err == nil {
		err = r.needTree(ctx, own, false)
	}
	if err == nil {
		err = r.onBranch(ctx)
	}
	if err != nil {
		return nil, err
	}
	if r.made { // nothing was left in it
		return r.Tree, nil
	}
	return r.Tree, r.leftovers(ctx)
}

// NeedTree finds the run's worktree, or makes one for its branch and sets it up.
func (r *Run) NeedTree(ctx context.Context) error {
	own, foreign, err := r.openTree(ctx)
	if err == nil {
		err = r.checkedOut(foreign)
	}
	if err == nil && own != "" && !r.whole(own) {
		err, own = r.setAside(ctx, own), ""
	}
	if err != nil {
		return err
	}
	return r.needTree(ctx, own, true)
}

// needTree takes the tree that is there or makes one.
func (r *Run) needTree(ctx context.Context, own string, setUp bool) error {
	if own != "" {
		r.Tree = own
		return r.takeBack(ctx)
	}
	path, err := r.treePath(r.Job.ID)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(path); err == nil && len(entries) > 0 {
		return &journal.Failure{
			Kind: spec.ReasonCheckedOut, Next: fmt.Sprintf("mv %q %q", path, path+".kept"),
			Message: fmt.Sprintf("folder %q stands where the run's worktree belongs, and git knows no worktree there", path),
		}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	took, err := r.takeSpare(ctx, path)
	if err == nil && !took {
		err = r.Repo.AddWorktree(ctx, path, r.Job.Branch)
	}
	if err != nil {
		return err
	}
	r.Tree, r.made = path, true
	if setUp {
		return r.withPorts(func() error { return r.setup(ctx, path) })
	}
	return nil
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
	return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the run's worktree %q is %s, not on %q", r.Tree, where, r.Job.Branch)}
}

func samePath(a, b string) bool {
	x, errA := filepath.EvalSymlinks(a)
	y, errB := filepath.EvalSymlinks(b)
	if errA != nil || errB != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return x == y
}
