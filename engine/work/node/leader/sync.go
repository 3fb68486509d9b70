package leader

import (
	"context"
	"errors"
	"strings"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/gitops"
)

// sync makes the clone what the remote is: the target, the evidence, and no branch of a run. A lock that a killed
// process has left is removed.
func (l *Leader) sync(ctx context.Context) error {
	return l.Remote.Unlocking(ctx, func(message string) { l.warn(ctx, message) }, l.syncOnce)
}

func (l *Leader) syncOnce(ctx context.Context) error {
	if err := l.Remote.Fetch(ctx); err != nil {
		return err
	}
	tip, err := l.Remote.Tip(ctx)
	if err != nil {
		return err
	}
	if err := l.dropBranches(ctx); err != nil {
		return err
	}
	repo := l.P.Repo
	head, err := repo.Head(ctx, repo.Home())
	if err != nil {
		return err
	}
	if head.Hash != tip {
		if err := repo.ResetTo(ctx, tip); err != nil {
			return err
		}
	}
	return l.takeNotes(ctx)
}

// takeNotes makes the evidence here that of the remote.
func (l *Leader) takeNotes(ctx context.Context) error {
	there, err := l.Remote.Notes(ctx)
	if err != nil || there == "" {
		return err
	}
	here, err := l.P.Repo.Resolve(ctx, attempt.NotesRef)
	if errors.Is(err, gitops.ErrNotFound) {
		here, err = "", nil
	}
	if err != nil || here == there {
		return err
	}
	return l.P.Repo.UpdateRef(ctx, attempt.NotesRef, there, here, "chant: fetch evidence")
}

// dropBranches removes what an earlier round has left: the remote has the branches of runs.
func (l *Leader) dropBranches(ctx context.Context) error {
	prefix := l.P.Store.Branch("")
	left, err := l.P.Repo.Branches(ctx, prefix)
	if err != nil {
		return err
	}
	for _, b := range left {
		id := strings.TrimPrefix(b.Name, prefix)
		if err := l.dropBranch(ctx, id, b.Hash); err != nil {
			return err
		}
	}
	return nil
}

// dropBranch removes the branch of a run from the clone; what the remote does not have is kept by a rescue ref.
func (l *Leader) dropBranch(ctx context.Context, id, tip string) error {
	there, err := l.Remote.Branch(ctx, id)
	if err != nil {
		return err
	}
	_, err = advice.WithHold(ctx, l.P, id, "reset", func(h *engine.Held) (struct{}, error) {
		if there != tip {
			return struct{}{}, run.SetAside(ctx, l.P, h)
		}
		return struct{}{}, run.HandOver(ctx, l.P, h, tip)
	})
	return err
}
