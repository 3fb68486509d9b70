package undo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/attempt"
	"chant/engine/run/train"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/versions"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/engine/store/message"
	"chant/gitops"
)

// landing is a merge that is to be undone.
type landing struct {
	p      *engine.Project
	d      *Decision
	target string // the name of the branch
	side   string // the second parent
}

// judgeLanding judges a merge: the spec must still be as it landed, nothing may depend on it, and what it has changed
// must come out of the target without a conflict.
func judgeLanding(ctx context.Context, p *engine.Project, d *Decision) (step, error) {
	byHand := next.Shell("git revert -m 1 %s", short(d.Commit))
	c, err := p.Repo.ReadCommit(ctx, d.Commit)
	if err != nil {
		return step{}, err
	}
	if d.Branch, err = landedOn(ctx, p, d); err != nil {
		return step{}, err
	}
	l := landing{p, d, d.Branch, c.Parents[1]}
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+l.target)
	if err != nil {
		return step{}, err
	}
	there, err := p.Store.ReadAt(ctx, tip, d.ID)
	switch {
	case errors.Is(err, gitops.ErrNotFound):
		return step{}, refuse(byHand, "spec %q was archived or removed since", d.ID)
	case err != nil:
		return step{}, err
	case there.Status != spec.Completed:
		return step{}, refuse(byHand, "spec %q is %s on %q now", d.ID, there.Status, l.target)
	}
	if err := l.checkUnneeded(ctx, byHand); err != nil {
		return step{}, err
	}
	if err := l.checkBranchFree(ctx); err != nil {
		return step{}, err
	}
	if _, err := l.treeWithout(ctx, tip, byHand); err != nil {
		return step{}, err
	}
	d.Does = append(d.Does,
		fmt.Sprintf("commits on %s what takes the changes of %s out again", l.target, short(d.Commit)),
		fmt.Sprintf("makes branch %s again with the work, completed and not landed", p.Store.Branch(d.ID)))
	return step{l.undo}, nil
}

// landedOn returns the branch on which a merge has landed: the one on which the spec lands, if that has the commit; another
// branch may have left it since. Else it is the branch on which the commit was found.
func landedOn(ctx context.Context, p *engine.Project, d *Decision) (string, error) {
	s, err := p.Store.Get(ctx, d.ID)
	if err != nil {
		return d.Branch, nil //nolint:nilerr // judging the merge reports what is wrong with the spec
	}
	target, err := run.TargetFor(ctx, p, &s.Spec)
	if err != nil {
		return d.Branch, nil //nolint:nilerr // the target is gone
	}
	// The commit may have been found on a branch that was made from the target since.
	has, err := p.Repo.IsAncestor(ctx, d.Commit, "refs/heads/"+target)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return "", err
	}
	if has {
		return target, nil
	}
	return d.Branch, nil
}

// checkUnneeded refuses while work that needs the spec has begun.
func (l landing) checkUnneeded(ctx context.Context, byHand next.Step) error {
	set, err := l.p.Store.Load(ctx)
	if err != nil {
		return err
	}
	for _, s := range set.Specs {
		if !slices.Contains(s.Fields.DependsOn, l.d.ID) {
			continue
		}
		if s.Branch != "" {
			return refuse(next.Reset.On(s.ID), "spec %q needs it and has been worked since", s.ID)
		}
		if s.Status == spec.Completed {
			return refuse(byHand, "spec %q needs it and has landed since", s.ID)
		}
	}
	return nil
}

// checkBranchFree refuses a branch that the undo would have to make, unless an undo of this landing that was killed made it.
func (l landing) checkBranchFree(ctx context.Context) error {
	tip, err := resolveOrNone(ctx, l.p, "refs/heads/"+l.p.Store.Branch(l.d.ID))
	if err != nil || tip == "" {
		return err
	}
	h, err := journal.ReadSealed(l.p.Store, l.d.ID)
	if err != nil {
		return err
	}
	if h.Restored != nil && h.Restored.Undoes == l.d.Commit && h.Restored.Tip == tip {
		return nil
	}
	return refuse(next.Cleanup.On(), "branch %q exists", l.p.Store.Branch(l.d.ID))
}

// treeWithout returns the tree of the target without what the landing has changed.
func (l landing) treeWithout(ctx context.Context, tip string, byHand next.Step) (string, error) {
	parent, err := l.p.Repo.ReadCommit(ctx, l.d.parent)
	if err != nil {
		return "", err
	}
	// A commit behind the landing with the tree before it: merged into the tip, it brings that tree back.
	back, err := l.p.Repo.CommitUnsigned(ctx, parent.Tree, []string{l.d.Commit}, "undo")
	if err != nil {
		return "", err
	}
	m, err := l.p.Repo.MergeTree(ctx, tip, back)
	if err != nil {
		return "", err
	}
	var clashes []string
	var joined []gitops.File
	for _, c := range m.Conflicts {
		text, ok, err := l.mergeSpec(ctx, c)
		if err != nil {
			return "", err
		}
		if !ok {
			clashes = append(clashes, c.Path)
			continue
		}
		joined = append(joined, gitops.File{Path: c.Path, Content: text})
	}
	if len(clashes) > 0 {
		return "", refuse(byHand, "%s was changed since in the same place", strings.Join(clashes, ", "))
	}
	if len(joined) == 0 {
		return m.Tree, nil
	}
	return l.p.Repo.WriteTree(ctx, m.Tree, joined)
}

// mergeSpec resolves a conflict in a spec file: comments that were made since stay.
func (l landing) mergeSpec(ctx context.Context, c gitops.Conflict) ([]byte, bool, error) {
	if _, isSpec := store.SpecOf(c.Path); !isSpec || c.Base == "" || c.Ours == "" || c.Theirs == "" {
		return nil, false, nil
	}
	var blobs [3][]byte
	for i, hash := range []string{c.Base, c.Ours, c.Theirs} {
		var err error
		if blobs[i], err = l.p.Repo.ReadBlob(ctx, hash); err != nil {
			return nil, false, err
		}
	}
	text, conflicts, err := versions.Merge(c.Path, blobs[0], blobs[1], blobs[2], versions.MergeRemarks(versions.MergeBoxes(func(b, o, t []byte) ([]byte, bool, error) {
		return l.p.Repo.MergeFile(ctx, b, o, t)
	})))
	return text, err == nil && len(conflicts) == 0, nil
}

// undo makes the branch again and takes the landing out of the target, last. If the target cannot move, the branch is
// removed again.
func (l landing) undo(ctx context.Context, p *engine.Project, held *engine.Held, r *UndoResult) error {
	locks, err := p.Store.Local(local.Locks, "")
	if err != nil {
		return err
	}
	// Landings move the same target. Those that wait are stacked anew when this has moved it.
	turn, err := train.Of(locks, l.target).Turn(ctx, "undo "+l.d.ID)
	if err != nil {
		return err
	}
	return errors.Join(l.undoHeld(ctx, held, r), turn.Release())
}

func (l landing) undoHeld(ctx context.Context, held *engine.Held, r *UndoResult) error {
	if err := l.putBack(ctx, held.History); err != nil {
		return err
	}
	// Only now, since landings before it in the line have moved the target.
	tip, err := l.p.Repo.Resolve(ctx, "refs/heads/"+l.target)
	if err != nil {
		return err
	}
	tree, err := l.treeWithout(ctx, tip, next.Step{})
	if err != nil {
		return err
	}
	commit, err := l.p.Repo.CommitTree(ctx, tree, []string{tip}, l.message())
	if err != nil {
		return err
	}
	again, err := l.replay(ctx, commit)
	if err != nil {
		return err
	}
	branch := "refs/heads/" + l.p.Store.Branch(l.d.ID)
	// An undo that was killed may have made the branch, on an older target.
	if err := l.dropMadeBranch(ctx, held, branch); err != nil {
		return err
	}
	// The journal first, the branch next, the target last: a kill in between leaves what the next undo finds.
	if err := l.record(held, again, commit); err != nil {
		return err
	}
	err = l.p.Repo.UpdateRef(ctx, branch, again.tip, "", "chant: undo the merge of "+l.d.ID)
	if err == nil {
		reportStep(l.p, journal.Branch, journal.Done)
		err = l.advance(ctx, tip, commit)
	}
	if err != nil {
		// A stop may be why the target did not move, and the branch has to go all the same.
		calm := context.WithoutCancel(ctx)
		return errors.Join(err, l.dropMadeBranch(calm, held, branch))
	}
	r.Undo, r.Made = commit, l.p.Store.Branch(l.d.ID)
	return nil
}

// message is that of the commit on the target.
func (l landing) message() string {
	return message.Commit{
		ID: l.d.ID, Event: attempt.UndoWord, Subject: "undo the merge",
		Why:  "Takes the changes of " + short(l.d.Commit) + " out again. They are on branch " + l.p.Store.Branch(l.d.ID) + ".",
		More: []message.Trailer{{Key: message.UndoesTrailer, Value: l.d.Commit}},
	}.String()
}

// advance moves the target to the commit, with index and files where it is checked out.
func (l landing) advance(ctx context.Context, tip, commit string) error {
	if where, found, err := l.p.Repo.Rebasing(l.target); err != nil {
		return err
	} else if found {
		return engine.Fail(engine.Conflict, next.Shell("git -C %q status", where), "%q is being rebased in %q", l.target, where)
	}
	trees, err := l.p.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	// The target may be a symbolic ref, and a checkout shows the branch that it leads to.
	real, err := l.p.Repo.RealBranch(ctx, l.target)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if !t.Prunable && (t.Branch == l.target || t.Branch == real) {
			return l.p.Repo.FastForward(ctx, t.Path, commit)
		}
	}
	return l.p.Repo.UpdateRef(ctx, "refs/heads/"+l.target, commit, tip, "chant: undo the merge of "+l.d.ID)
}

// putBack removes what an undo that was killed has left in a checkout of the target: files of a commit that the target
// never got.
func (l landing) putBack(ctx context.Context, h *journal.History) error {
	if h.Restored == nil || h.Restored.Landing == "" {
		return nil
	}
	trees, err := l.p.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if t.Branch != l.target || t.Prunable {
			continue
		}
		if _, err := l.p.Repo.PutBack(ctx, t.Path, h.Restored.Landing); err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return err
		}
	}
	return nil
}

// dropMadeBranch removes the branch that an undo has made before the target did not move, and records that.
func (l landing) dropMadeBranch(ctx context.Context, held *engine.Held, branch string) error {
	tip, err := resolveOrNone(ctx, l.p, branch)
	if err != nil {
		return err
	}
	held.History, err = journal.ReadSealed(l.p.Store, l.d.ID)
	if err != nil || held.History.Restored == nil || held.History.Restored.Undoes != l.d.Commit {
		return err
	}
	if tip == held.History.Restored.Tip {
		if err := l.p.Repo.DeleteRef(ctx, branch, tip); err != nil {
			return err
		}
	}
	if err := l.append(held, journal.Drop, journal.Done, journal.Dropped{Why: attempt.LandWord, Back: true}); err != nil {
		return err
	}
	held.History, err = journal.ReadSealed(l.p.Store, l.d.ID)
	return err
}

// append writes a record into the journal of the spec.
func (l landing) append(held *engine.Held, at journal.Step, state journal.State, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return err
	}
	number := 0
	if last := held.History.Last(); last != nil {
		number = last.Number
	}
	err = journal.Append(l.p.Store, l.d.ID, journal.Record{Time: l.p.Now().UTC(), Attempt: number, Step: at, State: state, Data: raw})
	reportStep(l.p, at, state)
	return err
}
