package history

import (
	"context"
	"errors"

	"chant/engine/store"
	"chant/engine/store/record"
	"chant/gitops"
)

// branchValue is the index's record of the branch of a run.
type branchValue struct {
	Tip, Head string // the value holds for these
	Touches   []specCommit
}

// touchesOf returns the commits of specs in home, and behind them those on the branches of their runs.
func (l *Log) touchesOf(ctx context.Context, ids []string) (map[string][]specCommit, error) {
	found := l.read(ids)
	if l.head == "" {
		return found, nil
	}
	ids, err := l.findBranches(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		more, err := l.branchTouches(ctx, id)
		if err != nil {
			return nil, err
		}
		if len(more) > 0 {
			// The capacity is cut, because the commits of home are shared with other answers of this query.
			found[id] = append(found[id][:len(found[id]):len(found[id])], more...)
			sortTouches(found[id])
		}
	}
	return found, nil
}

// fewBranches is for how many specs their branches are looked up one by one.
const fewBranches = 8

// findBranches returns the ids of specs that have a run with a branch.
func (l *Log) findBranches(ctx context.Context, ids []string) (with []string, err error) {
	// For many specs, one list shows whether there is any run at all; without one, none is looked up.
	if len(ids) > fewBranches {
		refs, err := l.repo.Branches(ctx, l.q.Branch(""))
		if err != nil || len(refs) == 0 {
			return nil, err
		}
	}
	for _, id := range ids {
		has, err := l.q.HasBranch(ctx, id)
		if err != nil {
			return nil, err
		}
		if has {
			with = append(with, id)
		}
	}
	return with, nil
}

// branchTouches returns the commits of a spec that only the branch of its run has.
func (l *Log) branchTouches(ctx context.Context, id string) ([]specCommit, error) {
	tip, err := l.repo.Resolve(ctx, "refs/heads/"+l.q.Branch(id))
	// The run has just ended.
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var known branchValue
	// What the branch has beyond home depends on both ends.
	if data, ok := l.q.View.Value(branchKind, id); ok && record.Decode(string(data), &known) == nil && known.Tip == tip && known.Head == l.head {
		return known.Touches, nil
	}
	commits, err := l.repo.Touches(ctx, l.head, tip, store.Dir)
	if err != nil {
		return nil, err
	}
	var touches []specCommit
	for _, c := range commits {
		if t, ok := touchesOf(c)[id]; ok {
			touches = append(touches, t)
		}
	}
	l.q.Batch.Put(branchKind, id, record.Encode(branchValue{tip, l.head, touches}))
	return touches, nil
}
