package undo

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/store/message"
	"chant/gitops"
)

// replayed is a branch that was made again: its tip, and the new commits by the old ones.
type replayed struct {
	tip string
	new map[string]string
}

// replay makes the commits of the landed branch again on top of a commit, each with its message. It moves no ref.
// Commits that complete drivers, which the landing has added, are left out.
func (l landing) replay(ctx context.Context, onto string) (replayed, error) {
	out := replayed{tip: onto, new: map[string]string{}}
	commits, err := l.branchCommits(ctx)
	if err != nil {
		return out, err
	}
	for _, c := range commits {
		tree, err := l.applyCommit(ctx, c, out.tip)
		if err != nil {
			return out, err
		}
		if out.tip, err = l.p.Repo.CommitTree(ctx, tree, []string{out.tip}, c.Message); err != nil {
			return out, err
		}
		out.new[c.Hash] = out.tip
	}
	return out, nil
}

// branchCommits lists the commits of the landed branch along first parents, oldest first.
func (l landing) branchCommits(ctx context.Context) ([]gitops.Commit, error) {
	var out []gitops.Commit
	for at := l.side; ; {
		part, err := l.p.Repo.IsAncestor(ctx, at, l.d.parent)
		if err != nil || part {
			return out, err
		}
		c, err := l.p.Repo.ReadCommit(ctx, at)
		if err != nil {
			return nil, err
		}
		if len(c.Parents) == 0 {
			return nil, engine.Fail(engine.State, l.d.Next.Command, "the branch that landed has no history in common with %q", l.target)
		}
		// The landing has put commits that complete drivers on top, which the branch never had.
		if of, _ := message.SpecAndEvent(c); len(out) > 0 || of == l.d.ID || of == "" || !attempt.Bookkeeping(c) {
			out = append([]gitops.Commit{c}, out...)
		}
		at = c.Parents[0]
	}
}

// applyCommit returns the tree of a commit with the change that another commit has made.
func (l landing) applyCommit(ctx context.Context, c gitops.Commit, onto string) (string, error) {
	was, err := l.p.Repo.ReadCommit(ctx, c.Parents[0])
	if err != nil {
		return "", err
	}
	now, err := l.p.Repo.ReadCommit(ctx, onto)
	if err != nil {
		return "", err
	}
	switch {
	// Most commits apply to what they were made on, and need no merge.
	case was.Tree == now.Tree:
		return c.Tree, nil
	case was.Tree == c.Tree:
		return now.Tree, nil
	}
	// With the old parent as base, the merge brings over exactly what the commit has changed.
	ours, err := l.p.Repo.CommitUnsigned(ctx, now.Tree, []string{was.Hash}, "undo")
	if err != nil {
		return "", err
	}
	m, err := l.p.Repo.MergeTree(ctx, ours, c.Hash)
	if err != nil {
		return "", err
	}
	var joined []gitops.File
	for _, clash := range m.Conflicts {
		text, ok, err := l.mergeSpec(ctx, clash)
		if err != nil {
			return "", err
		}
		if !ok {
			return "", engine.Fail(engine.Conflict, l.d.Next.Command, "the branch cannot be made again: commit %s (%s) conflicts in %s", short(c.Hash), c.Subject, clash.Path)
		}
		joined = append(joined, gitops.File{Path: clash.Path, Content: text})
	}
	if len(joined) == 0 {
		return m.Tree, nil
	}
	return l.p.Repo.WriteTree(ctx, m.Tree, joined)
}

// record writes into the journal that the run has its branch again: completed, and not landed. Without a journal, the
// branch is one that chant has not completed here.
func (l landing) record(held *engine.Held, again replayed, commit string) error {
	h := held.History
	// Without a journal, nothing here has completed the work, and finalize judges it.
	if h.Lost == nil || len(h.Attempts) == 0 {
		return nil
	}
	if err := l.append(held, journal.Restore, journal.Done, journal.Restored{Tip: again.tip, Undoes: l.d.Commit, Landing: commit}); err != nil {
		return err
	}
	h, err := journal.ReadSealed(l.p.Store, l.d.ID)
	if err != nil {
		return err
	}
	held.History = h
	last := h.Last()
	if last == nil || last.Gone || last.Commit == "" || h.Trusted == nil {
		return nil
	}
	t := *h.Trusted
	if t.Commit != "" {
		// Trust follows the start commit to its copy; a text that a person vouched for needs none.
		start, known := again.new[t.Commit]
		if !known && t.Text == "" {
			return fmt.Errorf("the start commit %s is not among the commits that landed", short(t.Commit))
		}
		t.Commit = start
	}
	complete, known := again.new[last.Commit]
	if !known {
		complete = again.tip
	}
	for _, one := range []struct {
		step  journal.Step
		state journal.State
		data  any
	}{
		{journal.Open, journal.Note, last.Job}, {journal.Trust, journal.Done, t},
		{journal.Complete, journal.Done, complete}, {journal.Close, journal.Done, again.tip},
	} {
		if err := l.append(held, one.step, one.state, one.data); err != nil {
			return err
		}
	}
	return nil
}
