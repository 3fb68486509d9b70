package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/engine/store/touched"
	"chant/gitops"
	"chant/text"
)

// CheckUntampered checks that the branch changes no protected file and, below .chant, nothing but its own spec; and in that
// no criterion, no command and no approval.
func (g *Guard) CheckUntampered(ctx context.Context) error {
	// Checked also after a person has accepted: git servers refuse such objects.
	if err := checkWellFormed(ctx, g); err != nil || g.Accepted {
		return err
	}
	since, err := g.acceptedCommit(ctx)
	if err != nil {
		return err
	}
	changes, err := g.Repo.Diff(ctx, since, "refs/heads/"+g.Job.Branch)
	if err != nil {
		return err
	}
	var found []string
	own, err := g.ownPaths(ctx)
	if err != nil {
		return err
	}
	// An agent can change the spec of the tests as little as any other.
	if len(own) > 1 {
		same, err := g.Repo.Diff(ctx, g.Journal.History().Trusted.Commit, "refs/heads/"+g.Job.Branch)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(same, func(c gitops.Change) bool { return c.Path == own[1] }) {
			own = own[:1]
		}
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return err
	}
	for _, c := range changes {
		switch {
		// Its own spec is compared by meaning further down.
		case slices.Contains(own, c.Path):
		case touched.InChant(c.Path):
			found = append(found, fmt.Sprintf("%s was %s", c.Path, touched.DescribeStatus(c.Status)))
		}
	}
	found = append(found, g.findShadows(changes)...)
	rules, err := g.rules(ctx, start, since)
	if err != nil {
		return err
	}
	things, err := g.commits().Guarded(ctx, since, "refs/heads/"+g.Job.Branch, rules)
	if err != nil {
		return err
	}
	for _, t := range things {
		found = append(found, t.String())
	}
	secrets, err := g.SecretsIn(ctx, since, "refs/heads/"+g.Job.Branch)
	if err != nil {
		return err
	}
	found = append(found, secrets...)
	merged, err := g.otherRuns(ctx, since)
	if err != nil {
		return err
	}
	found = append(found, merged...)
	if g.Job.Silent {
		// The spec is not on the branch, and home's copy is compared in verify.
		return attempt.TamperFailure(found)
	}
	more, err := g.ownSpecTampering(ctx)
	if err != nil {
		return err
	}
	// Messages name the first few, and what was done to the spec says most.
	return attempt.TamperFailure(append(more, found...))
}

// otherRuns lists the runs of other specs whose start commit the branch has gained, and the target does not have. A landing would
// bring it there, and what that run has made since could never land: its unfinished commits would be on the target (BranchIntact).
func (g *Guard) otherRuns(ctx context.Context, since string) ([]string, error) {
	commits, err := g.Repo.Log(ctx, since, "refs/heads/"+g.Job.Branch)
	if err != nil {
		return nil, err
	}
	var starts []gitops.Commit
	landed := map[string]string{} // by spec
	for _, c := range commits {
		id, event := message.SpecAndEvent(c)
		if event == attempt.LandWord {
			landed[id] = c.Hash
		}
		if id != "" && id != g.Job.ID && slices.Contains([]string{string(spec.Start), string(spec.Replay)}, event) {
			starts = append(starts, c)
		}
	}
	if len(starts) == 0 {
		return nil, nil
	}
	// What a merge of the target brought in is there already.
	own, err := notOnTarget(ctx, g)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range starts {
		if own != nil && !own[c.Hash] {
			continue
		}
		before, err := g.beganWith(ctx, c.Hash)
		if err != nil {
			return nil, err
		}
		id, _ := message.SpecAndEvent(c)
		// It has landed on another branch than this target.
		if at := landed[id]; at != "" && !before {
			if before, err = g.Repo.IsAncestor(ctx, c.Hash, at); err != nil {
				return nil, err
			}
		}
		if !before {
			out = append(out, fmt.Sprintf("the branch has commit %s, with which the run of spec %s began and which %q does not have", attempt.Short(c.Hash), spec.Echo(id), g.Job.Target))
		}
	}
	return out, nil
}

// beganWith reports whether a commit was on the branch when its run began.
func (g *Guard) beganWith(ctx context.Context, commit string) (bool, error) {
	t := g.Journal.History().Trusted
	// A branch that came without its journal does not say where its run began.
	if t == nil || t.Commit == "" || t.OfTarget {
		return false, nil
	}
	is, err := g.Repo.IsAncestor(ctx, commit, t.Commit)
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	return is, err
}

// checkWellFormed checks that git would write the commits of the branch as they are. No person can accept others: they could not
// push what has landed to a server that checks what it receives.
func checkWellFormed(ctx context.Context, g *Guard) error {
	base, err := g.Base(ctx)
	if err != nil {
		return err
	}
	tip, err := g.Repo.Resolve(ctx, "refs/heads/"+g.Job.Branch)
	if err != nil || tip == base {
		return err
	}
	said, err := g.Repo.Malformed(ctx, base, tip)
	if err != nil || said == "" {
		return err
	}
	return &journal.Failure{
		Kind: spec.ReasonTampered, Details: []string{said}, Next: next.Reset.On(g.Job.ID),
		Message: fmt.Sprintf("forbidden changes during the run: branch %q has an object that git would not write: %s", g.Job.Branch, said),
	}
}

// acceptedCommit returns the commit up to which a person has accepted all changes of the branch, else the commit where it
// left the target.
func (g *Guard) acceptedCommit(ctx context.Context) (string, error) {
	t := g.Journal.History().Trusted
	if t == nil || !t.Accepted || t.Commit == "" {
		return g.Base(ctx)
	}
	// A rewritten branch may hold anything under the accepted commit's name.
	grown, err := g.Repo.IsAncestor(ctx, t.Commit, "refs/heads/"+g.Job.Branch)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return "", err
	}
	if grown {
		return t.Commit, nil
	}
	return g.Base(ctx)
}

func (g *Guard) commits() touched.Commits { return touched.Commits{Repo: g.Repo, Store: g.Store} }

// rules returns what is protected from the run.
func (g *Guard) rules(ctx context.Context, start *spec.File, commit string) (touched.Rules, error) {
	rules, err := g.commits().RulesAt(ctx, commit, slices.Concat(g.Settings.Verify.Protect, start.Checks().Protect))
	if err != nil {
		return rules, err
	}
	rules.Lent, err = g.lentPaths(ctx)
	return rules, err
}

func (g *Guard) ownSpecTampering(ctx context.Context) ([]string, error) {
	start, err := g.Trusted(ctx)
	if err != nil {
		return nil, err
	}
	now, err := g.OwnSpec(ctx)
	// A question of a person changes nothing on the branch.
	if err != nil && g.Asked {
		return []string{fmt.Sprintf("the spec can no longer be read (%s)", err)}, nil
	}
	if err != nil {
		// Put back so that a status can be written into it.
		return []string{fmt.Sprintf("the spec can no longer be read (%s); it was put back as it was", err)}, g.PutBack(ctx, start)
	}
	found := g.Rewritten(start, now)
	comments, err := reviewTampering(ctx, g, start, now)
	if err != nil {
		return nil, err
	}
	more, err := g.weakerThanTarget(ctx, now)
	return slices.Concat(found, comments, more), err
}

// weakerThanTarget compares the spec with the target's version where its branch began. It does so if a process died
// while the agent worked: the agent may then have written the journal, which names the criteria that count.
func (g *Guard) weakerThanTarget(ctx context.Context, now *spec.File) ([]string, error) {
	// The agent may then have written the journal, which names the criteria that count.
	if !g.Journal.History().HasCrashed() {
		return nil, nil
	}
	base, err := g.Base(ctx)
	if err != nil {
		return nil, err
	}
	before, err := g.SpecAt(ctx, base)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return spec.WeakenedChecks(before, now), nil
}

// Rewritten lists what was changed in a spec's criteria, checks and approval since its start commit. A change of
// OpenSpec that is in the archive now counts: a landing would take its deltas for applied.
func (g *Guard) Rewritten(start, now *spec.File) []string {
	found := append(spec.WeakenedChecks(start, now), spec.LoosenedRequirements(start, now, g.Settings.Required)...)
	if was, is := start.Adopted(), now.Adopted(); was != nil && is != nil && is.Moved && !was.Moved {
		found = append(found, fmt.Sprintf("%s was moved to %s, which the landing does when it applies the deltas", was.Dir, is.Dir))
	}
	// They are in no file that a run may change.
	if _, section, err := spec.CutHeldOut(now.Doc); err != nil || section != nil {
		found = append(found, "held-out criteria were added to the spec")
	}
	if !g.sameApproval(start, now) {
		found = append(found, "the approval in the spec was changed")
	}
	return found
}

// CheckSideEffects checks that no agent of the run has changed anything outside its branch. A change counts until a
// person accepts it or drops the run.
func (g *Guard) CheckSideEffects() error {
	if g.Accepted {
		return nil
	}
	var found []string
	for _, a := range g.Journal.History().Attempts {
		if !a.Gone {
			found = append(found, a.Behind...)
		}
		// What this process has found about the attempt is added below.
		if !a.Gone && a.Agent != nil && (g.found == nil || a.Number != g.Job.Attempt) {
			found = append(found, a.Agent.Behind...)
		}
	}
	if g.found != nil {
		found = append(found, g.found.Behind...)
	}
	return attempt.TamperFailure(found)
}

// PutBack commits the trusted version of the spec, so that a status can be written into it. The agent's version stays
// in the history of the branch.
func (g *Guard) PutBack(ctx context.Context, start *spec.File) error {
	own := store.SpecPath(g.Job.ID)
	if err := g.Store.Put(g.Trees.Tree, own, start.Doc.Bytes()); err != nil {
		return err
	}
	_, _, err := g.Repo.CommitFiles(ctx, gitops.CommitOptions{
		Branch: g.Job.Branch, Dir: g.Trees.Tree, Message: g.Message("restore", "The agent had made the spec unreadable."),
		Files: []gitops.File{{Path: own, Content: start.Doc.Bytes()}},
	})
	return err
}

// reviewTampering lists the comments of reviews that were added, changed or removed on the branch, where only people
// comment. What the target or home has may have come with a merge.
func reviewTampering(ctx context.Context, g *Guard, start, now *spec.File) ([]string, error) {
	had, have := task.Comments(start.Doc), task.Comments(now.Doc)
	added, gone := task.Difference(have, had), task.Difference(had, have)
	// What the target or home has may have come with a merge.
	if len(added) > 0 {
		there, err := g.OnTarget(ctx, "refs/heads/"+g.Job.Target)
		if err != nil {
			return nil, err
		}
		home, err := g.Store.ReadHome(g.Job.ID)
		if err != nil {
			// It exists only on its branch, or cannot be read, and does not count then.
			home = nil
		}
		for _, other := range []*spec.File{there, home} {
			if other != nil {
				added = slices.DeleteFunc(added, func(c task.Comment) bool {
					return slices.ContainsFunc(task.Comments(other.Doc), c.Same)
				})
			}
		}
	}
	var out []string
	for _, c := range added {
		out = append(out, fmt.Sprintf("a comment was written into the review: %s", spec.Echo(text.FirstLine(c.Text))))
	}
	for _, c := range gone {
		out = append(out, fmt.Sprintf("a comment of the review was changed or removed: %s", spec.Echo(text.FirstLine(c.Text))))
	}
	return out, nil
}
