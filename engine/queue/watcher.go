package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/question"
	"chant/engine/schedule"
	"chant/engine/spec"
	"chant/engine/work"
)

// watcher is a crew that also takes up the runs that crashes and retries leave.
type watcher struct {
	*crew
	once      bool
	recovered []work.RecoveredRun // guarded by crew.mu
	drift     seenDrift           // used only by the scheduler's loop
}

func newWatcher(p *engine.Project, in WatchInput) *watcher {
	sc := &scope{rank: map[string]int{}, all: in.Work, labels: in.Labels, left: func(s *spec.Spec) bool {
		return s.AwaitsRetry() || work.ProcessDied(p, s) || answered(p, s)
	}}
	w := &watcher{crew: newCrew(p, WorkAllInput{All: in.Work, Parallel: in.Parallel, AllowOverlap: in.AllowOverlap}, sc), once: in.Once}
	w.recover = w.recoverRun
	return w
}

// answered reports whether the last attempt of a spec ended with a question to which its next agent gets the answer.
func answered(p *engine.Project, s *spec.Spec) bool {
	if s.Status != spec.Failed || s.Fields.ReasonCode != spec.ReasonQuestion {
		return false
	}
	all, err := question.In(p.Store.Files, p.Now).List(question.OfSpec(s.ID))
	if err != nil { // status reports it
		return false
	}
	return len(question.WithState(all, question.Open)) == 0 && slices.ContainsFunc(all, question.Question.Waits)
}

func (w *watcher) run(ctx context.Context, idle, poll time.Duration) (WatchResult, error) {
	p := w.p
	began := p.Now()
	stopped, cancel := context.WithCancel(ctx)
	defer cancel()
	drain, release := w.handleInterrupts(stopped, cancel)
	defer release()
	wake, err := p.Store.Changes(stopped, poll)
	if err != nil {
		engine.Warn(p, "", fmt.Sprintf("the system reports no changes (%s); looking every %s", err, poll))
	}
	cleaned := w.clean(stopped)
	who, err := w.crowdFor(stopped)
	if err != nil {
		return WatchResult{Cleaned: cleaned}, err
	}
	loop := schedule.Scheduler{
		Width: who.width, AllowOverlap: w.in.AllowOverlap, Pool: who.pool,
		StopOnFailure: p.Config.Retry.Policy().Finally == schedule.Stop,
		Stagger:       p.Config.Parallel.Stagger, Jitter: p.Config.Parallel.Jitter,
		Drain: drain, Wake: wake, Idle: idle, Waits: w.reportWaiting, Idles: w.reportIdle, Now: p.Now, After: p.After, Random: w.random,
	}
	summary, loopErr := loop.Run(stopped, w.tasks, who.work)
	loopErr = errors.Join(loopErr, who.close())
	calm := context.WithoutCancel(ctx)
	if w.changedAnything() {
		cleaned = append(cleaned, w.clean(calm)...)
	}
	all, err := w.tally(calm, summary)
	all.BeganAt, all.Seconds = began, p.Now().Sub(began).Seconds()
	if err = errors.Join(loopErr, err); err == nil {
		err = stopped.Err()
	}
	return WatchResult{WorkAllResult: all, Recovered: w.recovered, Cleaned: cleaned}, err
}

// tasks returns what could start now. If the specs cannot be read now, they are read the
// next time, unless the watch looks only once. A watch whose repository is gone ends.
func (w *watcher) tasks(ctx context.Context) ([]schedule.Task, error) {
	if w.p.Repo.Gone() {
		return nil, engine.Fail(engine.NotFound, next.Watch.Help(), "the repository %q is gone, and the watch with it", engine.Home(w.p))
	}
	w.reportDrift(ctx)
	all, err := w.crew.nextTasks(ctx)
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

// recoverRun recovers a run whose process died, and records that.
func (w *watcher) recoverRun(ctx context.Context, h *engine.Held) (found, settled bool, err error) {
	run, settled, err := work.RecoverHeld(ctx, w.p, h, w.in.All)
	if run == nil || err != nil {
		return run != nil, settled, err
	}
	w.mu.Lock()
	w.recovered = append(w.recovered, *run)
	w.mu.Unlock()
	w.report(run.ID, "recovered", run.What)
	return true, settled, nil
}

func (w *watcher) changedAnything() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.recovered)+len(w.completed) > 0
}

// clean removes what landed and broken runs have left, except worktrees that a person
// asked to keep.
func (w *watcher) clean(ctx context.Context) []work.CleanupAction {
	out, err := work.RemoveLeftovers(ctx, w.p, false, true)
	if err != nil && ctx.Err() == nil {
		engine.Warn(w.p, "", "cleanup: "+err.Error())
	}
	return out
}
