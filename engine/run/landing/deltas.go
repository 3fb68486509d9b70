package landing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/format/adopted"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// withDeltas returns the tree that lands for changes of OpenSpec that this landing completes: their deltas are applied to
// the living specs and their folders are in the archive, all or nothing. Without such changes it returns the merged tree
// as it is. Errors: *Failure of the kind ReasonConflict, with each delta that cannot be applied.
func (l *Lander) withDeltas(ctx context.Context, tree, side string, drivers []settledDriver) (string, error) {
	done := []string{l.Job.ID}
	for _, d := range drivers {
		if d.change.Event == spec.Complete {
			done = append(done, d.change.ID)
		}
	}
	for _, id := range done {
		next, err := l.applyDeltas(ctx, tree, side, id)
		if err != nil {
			return "", err
		}
		tree = next
	}
	return tree, nil
}

// applyDeltas is withDeltas for one spec.
func (l *Lander) applyDeltas(ctx context.Context, tree, side, id string) (string, error) {
	s, err := l.completing(ctx, side, id)
	if err != nil {
		return "", err
	}
	a := s.Adopted()
	if a == nil || a.Kind != adopted.OpenSpec || a.Moved || len(s.Fields.Part) > 0 {
		return tree, nil
	}
	files, err := l.Repo.FS(ctx, tree)
	if err != nil {
		return "", err
	}
	plan, err := adopted.Archive(files, a.Dir, l.Now())
	var rejected *adopted.RejectedError
	if errors.As(err, &rejected) {
		return "", &journal.Failure{
			Kind: spec.ReasonConflict, Details: rejected.Problems, Next: l.WayOut(),
			Message: fmt.Sprintf("the change %q cannot be applied to the specs on %q: %s", a.Dir, l.Job.Target, strings.Join(rejected.Problems, "; ")),
		}
	}
	if err != nil {
		return "", errors.Join(err, ctx.Err())
	}
	var out []gitops.File
	for _, f := range plan.Files {
		out = append(out, gitops.File{Path: f.Path, Content: f.Content, Executable: f.Executable})
	}
	l.Announce(journal.Land, "step", "applied the change %s: %s", a.Dir, strings.Join(plan.Done, ", "))
	for _, text := range plan.Warnings {
		l.Announce(journal.Land, "warning", "%s", text)
	}
	return l.Repo.WriteTree(ctx, tree, out)
}

// completing reads a spec that the landing completes, with the folder that it adopts as the branch has that.
func (l *Lander) completing(ctx context.Context, side, id string) (*spec.File, error) {
	if id == l.Job.ID {
		return l.OwnSpec(ctx)
	}
	if !l.Job.Silent {
		return l.Store.At(ctx, side, id)
	}
	s, err := l.Store.FromHome(id)
	if err != nil {
		return nil, err
	}
	return s, store.AdoptAt(ctx, l.Store, side, s)
}
