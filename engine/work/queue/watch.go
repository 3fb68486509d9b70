package queue

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/schedule"
	"chant/engine/verify"
	"chant/engine/work"
	"chant/gitops/lockfile"
)

// WatchInput says what a watch does and how long.
type WatchInput struct {
	Work         bool     `json:"work,omitempty" jsonschema:"Also work specs as they become ready"`
	Parallel     int      `json:"parallel,omitempty" jsonschema:"Runs side by side (default: parallel.max_concurrent of the settings, else what its agents take together, else 1)"`
	Labels       []string `json:"labels,omitempty" jsonschema:"Work only specs with one of these labels"`
	AllowOverlap bool     `json:"allow_overlap,omitempty" jsonschema:"Work specs side by side although their target_files overlap"`
	Once         bool     `json:"once,omitempty" jsonschema:"End when there is nothing to do at the moment"`
	DryRun       bool     `json:"dry_run,omitempty" jsonschema:"Print what would be done, do nothing"`
	IdleTimeout  string   `json:"idle_timeout,omitempty" jsonschema:"End after so long with nothing to do, such as 30m; 0 = never"`
	Poll         string   `json:"poll,omitempty" jsonschema:"How often to look where the system reports no changes, such as 10s"`
}

// WatchResult is what a watch did.
type WatchResult struct {
	WorkAllResult
	Recovered []work.RecoveredRun  `json:"recovered,omitempty"` // runs whose process had died
	Cleaned   []work.CleanupAction `json:"cleaned,omitempty"`
	DryRun    bool                 `json:"dry_run,omitempty"`
}

// watchName names the lock that one watch of a repository holds.
const watchName = "watch"

// Watch keeps the scheduler running until there was nothing to do for the idle time:
// runs that a crash left are finished or settled, retries run when they are due, and
// with Work specs are worked as they become ready. Without Work it starts agents only
// for retries. A broken spec or a failing git command does not end it, but the removal
// of the repository does. After the first Ctrl-C nothing more starts; the second pauses
// what runs. Errors: Conflict when another watch is running, Usage, Canceled; a failed
// spec is not an error.
func Watch(ctx context.Context, p *engine.Project, in WatchInput) (WatchResult, error) {
	result, err := watch(ctx, p, in)
	return engine.Done(result, err, "")
}

func watch(ctx context.Context, p *engine.Project, in WatchInput) (WatchResult, error) {
	idle, poll, err := watchTimes(p, in)
	if err != nil {
		return WatchResult{}, err
	}
	if in.DryRun {
		return planWatch(ctx, p, in)
	}
	if err := engine.MayInside(p, "watch", ""); err != nil {
		return WatchResult{}, err
	}
	// One watch per repository: two would start every spec twice, and only the lock would stop the second.
	path, err := engine.LockFor(p, watchName)
	if err != nil {
		return WatchResult{}, watchHeldError(err)
	}
	lock, err := lockfile.Acquire(path, "watch")
	if err != nil {
		return WatchResult{}, watchHeldError(err)
	}
	// After the lock, which the request to stop has to name.
	ctx, p, release := engine.AddStopRequests(ctx, p, watchName, lock)
	w := newWatcher(p, in)
	result, err := w.run(ctx, idle, poll)
	return result, errors.Join(err, release(), lock.Release())
}

// watchHeldError returns the error for a second watch, with the step that shows the first one.
func watchHeldError(err error) error {
	var locked *lockfile.HeldError
	if !errors.As(err, &locked) {
		return err
	}
	return engine.Fail(engine.Conflict, next.WatchStatus.On(), "a watch is at work already, in process %d on %s", locked.Holder.PID, locked.Holder.Host)
}

// watchTimes returns how long a watch stays with nothing to do, -1 for ever, and how often it looks for changes.
func watchTimes(p *engine.Project, in WatchInput) (idle, poll time.Duration, err error) {
	idle, poll = time.Duration(p.Config.Watch.Idle)*time.Minute, p.Config.Watch.Poll
	for _, f := range []struct {
		text string
		into *time.Duration
		low  time.Duration
	}{{in.IdleTimeout, &idle, 0}, {in.Poll, &poll, time.Millisecond}} {
		if f.text == "" {
			continue
		}
		if *f.into, err = time.ParseDuration(f.text); err != nil || *f.into < f.low {
			return 0, 0, engine.Fail(engine.Usage, next.Watch.Help(), "invalid duration %q (use 90s, 10m or 1h30m)", f.text)
		}
	}
	if in.Parallel < 0 {
		return 0, 0, engine.Fail(engine.Usage, next.Watch.Help(), "invalid number of runs side by side %d (use 0 or more)", in.Parallel)
	}
	switch {
	case in.Once:
		idle = 0
	case idle == 0:
		idle = -1
	}
	return idle, poll, nil
}

// planWatch returns what a watch would do now, without doing it.
func planWatch(ctx context.Context, p *engine.Project, in WatchInput) (WatchResult, error) {
	w := newWatcher(p, in)
	result := WatchResult{DryRun: true}
	tasks, err := w.pool.tasks(ctx)
	if err != nil {
		return result, err
	}
	schedule.Order(tasks)
	for _, t := range tasks {
		h, err := journal.ReadHistory(p.Store, t.ID)
		if err != nil {
			return result, err
		}
		s, err := p.Store.Get(ctx, t.ID)
		if err != nil {
			return result, err
		}
		switch {
		case s.AwaitsRetry():
			result.Waiting = append(result.Waiting, WaitingSpec{s.ID, advice.RetryText(&s.Spec), s.Title})
		case work.ProcessDied(p, &s.Spec):
			result.Recovered = append(result.Recovered, work.RecoveredRun{ID: s.ID, Step: advice.LastStep(h), What: "its process died"})
		default:
			result.Ready = append(result.Ready, s.ID)
		}
	}
	result.Cleaned, err = work.RemoveLeftovers(ctx, p, true, true)
	return result, err
}

// watcher is a crew that also takes up the runs that crashes and retries leave.
type watcher struct {
	*pool
	once      bool
	recovered []work.RecoveredRun // guarded by crew.mu
	drift     seenDrift           // used only by the scheduler's loop
}

func newWatcher(p *engine.Project, in WatchInput) *watcher {
	sc := &scope{rank: map[string]int{}, all: in.Work, labels: in.Labels, left: func(s *spec.Spec) bool {
		return s.AwaitsRetry() || work.ProcessDied(p, s) || gotAnswer(p, s)
	}}
	w := &watcher{pool: newPool(p, WorkAllInput{All: in.Work, Parallel: in.Parallel, AllowOverlap: in.AllowOverlap}, sc), once: in.Once}
	w.recover = w.recoverRun
	return w
}

// gotAnswer reports whether the last attempt of a spec ended with a question to which its next agent gets the answer.
func gotAnswer(p *engine.Project, s *spec.Spec) bool {
	if s.Status != spec.Failed || s.Fields.ReasonCode != spec.ReasonQuestion {
		return false
	}
	all, err := question.OpenBox(p.Store.Files, p.Now).List(question.OfSpec(s.ID))
	// Status reports it.
	if err != nil {
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
	// Before the first look, so that no change falls between the two.
	wake, err := p.Store.Changes(stopped, poll)
	if err != nil {
		engine.Warn(p, "", fmt.Sprintf("the system reports no changes (%s); looking every %s", err, poll))
	}
	// First, since a worktree of a landed run may be in the way of a replay.
	cleaned := w.clean(stopped)
	who, err := w.chooseExecutor(stopped)
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
	who.close()
	// What was stopped still has to be counted and cleaned up after.
	calm := context.WithoutCancel(ctx)
	if w.changedAnything() {
		cleaned = append(cleaned, w.clean(calm)...)
	}
	all, err := w.buildResult(calm, summary)
	all.BeganAt, all.Seconds = began, p.Now().Sub(began).Seconds()
	if err = errors.Join(loopErr, err); err == nil {
		err = stopped.Err()
	}
	return WatchResult{WorkAllResult: all, Recovered: w.recovered, Cleaned: cleaned}, err
}

// tasks returns what could start now. If the specs cannot be read now, they are read the
// next time, unless the watch looks only once. A watch whose repository is gone ends.
func (w *watcher) tasks(ctx context.Context) ([]schedule.Task, error) {
	// Otherwise every look would fail in the same way for ever.
	if w.p.Repo.Gone() {
		return nil, engine.Fail(engine.NotFound, next.Watch.Help(), "the repository %q is gone, and the watch with it", engine.Home(w.p))
	}
	w.reportDrift(ctx)
	all, err := w.pool.nextTasks(ctx)
	switch {
	case err != nil && w.once:
		return nil, err
	// A watch outlives a broken file or a git that failed once.
	case err != nil && ctx.Err() == nil:
		engine.Warn(w.p, "", "the specs cannot be read now: "+engine.Wrap(err, "").Error())
	case !w.once:
		return all, nil
	}
	var due []schedule.Task
	// With --once, a retry that is not due yet is nothing to do.
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

// seenDrift is the drift that a watch has seen: the tip of the target at which it looked
// last, and the content of the files of each drifted spec. Drift from before the watch
// began is not reported; the drift operation lists it.
type seenDrift struct {
	tip     string
	content map[string]string
}

// reportDrift reports the specs that have drifted since the target moved, once for each
// change of their files. It changes no status.
func (w *watcher) reportDrift(ctx context.Context) {
	tip, drifted, err := w.newDrift(ctx)
	if err != nil {
		if ctx.Err() == nil {
			engine.Warn(w.p, "", "drift cannot be determined now: "+engine.Wrap(err, "").Error())
		}
		return
	}
	if tip == w.drift.tip {
		return
	}
	known := w.drift.content
	// Drift from before the watch is not news.
	begun := w.drift.tip != ""
	w.drift = seenDrift{tip: tip, content: map[string]string{}}
	for _, d := range drifted {
		w.drift.content[d.ID] = d.Content
		if begun && known[d.ID] != d.Content {
			w.report(d.ID, "drifted", strings.Join(d.DescribeFiles(), ", "))
		}
	}
}

// newDrift returns the tip of the target and, if that has moved, the specs that have drifted there.
func (w *watcher) newDrift(ctx context.Context) (tip string, drifted []verify.DriftedSpec, err error) {
	target, err := engine.Target(ctx, w.p)
	if err != nil {
		return "", nil, err
	}
	// Comparing every spec takes long, and only a moved target changes the result.
	if tip, err = w.p.Repo.Resolve(ctx, "refs/heads/"+target); err != nil || tip == w.drift.tip {
		return tip, nil, err
	}
	r, err := verify.DriftOf(ctx, w.p, verify.DriftInput{At: tip, Limit: math.MaxInt})
	for _, d := range r.Specs {
		if d.State == verify.Drifted {
			drifted = append(drifted, d)
		}
	}
	return tip, drifted, err
}
