package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/code/weakened"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/touched"
	"chant/gitops"
)

// CheckLanding checks what a landing would change on the target, by the rules that the target has; merge is the commit that
// would land on it. The specs of drivers that the landing completes may change. The branch was compared with the commit at
// which it left the target, which is not enough: a branch that merges commits of others can have left at several of which
// one has the files as the agent wants them, and git follows files that were renamed on the target.
func (g *Guard) CheckLanding(ctx context.Context, target, merge string, drivers []string) error {
	base, err := g.Base(ctx)
	// Of a target that is on the branch as a whole, the branch has shown all of this.
	if err != nil || base == target {
		return err
	}
	open, err := g.undecided(ctx)
	if err != nil {
		return err
	}
	found, err := g.forbiddenOn(ctx, target, merge, drivers, open)
	if err != nil {
		return err
	}
	err = attempt.TamperFailure(found)
	if err == nil {
		err = g.checkWeakenedOn(ctx, target, merge, open)
	}
	// Only a branch that is on the target shows these changes as its own, so that a person can accept them.
	if f, ok := errors.AsType[*journal.Failure](err); ok && f.Next.IsZero() {
		f.Next = next.Merge.On(g.Job.ID).Flag("rebase")
	}
	return err
}

// undecided says of a path whether no person has accepted what the branch has made of it.
func (g *Guard) undecided(ctx context.Context) (func(path string) bool, error) {
	if g.Accepted {
		return func(string) bool { return false }, nil
	}
	t := g.Journal.History().Trusted
	if t == nil || !t.Accepted || t.Commit == "" {
		return func(string) bool { return true }, nil
	}
	base, err := g.Base(ctx)
	if err != nil {
		return nil, err
	}
	changes := map[string]bool{}
	for _, pair := range [][2]string{{base, t.Commit}, {t.Commit, "refs/heads/" + g.Job.Branch}} {
		diff, err := g.Repo.Diff(ctx, pair[0], pair[1])
		// Without the accepted commit, nothing shows what was accepted.
		if errors.Is(err, gitops.ErrNotFound) {
			return func(string) bool { return true }, nil
		}
		if err != nil {
			return nil, err
		}
		for _, c := range diff {
			changes[c.Path] = pair[0] == base
		}
	}
	return func(path string) bool { return !changes[path] }, nil
}

// forbiddenOn lists what no run may change, of what changes on the target.
func (g *Guard) forbiddenOn(ctx context.Context, target, merge string, drivers []string, open func(string) bool) ([]string, error) {
	changes, err := g.Repo.Diff(ctx, target, merge)
	if err != nil {
		return nil, err
	}
	own, err := g.ownPaths(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range drivers {
		own = append(own, store.SpecPath(id))
	}
	var found []string
	for _, c := range changes {
		if touched.InChant(c.Path) && !slices.Contains(own, c.Path) && open(c.Path) {
			found = append(found, fmt.Sprintf("%s was %s", c.Path, touched.DescribeStatus(c.Status)))
		}
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return nil, err
	}
	rules, err := g.rules(ctx, start, target)
	if err != nil {
		return nil, err
	}
	things, err := g.commits().Guarded(ctx, target, merge, rules)
	for _, t := range things {
		if open(t.Path) {
			found = append(found, t.String())
		}
	}
	return found, err
}

// checkWeakenedOn checks that no check on the target becomes weaker without a decision.
func (g *Guard) checkWeakenedOn(ctx context.Context, target, merge string, open func(string) bool) error {
	set := g.Settings.Verify.Weakened
	if set == spec.WeakenedOff {
		return nil
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return err
	}
	c := comparedBranch{work: weakened.WorkOn(start, g.Settings.Verify, g.Settings.SetupCmd)}
	if c.found, err = weakened.Between(ctx, g.Repo, target, merge, c.work); err != nil {
		return err
	}
	var names []string
	for _, w := range c.deciding(set) {
		// Where weakened checks are refused, no person accepts them but by the setting.
		if set == spec.WeakenedRefuse || open(w.File) {
			names = append(names, w.String())
		}
	}
	return weakenedFailure(names, set)
}
