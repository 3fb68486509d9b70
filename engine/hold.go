package engine

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strconv"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/gitops/lockfile"
	"chant/providers"
)

// stopGrace is how long a surviving agent gets between being asked and killed.
const stopGrace = 5 * time.Second

// held is a spec whose run belongs to this process: nobody else can work, land
// or drop it until release.
type held struct {
	id      string
	lock    *lockfile.Lock
	history *run.History
}

// hold takes the lock of a spec's run and ends what an earlier process left
// alive. It waits for a holder that does no more than write; *lockfile.HeldError
// names any other.
func (e *Engine) hold(ctx context.Context, id, what string) (*held, error) {
	if err := spec.ValidName(id); err != nil {
		return nil, err
	}
	path, err := e.lockFor(id)
	if err != nil {
		return nil, err
	}
	lock, err := acquire(ctx, path, what+" "+id)
	if err != nil {
		return nil, err
	}
	h := &held{id: id, lock: lock}
	if h.history, err = run.ReadHistory(e.store, id); err == nil {
		err = errors.Join(stopSurvivors(ctx, h.history), e.stopAsked(ctx, id))
	}
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return h, nil
}

// lockFor is the path of a lock that is about to be taken; *lockfile.HeldError while a process of an
// earlier version holds it in its former place.
func (e *Engine) lockFor(name string) (string, error) {
	path, err := e.store.Local(store.Locks, name+".lock")
	if err != nil {
		return "", err
	}
	if holder, held := e.store.FormerHolder(name); held {
		return "", &lockfile.HeldError{Path: path, Holder: holder}
	}
	return path, nil
}

// stopSurvivors ends what a killed chant process has left of an attempt: its agent, and all
// that bears the mark of the process that took the attempt up last, as commands of criteria
// do, and an agent that was not written down yet.
func stopSurvivors(ctx context.Context, h *run.History) error {
	open := h.Open()
	if open == nil || open.Process == nil && !open.AgentBegan() {
		return nil
	}
	left := []providers.Process{{RunID: open.Taken.RunID}}
	if open.Process != nil && open.Process.RunID == open.Taken.RunID {
		left[0] = *open.Process
	} else if open.Process != nil {
		left = append(left, *open.Process)
	}
	var all error
	for _, p := range left {
		_, err := providers.Stop(ctx, p, stopGrace)
		all = errors.Join(all, err)
	}
	return all
}

// stopAsked ends the agent that a killed process has asked about a spec. The tree that it
// was asked in stands until then, and its lock is free.
func (e *Engine) stopAsked(ctx context.Context, id string) error {
	if len(run.CheckTrees(e.checkDirs(), id)) == 0 {
		return nil
	}
	path, err := e.store.Local(store.Locks, run.CheckLock(id))
	if err != nil {
		return err
	}
	lock, err := acquireLeft(ctx, path, "check "+id)
	if _, asking := errors.AsType[*lockfile.HeldError](err); asking {
		return nil // its agent is still waited for
	}
	if err != nil {
		return err
	}
	return errors.Join(run.StopAsked(ctx, e.store, id), lock.Release())
}

func (h *held) release() error { return h.lock.Release() }

// withHold resolves an id, holds the spec's run, does something with it and lets
// go. The result is returned beside an error, which is an *Error: State inside the
// spec's own run, which only its own operations may change.
func withHold[R any](ctx context.Context, e *Engine, text, what string, do func(*held) (R, error)) (R, error) {
	var none R
	id, err := e.find(ctx, text)
	if err != nil {
		return none, wrap(err, text)
	}
	if err := e.mayInside(what, id); err != nil {
		return none, err
	}
	h, err := e.hold(ctx, id, what)
	if err != nil {
		return none, wrap(err, id)
	}
	result, err := do(h)
	result, err = done(result, e.advised(ctx, id, what, errors.Join(err, h.release())), id)
	return result, e.committedFirst(ctx, err)
}

// job fills in what is fixed for an attempt at s.
func (e *Engine) job(ctx context.Context, s *spec.Spec, h *held, what run.Job) (run.Job, error) {
	target, err := e.targetOf(ctx, s, h.history)
	if err != nil {
		return run.Job{}, err
	}
	tracked, err := e.store.Tracked(ctx)
	if err != nil {
		return run.Job{}, err
	}
	what.ID, what.Title, what.Target, what.Silent = s.ID, s.Title, target, !tracked
	what.Branch = e.store.Branch(s.ID)
	if err := e.branchFree(ctx, what.Branch); err != nil {
		return run.Job{}, err
	}
	if what.Attempt == 0 {
		if what.Attempt, err = e.attempt(ctx, what.Branch, h.history); err != nil {
			return run.Job{}, err
		}
	}
	what.RunID, err = e.runID()
	return what, err
}

// branchFree checks that git can have a branch of this name: none of the others
// may be a folder of it, or it of them.
func (e *Engine) branchFree(ctx context.Context, branch string) error {
	if err := e.repo.ValidBranch(branch); err != nil {
		return err
	}
	others, err := e.repo.Branches(ctx, branch+"/")
	if err != nil {
		return err
	}
	for parent := path.Dir(branch); parent != "."; parent = path.Dir(parent) {
		if _, err := e.repo.Resolve(ctx, "refs/heads/"+parent); err == nil {
			others = append(others, gitops.Ref{Name: parent})
		}
	}
	if len(others) > 0 {
		return fail(Conflict, "git branch -m "+others[0].Name+" "+path.Base(others[0].Name)+"-old", "branch %q cannot be made beside the branch %q", branch, others[0].Name)
	}
	return nil
}

// attempt is the number of the attempt that is under way or ended last, by the
// journal or, without one, by the branch; 0 when there was none.
func (e *Engine) attempt(ctx context.Context, branch string, h *run.History) (int, error) {
	if last := h.Last(); last != nil {
		return last.Number, nil
	}
	tip, err := e.repo.ReadCommit(ctx, "refs/heads/"+branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(tip.Trailers["Chant-Attempt"])
	if err != nil {
		return 0, nil //nolint:nilerr // a commit of someone else's: no attempt is known
	}
	return n, nil
}

func (e *Engine) runID() (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(e.Rand, b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}

// newRun puts a run together for a job.
func (e *Engine) newRun(job run.Job, h *held, set run.Settings) *run.Run {
	r := &run.Run{
		Repo: e.repo, Store: e.store, Job: job, Settings: set, History: h.history,
		Chant: e.Executable, Environ: e.Environ, Secrets: e.secrets, Now: e.Now, Emit: e.Progress, OnStep: e.OnStep, Retry: e.config.Retry.policy().Next, Price: e.config.Prices.table().Cost,
	}
	if e.Executable != "" {
		r.MCP = &providers.MCPServer{Command: e.Executable, Args: []string{"mcp"}}
	}
	return r
}

// settings are the project's, before a command's flags.
func (e *Engine) settings() run.Settings {
	c := e.config
	return run.Settings{
		Timeout: time.Duration(c.Limits.Time), Silence: time.Duration(c.Limits.Silence),
		Check: time.Duration(c.Limits.Check), Verify: c.Verify, SetupFor: time.Duration(c.Limits.Setup),
		Copy: c.Worktree.Copy, Link: c.Worktree.Link, SetupCmd: c.Worktree.Setup,
		Dir: c.Worktree.Dir, Project: c.Project.Name, Ports: run.Ports(c.Worktree.Ports),
		Recycle: c.Worktree.Recycle, Spares: int(c.Worktree.Spares), ApproveWork: c.Approval.AgentWork, StrictOutput: c.Validation.Strict,
		Required: c.Enterprise.Required, Pass: c.Defaults.Pass,
	}
}

// treeOf is the worktree of a spec's run, "" when it has none.
func (e *Engine) treeOf(ctx context.Context, id string) (string, error) {
	trees, err := e.repo.Worktrees(ctx)
	if err != nil {
		return "", err
	}
	for _, t := range trees {
		if of, ok := e.runOfTree(t); !ok || of != id {
			continue
		}
		if _, err := e.repo.GitDir(t.Path); err == nil { // else somebody broke it
			return t.Path, nil
		}
	}
	return "", nil
}
