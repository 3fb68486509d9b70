package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
	"chant/markdown"
	"chant/providers"
)

// stopGrace is how long an agent that is left over has to stop before it is killed.
const stopGrace = 5 * time.Second

// Held is a spec whose run belongs to this process: no other process can work, land
// or drop it until it is released.
type Held struct {
	ID      string
	lock    *lockfile.Lock
	History *journal.History
}

// Hold takes the lock of a spec's run and stops processes that an earlier one left
// behind. It waits for a holder that only writes; *lockfile.HeldError
// names any other holder.
func Hold(ctx context.Context, p *Project, id, what string) (*Held, error) {
	if err := spec.ValidName(id); err != nil {
		return nil, err
	}
	// Processes of one run would look for each other's files in different places.
	if temp := os.TempDir(); !filepath.IsAbs(temp) {
		return nil, Fail(Usage, next.Shell("export TMPDIR=/tmp"), "TMPDIR is %q, which is another folder for each program (use an absolute path)", temp)
	}
	path, err := LockFor(p, id)
	if err != nil {
		return nil, err
	}
	lock, err := acquire(ctx, path, what, id)
	if err != nil {
		return nil, err
	}
	// Before anything reads, commits or indexes the file that a person has written.
	err = p.Store.MoveHeldOut(ctx, id)
	// An edit corrects criteria that cannot be moved as they are.
	if _, wrong := errors.AsType[*markdown.SyntaxError](err); wrong && what == "edit" {
		err = nil
	}
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	h := &Held{ID: id, lock: lock}
	// Only the holder of the lock may stop what an earlier one left: nothing of it can start anew now.
	if h.History, err = journal.ReadSealed(p.Store, id); err == nil {
		err = errors.Join(stopSurvivors(ctx, h.History), stopAsked(ctx, p, id))
	}
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return h, nil
}

// LockFor returns the path of a lock; *lockfile.HeldError while a process of an
// earlier version holds the lock at its former path.
func LockFor(p *Project, name string) (string, error) {
	path, err := p.Store.Local(local.Locks, name+".lock")
	if err != nil {
		return "", err
	}
	// An earlier version does not look at the new path, so both are respected.
	if holder, held := p.Store.FormerHolder(name); held {
		return "", &lockfile.HeldError{Path: path, Holder: holder}
	}
	return path, nil
}

// stopSurvivors stops what a killed chant left of an attempt: its agent, and all processes with the mark of the process
// that last took over the attempt, such as commands of criteria or an agent that was not recorded yet.
func stopSurvivors(ctx context.Context, h *journal.History) error {
	open := h.Open()
	// Without an open attempt nothing was started that could still run.
	if open == nil || open.Process == nil && !open.AgentBegan() {
		return nil
	}
	// The process that last took over may have died before it recorded its agent, whose mark finds it all the same.
	left := []providers.Process{{RunID: open.Taken.RunID}, {RunID: open.Taken.RunID + journal.BaseMark}}
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

// stopAsked stops the agent that a killed process asked a question about a spec. Until then the agent's
// check tree exists, and its lock is free.
func stopAsked(ctx context.Context, p *Project, id string) error {
	if len(sandbox.CheckTrees(checkDirs(p), id)) == 0 {
		return nil
	}
	path, err := p.Store.Local(local.Locks, sandbox.CheckLock(id))
	if err != nil {
		return err
	}
	lock, err := AcquireLeft(ctx, path, "check", id)
	if _, asking := errors.AsType[*lockfile.HeldError](err); asking {
		// A live process still waits for the answer.
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(sandbox.StopAsked(ctx, p.Store, id), lock.Release())
}

// Release releases the run for other processes.
func (h *Held) Release() error { return h.lock.Release() }
