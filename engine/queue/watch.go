package queue

import (
	"context"
	"errors"
	"time"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/schedule"
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
	path, err := engine.LockFor(p, watchName)
	if err != nil {
		return WatchResult{}, watchHeldError(err)
	}
	lock, err := lockfile.Acquire(path, "watch")
	if err != nil {
		return WatchResult{}, watchHeldError(err)
	}
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
	tasks, err := w.crew.tasks(ctx)
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
