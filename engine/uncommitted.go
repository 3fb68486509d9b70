package engine

import (
	"context"
	"errors"
	"slices"

	"chant/engine/next"
	"chant/engine/store"
	"chant/gitops"
)

// Uncommitted reports whether home's copy of a spec holds edits that no commit has,
// staged or not. One that git does not know yet holds none: it is new as a whole.
func Uncommitted(ctx context.Context, p *Project, id string) (bool, error) {
	all, err := p.Repo.Status(ctx, Home(p), store.SpecPath(id))
	return slices.ContainsFunc(all, func(s gitops.StatusEntry) bool { return s.Path == store.SpecPath(id) && s.Code != "??" }), err
}

// CommitStep commits home's copy of a spec, without an editor.
func CommitStep(id string) next.Step {
	return next.Shell("git commit -m %q %s", "Edit "+id, store.SpecPath(id))
}

// AfterCommit is the next step, or the commit without which that is refused: approve is about what is
// committed.
func AfterCommit(ctx context.Context, p *Project, step next.Step) next.Step {
	if step.Op != next.Approve || len(step.Args) != 1 {
		return step
	}
	id := step.Args[0].Value
	if edited, err := Uncommitted(ctx, p, id); err == nil && edited {
		return CommitStep(id)
	}
	return step
}

// CommittedFirst is afterCommit for the next step of an error.
func CommittedFirst(ctx context.Context, p *Project, err error) error {
	if known, ok := errors.AsType[*Error](err); ok && err != nil {
		known.Next = AfterCommit(context.WithoutCancel(ctx), p, known.Next)
	}
	return err
}
