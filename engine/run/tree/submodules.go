package tree

import (
	"context"
	"fmt"
	"path/filepath"

	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
)

// unsaved returns the failure of a worktree with submodules whose content would be lost with it, nil if there is none.
// Neither a commit nor a rescue ref of this repository can keep such content, and git would not find it in a folder
// that was set aside.
func (t *Trees) unsaved(ctx context.Context, tree string) (*journal.Failure, error) {
	subs, err := t.Repo.UnsavedSubmodules(ctx, tree)
	if err != nil || len(subs) == 0 {
		return nil, err
	}
	f := &journal.Failure{Kind: spec.ReasonStrayed}
	for _, sub := range subs {
		dir := filepath.Join(tree, filepath.FromSlash(sub.Path))
		what, step := "commits that none of its remotes has", next.Shell("git -C %q push origin HEAD:refs/heads/%s", dir, t.Job.Branch)
		if sub.Uncommitted {
			what, step = "uncommitted files", next.Shell("git -C %q status", dir)
		}
		if f.Next.IsZero() {
			f.Next = step
			f.Message = fmt.Sprintf("submodule %q has %s, which would be lost with the worktree (%q); push or discard them", sub.Path, what, tree)
		}
		f.Details = append(f.Details, fmt.Sprintf("submodule %s: %s", sub.Path, what))
	}
	return f, nil
}
