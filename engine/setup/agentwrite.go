package setup

import (
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/store"
	"chant/gitops"
)

// changesAgentFiles reports whether the plan writes anything.
func (i *initializer) changesAgentFiles() bool {
	return slices.ContainsFunc(i.edits, (*agentEdit).changes)
}

// writeAgents carries out the plan. In silent mode a file that is made is hidden
// first, so that git never sees it.
func (i *initializer) writeAgents(ctx context.Context) error {
	if len(i.edits) == 0 {
		return nil
	}
	s, err := store.Open(i.repo, "")
	if err != nil {
		return err
	}
	silent, err := i.silent(ctx)
	if err != nil {
		return err
	}
	for _, e := range i.edits {
		if !e.changes() {
			i.result.Left = append(i.result.Left, e.name)
			continue
		}
		if silent && e.have == nil {
			if err := i.hideFile(ctx, e.name); err != nil {
				return err
			}
		}
		if err := s.Write(ctx, i.repo.Home(), e.name, e.have, e.want); err != nil {
			return raced(err, e.name)
		}
		i.note(e, silent)
	}
	return nil
}

// raced says what a write that came too late means here.
func raced(err error, name string) error {
	var (
		changed *store.ChangedError
		made    *store.ExistsError
	)
	if errors.As(err, &changed) || errors.As(err, &made) {
		return engine.Fail(engine.Conflict, next.Shell("git status"), "%q changed while init was at work", name)
	}
	return err
}

// note books a file that was written. One that held a person's own changes is
// theirs to commit: the commit would take those along.
func (i *initializer) note(e *agentEdit, silent bool) {
	if e.have == nil {
		i.result.Made = append(i.result.Made, e.name)
	} else {
		i.result.Changed = append(i.result.Changed, e.name)
	}
	i.undo = append(i.undo, e)
	switch {
	case silent:
	case e.owned:
		i.result.Uncommitted = append(i.result.Uncommitted, e.name)
	default:
		i.files = append(i.files, gitops.File{Path: e.name, Content: e.want, Executable: e.executable})
	}
}

// silent reports whether git ignores the project, now or when init is done.
func (i *initializer) silent(ctx context.Context) (bool, error) {
	if i.in.Silent {
		return true, nil
	}
	ignored, err := i.repo.Ignored(ctx, store.ConfigPath)
	return ignored[store.ConfigPath], err
}

// hideFile makes git ignore one file by the repository's own exclude file.
func (i *initializer) hideFile(ctx context.Context, name string) error {
	const exclude = "info/exclude"
	ignored, err := i.repo.Ignored(ctx, name)
	if err != nil || ignored[name] {
		return err
	}
	if !slices.Contains(i.result.Changed, exclude) {
		i.result.Changed = append(i.result.Changed, exclude)
	}
	return i.repo.Exclude(ctx, i.repo.Home(), name)
}
