package guard

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
)

// MayLand checks every branch before it lands, no matter who asks for the landing: the run that made it, a person, a
// watcher, or a process that resumes the run of another. It believes no finding of an earlier process: it compares the
// branch with its start commit and with the surroundings of the run. Judge.Recheck then asks for the evidence. complete
// is the newest complete commit that is known in this repository, "" for none. It returns the graph of the specs by which
// it has decided.
func (g *Guard) MayLand(ctx context.Context, target, tip, complete string) (*spec.Graph, error) {
	if err := g.landsAlone(ctx); err != nil {
		return nil, err
	}
	graph, err := g.MayBeUsed(ctx, target, tip, complete)
	if err != nil {
		return nil, err
	}
	return graph, g.mayUseTests(ctx, target)
}

// MayBeUsed is MayLand for a branch that another one is to bring to the target.
func (g *Guard) MayBeUsed(ctx context.Context, target, tip, complete string) (*spec.Graph, error) {
	// A target that was rewound makes every comparison below with it meaningless.
	if err := g.StillBased(ctx); err != nil {
		return nil, err
	}
	// A process that was killed may have seen nothing of what its agent did.
	if err := g.FindSideEffects(ctx); err != nil {
		return nil, err
	}
	if err := g.CheckSideEffects(); err != nil {
		return nil, err
	}
	// Decided by the same tip of the target that the merge is made on.
	graph, err := g.checkPermitted(ctx, target)
	if err != nil {
		return nil, err
	}
	if err := g.requireKey(ctx, target); err != nil {
		return nil, err
	}
	// Anyone can write the status, so the journal has to know the complete commit.
	if err := g.completedHere(ctx, tip, complete); err != nil {
		return nil, err
	}
	if err := g.BranchIntact(ctx); err != nil {
		return nil, err
	}
	if err := g.CheckUntampered(ctx); err != nil {
		return nil, err
	}
	return graph, g.CheckWeakened(ctx)
}

// completedHere checks that chant has completed the spec in this repository, and that no work was committed since.
func (g *Guard) completedHere(ctx context.Context, tip, complete string) error {
	if complete == "" {
		return g.NotCompletedHere()
	}
	grown, err := g.Repo.IsAncestor(ctx, complete, tip)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	if !grown {
		return &journal.Failure{
			Kind: spec.ReasonChanged, Next: next.Merge.On(g.Job.ID).Flag("rebase"),
			Message: fmt.Sprintf("branch %q was rewritten since the spec was completed: commit %s is gone from it", g.Job.Branch, attempt.Short(complete)),
		}
	}
	changes, err := g.Repo.Diff(ctx, complete, tip)
	if err != nil {
		return err
	}
	own := store.SpecPath(g.Job.ID)
	// Decisions and notes in the spec may follow the completion, work may not.
	if at := slices.IndexFunc(changes, func(c gitops.Change) bool { return c.Path != own }); at >= 0 {
		return &journal.Failure{
			Kind: spec.ReasonChanged, Next: next.Finalize.On(g.Job.ID),
			Message: fmt.Sprintf("branch %q has commits since the spec was completed, which change %q; finalize checks it again", g.Job.Branch, changes[at].Path),
		}
	}
	return nil
}

// NotCompletedHere is the failure of a branch whose spec chant has not completed in this repository.
func (g *Guard) NotCompletedHere() *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonForeign, Next: next.Finalize.On(g.Job.ID),
		Message: fmt.Sprintf("branch %q was not completed by chant in this repository; finalize checks what it holds, reset drops it", g.Job.Branch),
	}
}

// IsReopened reports whether the branch holds anything else than what chant has completed in this repository; its spec
// must then be checked again before it lands. complete is the newest complete commit, as for MayLand.
func (g *Guard) IsReopened(ctx context.Context, complete string) (bool, error) {
	tip, err := g.Repo.Resolve(ctx, "refs/heads/"+g.Job.Branch)
	if err != nil {
		return false, err
	}
	err = g.completedHere(ctx, tip, complete)
	f, ok := errors.AsType[*journal.Failure](err)
	if ok && (f.Kind == spec.ReasonForeign || f.Kind == spec.ReasonChanged) {
		return true, nil
	}
	return false, err
}

// FindSideEffects finds what an agent has changed outside its branch if no process has seen it end, because chant was
// killed while it worked.
func (g *Guard) FindSideEffects(ctx context.Context) error {
	last := g.Journal.History().Open()
	// An agent that ended under a process has been looked after by that process.
	if g.Accepted || g.seen != nil || last == nil || last.Agent != nil || last.Before == nil && last.Process == nil {
		return nil
	}
	// Without a record from before the agent, nothing can be compared, so the run is charged with that.
	found := journal.Found{Behind: []string{"the journal of the run was changed by another process: it does not say what was around the run when its agent began"}}
	if last.Before != nil {
		var err error
		if found, err = g.SideEffects(ctx, withCurrentChant(*last.Before, g.Chant)); err != nil || len(found.Behind) == 0 {
			return err
		}
	}
	return g.Journal.Charge(found)
}

// RecordSideEffects records what an agent changed outside its branch before it was stopped; its report is not kept.
func (g *Guard) RecordSideEffects(found journal.Found) error {
	if len(found.Behind) == 0 {
		return nil
	}
	return g.Journal.Record(journal.Guard, journal.Failed, found)
}

// BranchIntact checks that the branch still contains its start commit, and that the unfinished run was not merged into
// the target.
func (g *Guard) BranchIntact(ctx context.Context) error {
	t := g.Journal.History().Trusted
	// Trust in the target's copy names a commit that need not be on the branch.
	if t == nil || t.Commit == "" || t.OfTarget {
		return nil
	}
	ok, err := g.Repo.IsAncestor(ctx, t.Commit, "refs/heads/"+g.Job.Branch)
	if err != nil {
		return err
	}
	if !ok {
		return &journal.Failure{
			Kind: spec.ReasonStrayed, Next: next.Merge.On(g.Job.ID).Flag("rebase"),
			Message: fmt.Sprintf("branch %q was rewritten during the run: its start commit %s is gone from it", g.Job.Branch, attempt.Short(t.Commit)),
		}
	}
	// A person who has merged it by hand and accepts the rest knows.
	if g.Accepted {
		return nil
	}
	leaked, err := g.Repo.IsAncestor(ctx, t.Commit, "refs/heads/"+g.Job.Target)
	if errors.Is(err, gitops.ErrNotFound) {
		// The landing reports that the target is gone.
		return nil
	}
	if err == nil && leaked {
		err = &journal.Failure{Kind: spec.ReasonStrayed, Next: next.Shell("git log %s", g.Job.Target), Message: fmt.Sprintf("%q already has unfinished commits of this run: they were merged before it was completed", g.Job.Target)}
	}
	return err
}

// NothingToVerify is the failure of a spec without a criterion and without a command, where verify.require is set.
func NothingToVerify(id string) *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonNoCriteria, Next: next.Edit.On(id),
		Message: fmt.Sprintf("spec %q has %s, and verify.require is set (add an acceptance criterion)", id, criteria.Nothing),
	}
}

// requireChecks refuses to land a spec that has nothing to verify, if the settings require criteria.
func (g *Guard) requireChecks(ctx context.Context) error {
	if !g.Settings.Verify.Require {
		return nil
	}
	now, err := g.OwnSpec(ctx)
	if err != nil {
		return err
	}
	start, err := g.Trusted(ctx)
	if err != nil || criteria.PlanFor(start, now, g.Settings.Verify).Any() {
		return err
	}
	f := NothingToVerify(g.Job.ID)
	// Its criteria are those of the start commit, so an edit would not help.
	f.Next = next.Reset.On(g.Job.ID)
	return f
}

// requireKey refuses a landing whose evidence could not be signed by a trusted key, if the settings require one. The key
// must be trusted where the branch began, since later changes of the target may be the agent's, and on the target now,
// since a key that was removed is not trusted.
func (g *Guard) requireKey(ctx context.Context, target string) error {
	if !g.Settings.Signed {
		return nil
	}
	own, err := keyfile.Load(g.Environ)
	if err != nil {
		return err
	}
	if own == nil {
		return &journal.Failure{Kind: spec.ReasonUnapproved, Next: next.KeyInit.On(), Message: fmt.Sprintf("spec %q cannot land: evidence.signed is set, and this machine has no key", g.Job.ID)}
	}
	if _, err := own.Signer(); err != nil {
		return &journal.Failure{Kind: spec.ReasonUnapproved, Next: next.KeyList.On(), Message: fmt.Sprintf("spec %q cannot land: evidence.signed is set, and this machine's key cannot sign: %s", g.Job.ID, err)}
	}
	base, err := g.Base(ctx)
	if err != nil {
		return err
	}
	// Where the branch began, since later changes may be the agent's; and now, since a removed key is not trusted.
	for _, commit := range []string{base, target} {
		trusted, err := g.trustedAt(ctx, commit)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(trusted, func(t attest.Trusted) bool { return t.Key.Equal(own.Public) }) {
			continue
		}
		step := next.KeyTrust.On()
		if commit == base && base != target {
			// It may have been trusted since the branch began.
			step = next.Merge.On(g.Job.ID).Flag("rebase")
		}
		return &journal.Failure{Kind: spec.ReasonUnapproved, Next: step, Message: fmt.Sprintf("spec %q cannot land: evidence.signed is set, and commit %.7s of %q does not trust this machine's key %s", g.Job.ID, commit, g.Job.Target, own.Public.ID())}
	}
	return nil
}

// trustedAt returns the keys that a commit trusts, or home if git ignores .chant.
func (g *Guard) trustedAt(ctx context.Context, commit string) ([]attest.Trusted, error) {
	if g.Job.Silent {
		return keyfile.TrustedIn(filepath.Join(g.Store.Home(), filepath.FromSlash(store.KeysDir)))
	}
	return keyfile.TrustedAt(ctx, g.Repo, commit, store.KeysDir)
}
