package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/format/agentfile"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
)

// changesAgentFiles reports whether the plan writes anything.
func (i *initializer) changesAgentFiles() bool {
	return slices.ContainsFunc(i.edits, (*agentEdit).changes)
}

// writeAgents makes the planned edits. In silent mode a new file is hidden from git before it is written.
func (i *initializer) writeAgents(ctx context.Context) error {
	if len(i.edits) == 0 {
		return nil
	}
	s, err := store.Open(i.repo, "")
	if err != nil {
		return err
	}
	silent, err := i.isSilent(ctx)
	if err != nil {
		return err
	}
	for _, e := range i.edits {
		if !e.changes() {
			i.result.Left = append(i.result.Left, e.name)
			continue
		}
		// Hidden before it is written: git must never show it.
		if silent && e.have == nil {
			if err := i.hideFile(ctx, e.name); err != nil {
				return err
			}
		}
		// With the content that was planned from, so that a change of a person meanwhile is kept.
		if err := s.Write(ctx, i.repo.Home(), e.name, e.have, e.want); err != nil {
			return conflictIfRaced(err, e.name)
		}
		i.recordWritten(e, silent)
	}
	return nil
}

// conflictIfRaced converts the error of a file that changed in the meantime.
func conflictIfRaced(err error, name string) error {
	var (
		changed *store.ChangedError
		made    *store.ExistsError
	)
	if errors.As(err, &changed) || errors.As(err, &made) {
		return engine.Fail(engine.Conflict, next.Shell("git status"), "%q changed while init was at work", name)
	}
	return err
}

// recordWritten records a written file in the result. A file with uncommitted changes of a person is not committed,
// because the commit would include these changes.
func (i *initializer) recordWritten(e *agentEdit, silent bool) {
	if e.have == nil {
		i.result.Made = append(i.result.Made, e.name)
	} else {
		i.result.Changed = append(i.result.Changed, e.name)
	}
	// Even if it is not committed, it must be undone after an error.
	i.undo = append(i.undo, e)
	switch {
	case silent:
	case e.owned:
		i.result.Uncommitted = append(i.result.Uncommitted, e.name)
	default:
		i.files = append(i.files, gitops.File{Path: e.name, Content: e.want, Executable: e.executable})
	}
}

// isSilent reports whether git ignores .chant, now or after init.
func (i *initializer) isSilent(ctx context.Context) (bool, error) {
	if i.in.Silent {
		return true, nil
	}
	// An existing project may have chosen silent mode before.
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

// planWarnings adds the warnings about an agent's planned config.
func (i *initializer) planWarnings(a agentfile.Agent, config string) error {
	edit, err := i.editOf(config)
	if err != nil {
		return err
	}
	if a.Trusts != "" && edit.changes() {
		i.warnings = append(i.warnings, fmt.Sprintf("%s: %q lets %s call chant's tools without asking", config, a.Trusts, a.Name))
	}
	if a.Strict && !agentfile.PlainJSON(config, edit.want) {
		i.warnings = append(i.warnings, fmt.Sprintf("%s: %s refuses comments and trailing commas", config, a.Name))
	}
	return nil
}

// reportWarnings reports the warnings, after the files were written.
func (i *initializer) reportWarnings() {
	if i.Progress == nil {
		return
	}
	for _, text := range i.warnings {
		i.Progress(engine.Event{Kind: "warning", Text: text})
	}
}
