package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/train"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
)

// car is the run's branch as a car of its target's train.
func (l *Lander) car(ctx context.Context) (train.Car, error) {
	// Not the copy on the branch, in which an agent could put its own work before that of all others.
	start, err := l.Trusted(ctx)
	if err != nil {
		return train.Car{}, err
	}
	locks, err := l.Store.Local(local.Locks, "")
	if err != nil {
		return train.Car{}, err
	}
	l.train = train.Of(locks, l.Job.Target)
	// Where priorities do not count, all have the same.
	level, _ := spec.Priority("").Level()
	if !l.Settings.Landing.ByArrival {
		level, _ = start.Fields.Priority.Level()
	}
	c := train.Car{ID: l.Job.ID, Priority: level, Since: time.Now().UTC()}
	c.Seconds, c.Load = criteria.Load(l.Judge.Report.Criteria)
	return c, nil
}

// notAwaited is why a car left the train before its turn, as a failure of the run where that is no person's stop.
func (l *Lander) notAwaited(err error) error {
	if !errors.Is(err, train.ErrEjected) && !errors.Is(err, train.ErrMaxWait) {
		return err
	}
	return &journal.Failure{
		Kind: spec.ReasonQueue, Next: next.Merge.On(l.Job.ID),
		Message: fmt.Sprintf("%q is completed on %q but has not landed: %s", l.Job.ID, l.Job.Branch, err),
	}
}

// show lets those that wait know what results if this branch lands.
func (l *Lander) show(ctx context.Context, seat *train.Seat, c *candidate) error {
	under, err := l.Repo.ReadCommit(ctx, c.on)
	if err != nil {
		return err
	}
	lands, err := l.Repo.ReadCommit(ctx, c.lands)
	if err != nil {
		return err
	}
	return seat.Stacked(under.Tree, c.lands, lands.Tree)
}

// ahead is what a branch does while others land before it: it is merged and judged as if they had landed. Nothing of that
// decides; it is only known already if the same tree results when its turn comes.
type ahead struct{ *Lander }

// Target returns the tip of the target, and its tree.
func (a *ahead) Target(ctx context.Context) (commit, tree string, err error) {
	if commit, err = a.TargetTip(ctx); err != nil {
		return "", "", err
	}
	at, err := a.Repo.ReadCommit(ctx, commit)
	return commit, at.Tree, err
}

// Stack merges the branch into what results if all before it land. Where the landing completes a driver, which has commits
// and criteria of its own, nothing is merged before its turn.
func (a *ahead) Stack(ctx context.Context, on string) (merge, tree, why string, err error) {
	a.stacked = nil
	tip, err := a.Repo.Resolve(ctx, "refs/heads/"+a.Job.Branch)
	if err != nil {
		return "", "", "", err
	}
	graph, err := a.Guard.Graph(ctx)
	if err != nil || len(graph.DueDrivers(a.Job.ID)) > 0 {
		return "", "", "", err
	}
	c, err := a.mergeOn(ctx, on, tip, tip, nil)
	if f, ok := errors.AsType[*journal.Failure](err); ok {
		return "", "", f.Message, nil
	}
	// What cannot be merged for another reason, such as a commit of another process that is gone, is merged at its turn.
	if err != nil {
		return "", "", "", ctx.Err()
	}
	lands, err := a.Repo.ReadCommit(ctx, c.lands)
	if err != nil {
		return "", "", "", ctx.Err()
	}
	a.stacked = c
	return c.lands, lands.Tree, "", nil
}

// AnnounceHold reports that the branch waits because a person holds it, or the whole queue.
func (a *ahead) AnnounceHold() {
	what := "this branch in the queue of"
	if _, all := a.train.IsHeld(); all {
		what = "the queue of"
	}
	a.Announce(journal.Land, "step", "waits to land: a person holds %s %q", what, a.Job.Target)
}

// AnnounceWait reports which branches land before this one.
func (a *ahead) AnnounceWait(before []string) {
	a.Announce(journal.Land, "step", "waits to land on %q behind %s", a.Job.Target, train.NameSome(before))
}

// Check runs the criteria on what was stacked.
func (a *ahead) Check(ctx context.Context, behind []string) (why string, err error) {
	after := ""
	if len(behind) > 0 {
		after = " after " + strings.Join(behind, ", ")
	}
	err = a.Judge.judgeMerged(ctx, a.stacked.tip, a.stacked.merge, after)
	if f, ok := errors.AsType[*journal.Failure](err); ok && f.Kind.FailsVerification() {
		return f.Message, nil
	}
	return "", err
}
