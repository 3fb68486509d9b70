package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/schedule"
	"chant/engine/spec"
	"chant/engine/work"
)

// watcher is a crew that also sees to what crashes and retries leave.
type watcher struct {
	*crew
	once      bool
	recovered []work.RecoveredRun // guarded by crew.mu
	drift     driftTold           // of the scheduler's loop alone
}

func newWatcher(p *engine.Project, in WatchInput) *watcher {
	sc := &scope{rank: map[string]int{}, all: in.Work, labels: in.Labels, left: func(s *spec.Spec) bool {
		return s.AwaitsRetry() || work.ProcessDied(p, s)
	}}
	w := &watcher{crew: newCrew(p, WorkAllInput{All: in.Work, Parallel: in.Parallel, AllowOverlap: in.AllowOverlap}, sc), once: in.Once}
	w.recover = w.recoverRun
	return w
}

func (w *watcher) run(ctx context.Context, idle, poll time.Duration) (WatchResult, error) {
	p := w.p
	began := p.Now()
	stopped, cancel := context.WithCancel(ctx)
	defer cancel()
	drain, release := w.heedInterrupts(stopped, cancel)
	defer release()
	wake, err := p.Store.Changes(stopped, poll)
	if err != nil {
		engine.Warn(p, "", fmt.Sprintf("the system reports no changes (%s); looking every %s", err, poll))
	}
	cleaned := w.clean(stopped)
	loop := schedule.Scheduler{
		Width: width(p, WorkAllInput{All: true, Parallel: w.in.Parallel}), AllowOverlap: w.in.AllowOverlap, Pool: pool(p, "", w.random),
		StopOnFailure: p.Config.Retry.Policy().Finally == schedule.Stop,
		Stagger:       p.Config.Parallel.Stagger, Jitter: p.Config.Parallel.Jitter,
		Drain: drain, Wake: wake, Idle: idle, Waits: w.sayWaiting, Now: p.Now, After: p.After, Random: w.random,
	}
	summary, loopErr := loop.Run(stopped, w.tasks, w.work)
	calm := context.WithoutCancel(ctx)
	if w.recoveredAny() {
		cleaned = append(cleaned, w.clean(calm)...)
	}
	all, err := w.tally(calm, summary)
	all.Seconds = p.Now().Sub(began).Seconds()
	if err = errors.Join(loopErr, err); err == nil {
		err = stopped.Err()
	}
	return WatchResult{WorkAllResult: all, Recovered: w.recovered, Cleaned: cleaned}, err
}

// tasks is what could start now. What cannot be read now is read the next time, if
// there is one; only without its repository a watch ends by itself.
func (w *watcher) tasks(ctx context.Context) ([]schedule.Task, error) {
	if w.p.Repo.Gone() {
		return nil, engine.Fail(engine.NotFound, next.Watch.Help(), "the repository %q is gone, and the watch with it", engine.Home(w.p))
	}
	w.tellDrift(ctx)
	all, err := w.crew.next(ctx)
	switch {
	case err != nil && w.once:
		return nil, err
	case err != nil && ctx.Err() == nil:
		engine.Warn(w.p, "", "the specs cannot be read now: "+engine.Wrap(err, "").Error())
	case !w.once:
		return all, nil
	}
	var due []schedule.Task
	for _, t := range all {
		if !t.Due.After(w.p.Now()) {
			due = append(due, t)
		}
	}
	return due, nil
}

// recoverRun sees to a run whose process died, and remembers it.
func (w *watcher) recoverRun(ctx context.Context, h *engine.Held) (found, settled bool, err error) {
	run, settled, err := work.RecoverHeld(ctx, w.p, h, w.in.All)
	if run == nil || err != nil {
		return run != nil, settled, err
	}
	w.mu.Lock()
	w.recovered = append(w.recovered, *run)
	w.mu.Unlock()
	w.say(run.ID, "recovered", run.What)
	return true, settled, nil
}

func (w *watcher) recoveredAny() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.recovered)+len(w.completed) > 0
}

// clean removes what landed and broken runs have left, but no worktree that was asked
// to stay.
func (w *watcher) clean(ctx context.Context) []work.CleanupAction {
	out, err := work.RemoveLeftovers(ctx, w.p, false, true)
	if err != nil && ctx.Err() == nil {
		engine.Warn(w.p, "", "clean-up: "+err.Error())
	}
	return out
}
