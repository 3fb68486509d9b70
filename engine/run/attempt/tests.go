package attempt

import (
	"context"
	"errors"

	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/gitops"
)

// Tests returns the branch of failing tests, of another spec, with which the run's branch begins: that spec, and the commit that
// the start commit has merged. Both are "" if it begins with none.
func (a *Attempt) Tests(ctx context.Context) (id, commit string, err error) {
	t := a.Journal.history.Trusted
	if t == nil || t.Commit == "" || a.Job.Silent {
		return "", "", nil
	}
	start, err := a.Repo.ReadCommit(ctx, t.Commit)
	if errors.Is(err, gitops.ErrNotFound) {
		return "", "", nil
	}
	// What a person has accepted counts instead of a start commit, and may be any merge.
	if of, event := message.SpecAndEvent(start); err != nil || of != a.Job.ID || event != string(spec.Start) || len(start.Parents) != 2 {
		return "", "", err
	}
	id, err = SpecOf(ctx, a.Repo, start.Parents[1])
	return id, start.Parents[1], err
}

// SpecOf returns the spec whose state a commit of chant has changed.
func SpecOf(ctx context.Context, repo *gitops.Repo, commit string) (string, error) {
	c, err := repo.ReadCommit(ctx, commit)
	id, _ := message.SpecAndEvent(c)
	return id, err
}

// Before returns the commit that the work is compared with: its start commit if that has the failing tests which the work makes
// pass, else the one where the branch left the target.
func (a *Attempt) Before(ctx context.Context) (string, error) {
	id, _, err := a.Tests(ctx)
	if err != nil || id == "" {
		base, baseErr := a.Base(ctx)
		return base, errors.Join(err, baseErr)
	}
	return a.Journal.history.Trusted.Commit, nil
}
