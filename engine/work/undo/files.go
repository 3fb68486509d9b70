package undo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
)

// judgeFiles judges a decision whose commit changes files below .chant: they must be in home as it has left them.
func judgeFiles(ctx context.Context, p *engine.Project, d *Decision) (step, error) {
	back, others, err := store.FilesOf(ctx, p.Store, d.parent, d.Commit)
	if err != nil {
		return step{}, err
	}
	byHand := next.Shell("git revert %s", short(d.Commit))
	switch {
	case others:
		return step{}, refuse(byHand, "its commit %s changes files outside of .chant too", short(d.Commit))
	case len(back) == 0:
		return step{}, refuse(next.Activity.On(), "its commit %s changes no file", short(d.Commit))
	}
	for _, w := range back {
		// What was changed since may depend on the decision.
		if err := checkUnchanged(ctx, p, d, w, byHand); err != nil {
			return step{}, err
		}
	}
	if err := checkUnneeded(ctx, p, d, back); err != nil {
		return step{}, err
	}
	for _, w := range back {
		d.Does = append(d.Does, describeWrite(w))
	}
	var branch step
	if d.run != nil {
		if branch, err = judgeDrop(ctx, p, d); err != nil {
			return step{}, err
		}
	}
	return step{func(ctx context.Context, p *engine.Project, held *engine.Held, r *UndoResult) error {
		if branch.act != nil {
			if err := branch.act(ctx, p, held, r); err != nil {
				return err
			}
		}
		// A killed process may have left files written and not committed, which would end up in this commit.
		if err := store.FinishKilled(ctx, p.Store); err != nil {
			return err
		}
		commit, err := store.Revert(ctx, p.Store, back, undoMessage(d))
		r.Undo = commit
		return err
	}}, nil
}

// describeWrite describes what happens to a file.
func describeWrite(w store.Write) string {
	switch {
	case w.Next == nil:
		return "removes " + w.Path
	case w.Old == nil:
		return "brings " + w.Path + " back"
	}
	return "restores " + w.Path + " as it was before"
}

// checkUnchanged checks that a file is in home, and in the commit that is checked out there, as the decision has left it.
func checkUnchanged(ctx context.Context, p *engine.Project, d *Decision, w store.Write, byHand next.Step) error {
	head, err := p.Repo.Head(ctx, engine.Home(p))
	if err != nil {
		return err
	}
	committed, err := p.Repo.ReadFile(ctx, head.Hash, w.Path)
	if errors.Is(err, gitops.ErrNotFound) {
		committed, err = nil, nil
	}
	if err != nil {
		return err
	}
	have, err := p.Store.ReadTree(engine.Home(p), w.Path)
	if errors.Is(err, fs.ErrNotExist) {
		have, err = nil, nil
	}
	if err != nil {
		return err
	}
	switch {
	case !sameFile(committed, w.Old):
		return refuse(byHand, "%s was changed since, by %s", w.Path, changedBy(ctx, p, head.Hash, w.Path))
	case !sameFile(have, w.Old):
		id, isSpec := store.SpecOf(w.Path)
		if isSpec {
			return refuse(engine.CommitStep(id), "%s has edits that are not committed", w.Path)
		}
		return refuse(next.Shell("git status"), "%s has edits that are not committed", w.Path)
	}
	return nil
}

// sameFile reports whether two files are equal; nil is a file that does not exist.
func sameFile(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// changedBy names the last commit that has changed a file.
func changedBy(ctx context.Context, p *engine.Project, tip, path string) string {
	commits, err := p.Repo.Touching(ctx, tip, path)
	if err != nil || len(commits) == 0 {
		return "another commit"
	}
	return fmt.Sprintf("%s (%s)", short(commits[0].Hash), spec.Echo(commits[0].Subject))
}

// checkUnneeded refuses to remove specs that have a run or that others need.
func checkUnneeded(ctx context.Context, p *engine.Project, d *Decision, back []store.Write) error {
	for _, w := range back {
		id, isSpec := store.SpecOf(w.Path)
		if !isSpec || w.Next != nil {
			continue
		}
		has, err := p.Store.HasBranch(ctx, id)
		if err != nil {
			return err
		}
		if has {
			return refuse(next.Reset.On(id), "spec %q has been worked since, on branch %q", id, p.Store.Branch(id))
		}
		needed, err := neededBy(ctx, p, id, d.IDs)
		if err != nil {
			return err
		}
		if needed != "" {
			return refuse(next.Deps.On(needed), "spec %q needs %q", needed, id)
		}
	}
	return nil
}

// neededBy returns a spec that depends on another one, other than these; "" for none.
func neededBy(ctx context.Context, p *engine.Project, id string, except []string) (string, error) {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range set.Specs {
		for _, dep := range s.Fields.DependsOn {
			if dep == id && !slices.Contains(except, s.ID) {
				return s.ID, nil
			}
		}
	}
	return "", nil
}

// undoMessage is the message of the commit that takes a decision back.
func undoMessage(d *Decision) string {
	var records []message.Record
	for _, id := range d.IDs {
		records = append(records, message.Record{ID: id, Event: attempt.UndoWord})
	}
	text := message.Join("undo "+d.Event, records)
	head, rest, _ := strings.Cut(text, "\n\n")
	if len(d.IDs) == 1 {
		head += " " + d.Event
	}
	return head + "\n\n" + strings.TrimRight(rest, "\n") + "\n" + message.UndoesTrailer + ": " + d.Commit + "\n"
}

func short(commit string) string { return attempt.Short(commit) }
