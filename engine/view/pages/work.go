package pages

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/gitops"
)

// compared is a pair of commits that are compared for a page.
type compared struct {
	page    int
	landing bool
	gitops.Pair
}

// addWork adds to each page what its run changed.
func addWork(ctx context.Context, p *engine.Project, files []*spec.File, all []Page) error {
	landings, err := landingsOf(ctx, p)
	if err != nil {
		return err
	}
	var list []compared
	for i := range all {
		found, err := pairsOf(ctx, p, files[i], &all[i], landings)
		if err != nil {
			return err
		}
		for _, one := range found {
			one.page = i
			list = append(list, one)
		}
	}
	pairs := make([]gitops.Pair, len(list))
	for i, one := range list {
		pairs[i] = one.Pair
	}
	// One process of git for all specs together.
	sizes, err := p.Repo.SizesOfFiles(ctx, pairs, excluded)
	if err != nil {
		return err
	}
	for i, one := range list {
		page := &all[one.page]
		// Commits that are listed one by one add up to one work.
		if page.Work == nil {
			page.Work = &Work{From: one.From}
		}
		page.Work.To, page.Work.Landing = one.To, one.landing
		page.Work.Files = joinSizes(page.Work.Files, sizes[i])
	}
	return nil
}

// landingsOf returns the newest landing of each spec, as the pair of the target before and after it.
func landingsOf(ctx context.Context, p *engine.Project) (map[string]gitops.Pair, error) {
	commits, err := p.Repo.Saying(ctx, targetOf(ctx, p), "^Chant-Event: land$")
	// There is no commit yet.
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := map[string]gitops.Pair{}
	for _, c := range commits {
		for _, r := range message.Records(c) {
			// The log has the newest commit first, and a spec may have landed again after an undo.
			if _, known := found[r.ID]; !known && r.Event == "land" && len(c.Parents) > 0 {
				found[r.ID] = gitops.Pair{From: c.Parents[0], To: c.Hash}
			}
		}
	}
	return found, nil
}

// pairsOf returns the commits between which the work on a spec lies: one pair, or one for each commit that its file
// lists.
func pairsOf(ctx context.Context, p *engine.Project, f *spec.File, page *Page, landings map[string]gitops.Pair) ([]compared, error) {
	if f.Branch != "" {
		pair, err := onBranch(ctx, p, f)
		if err != nil || pair == nil {
			return nil, err
		}
		return []compared{{Pair: *pair}}, nil
	}
	if f.Status != spec.Completed {
		return nil, nil
	}
	// The landing is what the target got, also where the branch was rebased or squashed.
	if pair, ok := landings[f.ID]; ok {
		return []compared{{Pair: pair, landing: true}}, nil
	}
	if pair, ok := startToEnd(page); ok {
		return []compared{{Pair: pair}}, nil
	}
	var found []compared
	// The last resort, for specs that other programs completed: a rebase or a squash replaces the commits.
	for _, rev := range f.Fields.Commits {
		c, err := p.Repo.ReadCommit(ctx, rev)
		if err != nil || len(c.Parents) == 0 {
			// It is not in this repository, or there is nothing to compare it with.
			continue
		}
		found = append(found, compared{Pair: gitops.Pair{From: c.Parents[0], To: c.Hash}})
	}
	return found, nil
}

// onBranch returns what the branch of a run adds to the target, nil if it has just gone.
func onBranch(ctx context.Context, p *engine.Project, f *spec.File) (*gitops.Pair, error) {
	target := targetOf(ctx, p)
	if f.Target != "" {
		target = "refs/heads/" + f.Target
	}
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+f.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		// The run may have ended meanwhile.
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	base, err := p.Repo.MergeBase(ctx, target, tip)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	return &gitops.Pair{From: base, To: tip}, err
}

// startToEnd returns the commits that started and completed the last run.
func startToEnd(page *Page) (pair gitops.Pair, ok bool) {
	for _, e := range page.History {
		switch {
		case slices.Contains(e.Events, string(spec.Start)):
			pair.From = e.Commit
		case slices.Contains(e.Events, string(spec.Complete)):
			pair.To = e.Commit
		}
	}
	return pair, pair.From != "" && pair.To != ""
}

// joinSizes adds up the sizes of files by their paths.
func joinSizes(a, b []gitops.FileSize) []gitops.FileSize {
	if len(a) == 0 {
		return b
	}
	for _, f := range b {
		i, found := slices.BinarySearchFunc(a, f, func(x, y gitops.FileSize) int { return cmp.Compare(x.Path, y.Path) })
		if !found {
			a = slices.Insert(a, i, f)
			continue
		}
		a[i].Added, a[i].Removed, a[i].Binary = a[i].Added+f.Added, a[i].Removed+f.Removed, a[i].Binary || f.Binary
	}
	return a
}
