package edits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine/evidence/journal"

	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/versions"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
)

// NoteEdit records that a person has edited the spec of a run by a commit on its branch.
func NoteEdit(st *store.Store, id string, commit string, now time.Time) error {
	raw, err := json.Marshal(commit)
	if err != nil {
		return err
	}
	return journal.Append(st, id, journal.Record{Time: now.UTC(), Step: journal.Edited, State: journal.Done, Data: raw})
}

// change is one edit of the spec: its text before and after.
type change struct{ before, after []byte }

// CarryEdits applies what a person has edited in the run's copy of the spec to home's copy, whose text it takes and
// returns. The run is about to be dropped. An edit that conflicts there is kept by a rescue ref, which lost names.
func (e *Edits) CarryEdits(ctx context.Context, home []byte) (text []byte, lost string, err error) {
	if e.Job.Silent {
		// Home's copy is the only one.
		return home, "", nil
	}
	edits, err := e.personEdits(ctx)
	if err != nil {
		return nil, "", err
	}
	path := store.SpecPath(e.Job.ID)
	var clashes []string
	for _, e := range edits {
		merged, conflicts, err := versions.CarryEdit(path, home, e.before, e.after)
		// A copy that cannot be read conflicts as a whole, and the other edits still apply.
		if err != nil {
			conflicts = []string{"a copy that cannot be read"}
		} else {
			home = merged
		}
		clashes = append(clashes, conflicts...)
	}
	slices.Sort(clashes)
	if clashes = slices.Compact(clashes); len(clashes) > 0 {
		// The branch is about to be deleted, and with it the only copy of the edit.
		lost, err = e.keepEdit(ctx, edits[len(edits)-1].after, clashes)
	} else if e.strayed != nil {
		lost = e.strayed.Describe(e.Job.Branch) + "; what it changes in the spec is not taken for your edit"
	}
	return home, lost, err
}

// keepEdit keeps an edited spec that conflicts with home's copy by a rescue ref.
func (e *Edits) keepEdit(ctx context.Context, text []byte, clashes []string) (string, error) {
	path := store.SpecPath(e.Job.ID)
	commit, err := e.Repo.CommitOn(ctx, "refs/heads/"+e.Job.Branch, []gitops.File{{Path: path, Content: text}}, e.Message("rescue", "The spec as it was edited."))
	if err != nil {
		return "", err
	}
	ref, err := tree.Rescue(ctx, e.Repo, e.Job.ID, commit)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("your edit of the spec conflicts with the file in your checkout (%s); see it with: git show %s:%s", strings.Join(clashes, ", "), ref, path), nil
}

// personEdits returns what a person has changed in the run's copy of the spec, oldest first: by commands, which the journal
// names, and by hand while no attempt was open.
func (e *Edits) personEdits(ctx context.Context) ([]change, error) {
	tip, err := e.Repo.Resolve(ctx, "refs/heads/"+e.Job.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []change
	for _, commit := range e.Journal.History().Edits {
		at, err := e.Repo.ReadCommit(ctx, commit)
		if err == nil && len(at.Parents) == 1 {
			out, err = e.addChange(ctx, out, at.Parents[0], commit)
		}
		// A commit that git has removed takes its edit with it.
		if err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return nil, err
		}
	}
	for i, a := range e.Journal.History().Attempts {
		if a.Gone || a.Tip == "" {
			continue
		}
		last := i == len(e.Journal.History().Attempts)-1
		if out, err = e.addHandEdits(ctx, out, a, tip, last); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// addHandEdits adds what was changed between the end of an attempt and the start of the next one, or until now after the last
// one.
func (e *Edits) addHandEdits(ctx context.Context, out []change, a *journal.Attempt, tip string, last bool) ([]change, error) {
	on, err := e.Repo.IsAncestor(ctx, a.Tip, tip)
	if errors.Is(err, gitops.ErrNotFound) || err == nil && !on {
		// The branch was rewritten, so whose change it is cannot be found out.
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	end, begun, err := e.nextStart(ctx, a.Tip, tip)
	if err != nil || !last && begun == "" {
		return out, err
	}
	stray, err := tree.StrayBetween(ctx, e.Attempt, a.Tip, end)
	if err != nil {
		return out, err
	}
	// The agent of another run may have made it.
	if stray != nil {
		e.strayed = stray
		if !last {
			return out, nil
		}
		// The worktree may still have an edit by hand on top of what was known.
		tip = a.Tip
	}
	from := a.Tip
	// Each of these brought an edit from home, which has it already: only what lies between is new.
	for _, commit := range a.Carried {
		at, err := e.Repo.ReadCommit(ctx, commit)
		if errors.Is(err, gitops.ErrNotFound) || err == nil && len(at.Parents) != 1 {
			continue
		}
		if err == nil {
			out, err = e.addChange(ctx, out, from, at.Parents[0])
		}
		if err != nil {
			return nil, err
		}
		from = commit
	}
	if last {
		return e.addTree(ctx, out, from, tip)
	}
	return e.addChange(ctx, out, from, begun)
}

// nextStart finds the start commit of the attempt that followed on a commit of the branch, and the commit before it;
// end is tip and begun is "" if there is none.
func (e *Edits) nextStart(ctx context.Context, since, tip string) (end, begun string, err error) {
	commits, err := e.Repo.Log(ctx, since, tip)
	if err != nil {
		return "", "", err
	}
	// Oldest first: the next start ends the time in which no agent worked.
	for _, c := range slices.Backward(commits) {
		if id, ev := message.SpecAndEvent(c); id == e.Job.ID && ev == string(spec.Start) && len(c.Parents) == 1 {
			return c.Parents[0], c.Hash, nil
		}
	}
	return tip, "", nil
}

// addChange adds the change of the spec from one commit to another.
func (e *Edits) addChange(ctx context.Context, out []change, from, to string) ([]change, error) {
	path := store.SpecPath(e.Job.ID)
	before, err := e.Repo.ReadFile(ctx, from, path)
	if err != nil {
		return out, ignoreMissing(err)
	}
	after, err := e.Repo.ReadFile(ctx, to, path)
	if err != nil {
		return out, ignoreMissing(err)
	}
	return append(out, change{before, after}), nil
}

// addTree adds the change of the spec from a commit to the run's worktree, or to the tip of the branch if it has no
// worktree.
func (e *Edits) addTree(ctx context.Context, out []change, from, tip string) ([]change, error) {
	path := store.SpecPath(e.Job.ID)
	before, err := e.Repo.ReadFile(ctx, from, path)
	if err != nil {
		return out, ignoreMissing(err)
	}
	tree, _, err := e.Trees.FindTree(ctx)
	if err != nil {
		return nil, err
	}
	// An edit by hand need not be committed.
	if tree != "" && e.Whole(tree) {
		if after, err := e.Store.ReadTree(tree, path); err == nil {
			return append(out, change{before, after}), nil
		}
	}
	after, err := e.Repo.ReadFile(ctx, tip, path)
	if err != nil {
		return out, ignoreMissing(err)
	}
	return append(out, change{before, after}), nil
}

// ignoreMissing returns err, or nil if err is about a missing file.
func ignoreMissing(err error) error {
	if errors.Is(err, gitops.ErrNotFound) {
		return nil
	}
	return err
}
