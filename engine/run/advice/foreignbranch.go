package advice

import (
	"context"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// findForeignBranch returns the branch of a spec if it has the name of a run's branch but was not
// started by chant, neither here nor in another clone; else "". It may contain a person's own work,
// and the spec cannot be worked while it exists.
func findForeignBranch(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) (string, error) {
	// A branch with a journal here was made by this repository.
	if last := h.Last(); s.Branch == "" || last != nil && !last.Gone {
		return "", nil
	}
	target, err := run.TargetOf(ctx, p, s, h)
	if err != nil {
		// Whatever needs the target reports that it is missing.
		return "", nil //nolint:nilerr
	}
	tracked, err := p.Store.Tracked(ctx)
	if err != nil {
		return "", err
	}
	started, err := attempt.StartedByChant(ctx, p.Repo, journal.Job{ID: s.ID, Branch: s.Branch, Target: target, Silent: !tracked})
	if err != nil || started {
		return "", err
	}
	return s.Branch, nil
}

// RefuseForeignBranch refuses to operate on a run if its branch was not started by chant.
func RefuseForeignBranch(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) error {
	branch, err := findForeignBranch(ctx, p, s, h)
	if err != nil || branch == "" {
		return err
	}
	c := concludeForeignBranch(s, branch)
	return engine.Fail(engine.Conflict, c.Next, "%s", c.Why)
}

// concludeForeignBranch concludes for a spec whose branch was not started by chant. The older chant named the branch of a run in
// the copy of the spec that is checked out: a person adopts that work, and the criteria decide whether it is
// complete. Nothing on the branch is believed about that, since an agent could have made it.
func concludeForeignBranch(s *spec.Spec, branch string) conclusion {
	here := s
	if s.Home != nil {
		here = s.Home
	}
	if here.Fields.Branch == branch {
		return conclude(next.Merge.On().Set("adopt", branch),
			"branch %q was started by the older chant; adopted, its work is checked like that of a run and lands; after \"git branch -m %[1]s %s\" the spec can be worked anew", branch, keptName(branch))
	}
	return conclude(next.Shell("git branch -m %s %s", branch, keptName(branch)), "branch %q was not started by chant; give it another name, then the spec can be worked, or adopt it", branch)
}

// RefuseStrayCommits refuses to continue on the branch of a run if it has received commits that neither chant nor a
// checkout of it knows: the agent of another run may have put them there.
func RefuseStrayCommits(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) error {
	if s.Branch == "" {
		return nil
	}
	a := run.NewQuestionRun(p, journal.Job{ID: s.ID, Branch: s.Branch}, h).Attempt
	stray, err := tree.FindStray(ctx, a)
	if err != nil || stray == nil {
		return err
	}
	why, way := stray.Explain(ctx, a)
	return engine.Fail(engine.Conflict, way, "%s", why)
}

// keptName returns a new name for a branch that has the name of a run's branch.
func keptName(branch string) string { return "kept/" + branch }
