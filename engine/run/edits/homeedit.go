package edits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"

	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/versions"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// Edits applies a person's edits of a spec during its run, from home's copy to the branch and back.
type Edits struct {
	*attempt.Attempt
	Trees *tree.Trees

	home    *journal.HomeCopy // home's copy of the spec when this process started
	strayed *tree.Stray       // what the branch has received that is no person's edit
}

// HomeEdit is what a person has edited in home's copy of a spec while its branch exists.
type HomeEdit struct {
	base []byte
	now  journal.HomeCopy
}

// HomeEdit looks for such an edit; nil when there is none. One made while an agent worked is none: it
// cannot be told from the agent's. Nor is what another branch that home has checked out since has
// committed.
func (e *Edits) HomeEdit(ctx context.Context) (*HomeEdit, error) {
	h := e.Journal.History()
	// While an agent works, or has died working, an edit in home can be its own.
	if open := h.Open(); e.Job.Silent || h.Home == nil || open != nil && open.AgentBegan() {
		return nil, nil
	}
	now, err := e.homeCopy(ctx)
	if now == nil || err != nil {
		return nil, err
	}
	base := []byte(h.Home.Text)
	// Another branch in home may bring its own version, so only what differs from its commit is an edit.
	if now.Branch != h.Home.Branch {
		head, err := e.Repo.Head(ctx, e.Store.Home())
		if err == nil {
			base, err = e.Repo.ReadFile(ctx, head.Hash, store.SpecPath(e.Job.ID))
		}
		if err != nil {
			return nil, ignoreMissing(err)
		}
	}
	if !versions.IsEdited(store.SpecPath(e.Job.ID), base, []byte(now.Text)) {
		return nil, nil
	}
	return &HomeEdit{base, *now}, nil
}

// homeCopy reads home's copy of the spec, nil if there is none.
func (e *Edits) homeCopy(ctx context.Context) (*journal.HomeCopy, error) {
	src, err := e.Store.ReadTree(e.Store.Home(), store.SpecPath(e.Job.ID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	head, err := e.Repo.Head(ctx, e.Store.Home())
	if err != nil && !errors.Is(err, gitops.ErrUnborn) {
		return nil, err
	}
	return &journal.HomeCopy{Branch: head.Branch, Text: string(src)}, nil
}

// TakeHomeEdit applies an edit of home's copy to the branch, by a commit whose hash it returns, and to the text whose
// criteria count. It does not vouch for the rest of the branch's copy, which an agent may have written. Errors:
// *Failure if the branch has changed the same part, with nothing changed; *markdown.SyntaxError for a copy that cannot
// be read.
func (e *Edits) TakeHomeEdit(ctx context.Context, edit *HomeEdit) (string, error) {
	// Before the edit, which changes the text that counts.
	if err := e.EnsureTrusted(ctx); err != nil {
		return "", err
	}
	// Both merges are tried before anything is written, so that a clash leaves everything as it was.
	in, err := e.TryHomeEdit(ctx, edit)
	if err != nil {
		return "", err
	}
	// Committed on its own, so that it does not become a part of the other edit.
	if err := e.keepHandEdit(ctx, in.copied); err != nil {
		return "", err
	}
	commit, err := e.replaceCopy(ctx, in.copied, in.next, "Edited in the checkout.")
	if err != nil {
		return "", err
	}
	// The commit on the branch first: after a kill in between, the same edit is found and applied again.
	return commit, e.Journal.TakeEdit(edit.now, journal.Taken{Commit: commit, Counts: string(in.counts)})
}

// Tried is what an edit of home's copy would make of a run's texts.
type Tried struct {
	counts       []byte // the text whose criteria count
	copied, next []byte // the run's copy, before and after
}

// TryHomeEdit does what TakeHomeEdit will do, with the same errors, without changing anything.
func (e *Edits) TryHomeEdit(ctx context.Context, edit *HomeEdit) (t Tried, err error) {
	start, err := e.Trusted(ctx)
	if err != nil {
		return t, err
	}
	if t.copied, err = e.Store.Raw(ctx, e.Job.ID); err != nil {
		return t, err
	}
	var clashes, more []string
	if t.counts, clashes, err = edit.applyTo(start.Doc.Bytes(), e.Job.ID); err != nil {
		return t, err
	}
	if t.next, more, err = edit.applyTo(t.copied, e.Job.ID); err != nil {
		return t, err
	}
	if clashes = append(clashes, more...); len(clashes) > 0 {
		return t, e.clashingEdit(clashes)
	}
	return t, nil
}

// applyTo applies the edit to another copy of the spec.
func (h *HomeEdit) applyTo(copied []byte, id string) ([]byte, []string, error) {
	return versions.CarryHomeEdit(store.SpecPath(id), copied, h.base, []byte(h.now.Text))
}

// keepHandEdit commits what a person has edited in the run's copy and not committed, so that it does not become a part
// of the other edit.
func (e *Edits) keepHandEdit(ctx context.Context, copied []byte) error {
	committed, err := e.Repo.ReadFile(ctx, "refs/heads/"+e.Job.Branch, store.SpecPath(e.Job.ID))
	if err != nil || bytes.Equal(committed, copied) {
		return err
	}
	_, err = e.replaceCopy(ctx, copied, copied, "Edited in the worktree.")
	return err
}

// replaceCopy commits a new text of the run's copy of the spec.
func (e *Edits) replaceCopy(ctx context.Context, old, next []byte, why string) (string, error) {
	out, err := e.Store.Transition(ctx, store.Change{
		ID: e.Job.ID, Word: "edit", Why: why,
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			// The copy may have changed since it was merged, and writing would undo that.
			if !bytes.Equal(doc.Bytes(), old) {
				return nil, &store.ChangedError{Path: store.SpecPath(e.Job.ID)}
			}
			return markdown.Parse(doc.Path(), next)
		},
	})
	return out.Commit, err
}

// clashingEdit is the failure of an edit in home that conflicts with the branch.
func (e *Edits) clashingEdit(clashes []string) error {
	slices.Sort(clashes)
	path := store.SpecPath(e.Job.ID)
	return &journal.Failure{
		Kind: spec.ReasonEdits, Next: next.Edit.On(e.Job.ID),
		Message: fmt.Sprintf("%q was edited in your checkout and on branch %q, in the same place (%s); both are kept: compare them with git diff %s -- %s, then edit the branch's",
			path, e.Job.Branch, strings.Join(slices.Compact(clashes), ", "), e.Job.Branch, path),
	}
}

// LeaveHomeEdit records that a person who has seen both copies does not want an edit of home's copy.
func (e *Edits) LeaveHomeEdit(edit *HomeEdit) error {
	return e.Journal.TakeEdit(edit.now, journal.Taken{})
}

// CompareFrom reads home's copy when this process starts, and returns it if the journal must record it: because nothing
// is recorded to compare with, or because a process died while its agent worked. An edit since then could be that
// agent's, so it is reported and not applied.
func (e *Edits) CompareFrom(ctx context.Context) (*journal.HomeCopy, error) {
	if e.Job.Silent {
		return nil, nil
	}
	now, err := e.homeCopy(ctx)
	// Kept for the end of the attempt, also when nothing has to be recorded now.
	if e.home = now; err != nil || now == nil {
		return nil, err
	}
	h := e.Journal.History()
	if h.Home == nil {
		return now, nil
	}
	if open := h.Open(); open == nil || !open.AgentBegan() {
		return nil, nil
	}
	e.warnOfEdit(h.Home, now)
	return now, nil
}

// EditedMeanwhile returns home's copy, for the record of the end of an attempt, if it was changed since this process
// started; else nil. The change is reported and not applied: it may be the agent's.
func (e *Edits) EditedMeanwhile(ctx context.Context) (*journal.HomeCopy, error) {
	if e.home == nil {
		return nil, nil
	}
	now, err := e.homeCopy(ctx)
	if err != nil || now == nil || *now == *e.home {
		return nil, err
	}
	e.warnOfEdit(e.home, now)
	return now, nil
}

func (e *Edits) warnOfEdit(was, now *journal.HomeCopy) {
	path := store.SpecPath(e.Job.ID)
	if was.Branch == now.Branch && versions.IsEdited(path, []byte(was.Text), []byte(now.Text)) {
		e.Announce(journal.Close, "warning", "%s was edited in your checkout during the run, which does not use that edit: an agent could have made it", path)
	}
}
