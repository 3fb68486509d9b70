package queue

import (
	"context"
	"os"
	"strconv"
	"time"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/gitops/lockfile"
	"chant/providers"
)

// WatchStatusInput has no fields.
type WatchStatusInput struct{}

// WatchStatusResult reports whether a watch is running, and lists the worktrees of runs.
type WatchStatusResult struct {
	Running   bool        `json:"watch_running"`
	PID       int         `json:"pid,omitempty"`
	Since     string      `json:"since,omitempty"`
	Worktrees []WatchTree `json:"worktrees"`
	Count     int         `json:"worktree_count"`
}

// WatchTree is the worktree of a run.
type WatchTree struct {
	SpecID    string `json:"spec_id"`
	Path      string `json:"path"`
	Status    string `json:"status"`
	Run       string `json:"run,omitempty"` // running or interrupted
	UpdatedAt string `json:"updated_at,omitempty"`
	Error     string `json:"error,omitempty"` // why the run has stopped
	Commits   int    `json:"commits"`         // on its branch and not on the target
}

// WatchStatus reports whether a watch is running, and lists the worktrees of runs.
func WatchStatus(ctx context.Context, p *engine.Project, _ WatchStatusInput) (WatchStatusResult, error) {
	r := WatchStatusResult{Worktrees: []WatchTree{}}
	if holder, held := lockfile.HeldBy(watchPath(p)); held {
		r.Running, r.PID, r.Since = true, holder.PID, holder.Since.UTC().Format(time.RFC3339)
	}
	trees, err := p.Repo.Worktrees(ctx)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	for _, t := range trees {
		if id, ok := engine.RunOfTree(p, t); ok && p.Store.Exists(id) {
			r.Worktrees = append(r.Worktrees, watchTree(ctx, p, t, id))
		}
	}
	r.Count = len(r.Worktrees)
	return r, nil
}

func watchPath(p *engine.Project) string { return p.Store.LockPath(watchName) }

func watchTree(ctx context.Context, p *engine.Project, t gitops.Worktree, id string) WatchTree {
	v := WatchTree{SpecID: id, Path: t.Path, Status: "unknown"}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	v.Status, v.Run, v.Error = string(s.Status), advice.RunState(p, &s.Spec), s.Fields.Reason
	if info, err := os.Stat(p.Store.LogPath(id)); err == nil {
		v.UpdatedAt = info.ModTime().UTC().Format(time.RFC3339)
	}
	if target, err := run.TargetFor(ctx, p, &s.Spec); err == nil && s.Branch != "" {
		commits, err := p.Repo.Log(ctx, "refs/heads/"+target, "refs/heads/"+s.Branch)
		if err != nil {
			v.Error = err.Error()
		}
		v.Commits = len(commits)
	}
	return v
}

// WatchStartResult is a watch that was started in a process of its own.
type WatchStartResult struct {
	PID    int    `json:"pid"`
	Output string `json:"output"` // the file that it writes to
}

// WatchStart starts a watch in a process of its own, which continues when this one
// ends. It returns once that process is running, or the error with which it ended
// before. Errors: Conflict when another watch is running.
func WatchStart(ctx context.Context, p *engine.Project, in WatchInput) (WatchStartResult, error) {
	r, err := watchStart(ctx, p, in)
	return engine.Done(r, err, "")
}

func watchStart(ctx context.Context, p *engine.Project, in WatchInput) (WatchStartResult, error) {
	if _, _, err := watchTimes(p, in); err != nil {
		return WatchStartResult{}, err
	}
	if err := engine.MayInside(p, "watch", ""); err != nil {
		return WatchStartResult{}, err
	}
	// Only to report it at once: the new process takes the lock itself.
	if holder, held := lockfile.HeldBy(watchPath(p)); held {
		return WatchStartResult{}, watchHeldError(&lockfile.HeldError{Path: watchPath(p), Holder: holder})
	}
	output, err := p.Store.Local(local.Logs, "watch.log")
	if err != nil {
		return WatchStartResult{}, err
	}
	launch := providers.Launch{Path: p.Executable, Args: in.args(), Dir: engine.Home(p), Env: p.Environ}
	process, exited, err := providers.Detach(launch, output)
	if err != nil {
		return WatchStartResult{}, err
	}
	tick := time.NewTicker(engine.LookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return WatchStartResult{}, ctx.Err()
		case exit := <-exited:
			if exit.Code != 0 {
				return WatchStartResult{}, earlyEndError(next.Watch.On(), output, exit)
			}
			// It found nothing to wait for.
			return WatchStartResult{PID: process.PID, Output: output}, nil
		case <-tick.C:
			// Another watch may hold the lock, and then the new process is about to end with an error.
			if holder, held := lockfile.HeldBy(watchPath(p)); held && holder.PID == process.PID {
				return WatchStartResult{PID: process.PID, Output: output}, nil
			}
		}
	}
}

// args returns the input as the arguments of a command line.
func (in WatchInput) args() []string {
	args := []string{"watch", "--json", "--quiet"}
	if in.Work {
		args = append(args, "--work")
	}
	if in.Parallel > 0 {
		args = append(args, "--parallel", strconv.Itoa(in.Parallel))
	}
	for _, label := range in.Labels {
		args = append(args, "--label", label)
	}
	if in.AllowOverlap {
		args = append(args, "--allow-overlap")
	}
	if in.IdleTimeout != "" {
		args = append(args, "--idle-timeout", in.IdleTimeout)
	}
	if in.Poll != "" {
		args = append(args, "--poll", in.Poll)
	}
	return args
}

// WatchStopInput says how to end a watch.
type WatchStopInput struct {
	Now bool `json:"now,omitempty" jsonschema:"Pause what runs instead of letting it end"`
}

// WatchStopResult names the process that was asked to end.
type WatchStopResult struct {
	PID int `json:"pid"`
}

// WatchStop asks the watch to end: nothing more starts, and what runs continues to its
// end or, with Now, is paused. It does not wait for that. Errors: State when no watch
// is running, Conflict when it runs on another machine.
func WatchStop(_ context.Context, p *engine.Project, in WatchStopInput) (WatchStopResult, error) {
	if err := engine.MayInside(p, "watch", ""); err != nil {
		return WatchStopResult{}, err
	}
	holder, held := lockfile.HeldBy(watchPath(p))
	if !held {
		return WatchStopResult{}, engine.Fail(engine.State, next.WatchStart.On(), "no watch is at work")
	}
	if host, err := os.Hostname(); err != nil || host != holder.Host {
		return WatchStopResult{}, engine.Fail(engine.Conflict, next.WatchStatus.On(), "the watch is at work on %s, in process %d", holder.Host, holder.PID)
	}
	if err := engine.RequestStop(p, watchName, holder, in.Now); err != nil {
		return WatchStopResult{}, engine.Wrap(err, "")
	}
	return WatchStopResult{PID: holder.PID}, nil
}
