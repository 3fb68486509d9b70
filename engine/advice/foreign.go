package advice

import (
	"context"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/run"
	"chant/engine/run/attempt"
	"chant/engine/spec"
)

// notStarted names the branch of a spec that has the name of a run's and that chant did not
// start, neither here nor in another clone; "" for any other spec. What is on it may be
// anybody's, and the spec cannot be worked beside it.
func notStarted(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) (string, error) {
	if last := h.Last(); s.Branch == "" || last != nil && !last.Gone {
		return "", nil
	}
	target, err := run.TargetOf(ctx, p, s, h)
	if err != nil {
		return "", nil //nolint:nilerr // what needs the target reports that there is none
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

// StartedHere refuses what is about a run where there is only a branch with its name.
func StartedHere(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) error {
	branch, err := notStarted(ctx, p, s, h)
	if err != nil || branch == "" {
		return err
	}
	stands := foreignBranch(branch)
	return engine.Fail(engine.Conflict, stands.Next, "%s", stands.Why)
}

// foreignBranch is how a spec stands whose run's branch was not started by chant.
func foreignBranch(branch string) standing {
	return stands(next.Shell("git branch -m %s %s", branch, aside(branch)), "branch %q was not started by chant; give it another name, then the spec can be worked", branch)
}

// aside is a name for a branch that is in the way of a run's.
func aside(branch string) string { return "kept/" + branch }
