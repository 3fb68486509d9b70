package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
	src, err := r.Store.ReadTree(r.Store.Home(), store.SpecPath(r.Job.ID))
	if err != nil {
		return nil, err
	}
	s, err := spec.Parse(r.Job.ID, store.SpecPath(r.Job.ID), src)
	if err != nil {
		return nil, err
	}
	doc, err := s.Apply(spec.Start, markdown.Unset("reason"))
	if err != nil {
		return nil, err
	}
	start, err := r.Repo.CommitOn(ctx, r.Job.Base,
		[]gitops.File{{Path: store.SpecPath(r.Job.ID), Content: doc.Bytes()}},
		r.message(string(spec.Start), ""))
	if err != nil {
		return nil, err
	}
	if err := r.trust(Trusted{Commit: start}); err != nil {
		return nil, err
	}
	return start, r.Repo.UpdateRef(ctx, ref, start, "", "chant: start "+r.Job.ID)
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
		ID: r.Job.ID, Event: spec.Start, Attempt: r.Job.Attempt, Edits: []markdown.Edit{markdown.Unset("reason")},
	})
	return err
}

func (r *Run) startSilently(ctx context.Context, ref string) error {
	src, err := r.Store.ReadTree(r.Store.Home(), store.SpecPath(r.Job.ID))
	if err != nil {
		return err
	}
	if err := r.trust(Trusted{Text: string(src)}); err != nil {
		return err
	}
	if err := r.Repo.UpdateRef(ctx, ref, r.Job.Base, "", "chant: start "+r.Job.ID); err != nil {
		return err
	}
	return r.again(ctx)
}

func (r *Run) trust(t Trusted) error {
	r.History.Trusted = &t
	return r.record(Trust, Done, t)
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
		return r.trust(Trusted{Text: string(src)})
	}
	return r.trust(Trusted{Commit: target})
}

// trusted reads the spec whose criteria count.
func (r *Run) trusted(ctx context.Context) (*spec.Spec, error) {
	if err := r.trustSomething(ctx); err != nil {
		return nil, err
	}
	t := r.History.Trusted
	src := []byte(t.Text)
	if t.Commit != "" {
		var err error
		if src, err = r.Repo.ReadFile(ctx, t.Commit, store.SpecPath(r.Job.ID)); err != nil {
			return nil, err
		}
	}
	return spec.Parse(r.Job.ID, store.SpecPath(r.Job.ID), src)
}

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
