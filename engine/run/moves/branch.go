package moves

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/gitops"
)

// Stray is a commit on the branch of a run that neither the journal of the run nor a checkout knows, although no agent of
// the run was working: the agents of other runs can write to the folder of such branches, but not to the reflog of a
// checkout that is not their own.
type Stray struct {
	gitops.Commit
	Since     string // what the branch held when its last attempt ended
	Rewritten bool   // the branch no longer contains that
}

// StrayOf finds the oldest stray commit that the branch of a run has received since its last attempt ended; nil if there
// is none, or if the journal does not say what the branch held.
func StrayOf(ctx context.Context, a *attempt.Attempt) (*Stray, error) {
	last := a.History.Last()
	if last == nil || last.Gone || last.Tip == "" {
		return nil, nil
	}
	tip, err := a.Repo.Resolve(ctx, "refs/heads/"+a.Job.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return strayBetween(ctx, a, last.Tip, tip, Watch{Attempt: a}.madeByChant)
}

// StrayBetween is StrayOf from one commit of the branch to another, for a decision about what a person has edited: it
// believes no commit that says that it is chant's, also if that requires no less of the spec.
func StrayBetween(ctx context.Context, a *attempt.Attempt, since, tip string) (*Stray, error) {
	return strayBetween(ctx, a, since, tip, func(context.Context, gitops.Commit) (bool, error) { return false, nil })
}

func strayBetween(ctx context.Context, a *attempt.Attempt, since, tip string, ours func(context.Context, gitops.Commit) (bool, error)) (*Stray, error) {
	if since == tip {
		return nil, nil
	}
	known, err := knownOf(ctx, a)
	if err != nil || known.has(tip) && slices.Contains(known[tip], since) {
		return nil, err
	}
	grown, err := a.Repo.IsAncestor(ctx, since, tip)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return nil, err
	}
	if !grown {
		if known.has(tip) { // rewritten in a checkout
			return nil, nil
		}
		c, err := a.Repo.ReadCommit(ctx, tip)
		return &Stray{Commit: c, Since: since, Rewritten: true}, err
	}
	return known.stray(ctx, a.Repo, since, tip, ours)
}

// stray returns the oldest commit on the first-parent line that is neither known nor on a remote-tracking branch.
func (p byPeople) stray(ctx context.Context, repo *gitops.Repo, since, tip string, ours func(context.Context, gitops.Commit) (bool, error)) (found *Stray, err error) {
	var local, explained []string
	for at := tip; at != since; {
		c, err := repo.ReadCommit(ctx, at)
		if err != nil {
			return nil, err
		}
		explained = slices.DeleteFunc(append(explained, p[at]...), func(from string) bool { return from == at })
		if !p.has(at) && len(explained) == 0 {
			if local == nil {
				if local, err = repo.NotOnRemotes(ctx, since, tip); err != nil {
					return nil, err
				}
			}
			made, err := ours(ctx, c)
			if err != nil {
				return nil, err
			}
			if !made && slices.Contains(local, at) {
				found = &Stray{Commit: c, Since: since}
			}
		}
		if len(c.Parents) == 0 {
			break
		}
		at = c.Parents[0]
	}
	return found, nil
}

// knownOf returns the commits of a run that its journal names, or that were made or checked out in its worktree or in a
// person's checkout.
func knownOf(ctx context.Context, a *attempt.Attempt) (byPeople, error) {
	known, err := Watch{Attempt: a}.people(ctx)
	if err != nil {
		return nil, err
	}
	for _, commit := range a.History.Edits {
		known[commit] = nil
	}
	if t := a.History.Trusted; t != nil && t.Commit != "" {
		known[t.Commit] = nil
	}
	for _, one := range a.History.Attempts {
		for _, commit := range slices.Concat(one.Carried, []string{one.Tip, one.Collected, one.Commit, one.CaughtTo}) {
			if commit != "" {
				known[commit] = nil
			}
		}
	}
	own, err := a.TreePath(a.Job.ID)
	if err != nil {
		return nil, err
	}
	trees, err := a.Repo.Worktrees(ctx)
	for _, t := range trees {
		if t.Path == disk.RealPath(own) || t.Branch == a.Job.Branch && !madeByChant(a.Repo, t) {
			err = errors.Join(err, known.add(a.Repo, t.Path))
		}
	}
	return known, err
}

// add adds the commits that a checkout has had checked out.
func (p byPeople) add(repo *gitops.Repo, dir string) error {
	entries, err := repo.HeadEntries(dir)
	if errors.Is(err, gitops.ErrNotRepository) {
		return nil // it is being removed
	}
	for _, e := range entries {
		p[e.To] = append(p[e.To], e.From)
	}
	return err
}

// Describe says what came to a branch.
func (s *Stray) Describe(branch string) string {
	if s.Rewritten {
		return fmt.Sprintf("branch %q was moved from %s to %s since its last attempt, in no checkout of it", branch, attempt.Short(s.Since), attempt.Short(s.Hash))
	}
	return fmt.Sprintf("branch %q received commit %s (%s) since its last attempt, which was made in no checkout of it", branch, attempt.Short(s.Hash), firstLine(s.Message))
}

// Explain describes a stray commit, and what puts the branch back: the commit stays in the repository for some weeks.
func (s *Stray) Explain(ctx context.Context, a *attempt.Attempt) (why string, way next.Step) {
	why = s.Describe(a.Job.Branch) + "; put the branch back, or have finalize check what is there"
	if tree, err := a.TreePath(a.Job.ID); err == nil && a.Whole(tree) {
		return why, next.Shell("git -C %q reset --hard %s", tree, attempt.Short(s.Since))
	}
	return why, next.Shell("git branch -f %s %s", a.Job.Branch, attempt.Short(s.Since))
}

// otherRun reports the branch of another run that was moved or removed while no process was at work on that run, unless
// its journal, a checkout or a remote explains that.
func (w Watch) otherRun(ctx context.Context, m gitops.RefMove, out *Found) error {
	id := strings.TrimPrefix(m.Name, heads+w.Store.Branch(""))
	h, err := journal.ReadHistory(w.Store, id)
	if err != nil {
		return nil //nolint:nilerr // no spec has such an id: it is a person's branch
	}
	last := h.Last()
	if last == nil || last.Gone || h.Open() != nil || m.From == "" {
		return nil
	}
	branch := strings.TrimPrefix(m.Name, heads)
	if m.To == "" {
		out.Seen = append(out.Seen, fmt.Sprintf("branch %q of another run was removed; its last commit was %s", branch, attempt.Short(m.From)))
		return nil
	}
	other := *w.Attempt
	other.Job, other.History = journal.Job{ID: id, Branch: branch}, h
	stray, err := strayBetween(ctx, &other, m.From, m.To, Watch{Attempt: &other}.madeByChant)
	if errors.Is(err, gitops.ErrNotFound) {
		out.Seen = append(out.Seen, fmt.Sprintf("branch %q of another run was moved to %s, which cannot be read", branch, attempt.Short(m.To)))
		return nil
	}
	if err == nil && stray != nil {
		out.Seen = append(out.Seen, stray.Describe(branch)+"; it is the branch of another run, which will not continue from there")
	}
	return err
}
