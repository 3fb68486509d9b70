package engine

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops/lockfile"
	"chant/providers"
)

// runAbove is the id of the spec whose run the caller works for: it was started by its
// agent, its set-up or its criteria, or stands in its worktree while it is under way. ""
// outside of every run of this project; a run of another one says nothing here. Who
// takes the marks of a run off is known by the processes it comes from, where the
// system tells of them.
func (e *Engine) runAbove() (string, error) {
	if id := e.store.RunOf(); id != "" && e.insideRun(id) {
		return id, nil
	}
	underWay, err := e.runsUnderWay()
	if err != nil || len(underWay) == 0 {
		return "", err
	}
	var mark string
	for _, kv := range e.Environ {
		if value, found := strings.CutPrefix(kv, "CHANT_RUN_ID="); found {
			mark = value
		}
	}
	ancestors := providers.Ancestors()
	for _, r := range underWay {
		if r.marks(mark) || slices.ContainsFunc(ancestors, r.began) {
			return r.id, nil
		}
	}
	return "", nil
}

// runAtWork is a run that a process is at work on.
type runAtWork struct {
	id      string
	holder  lockfile.Holder
	attempt *run.Attempt
}

// runsUnderWay lists the runs whose lock is held and whose journal has an open attempt.
func (e *Engine) runsUnderWay() ([]runAtWork, error) {
	locks, err := os.ReadDir(e.store.LocalPath(store.Locks, ""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []runAtWork
	for _, lock := range locks {
		id, isLock := strings.CutSuffix(lock.Name(), ".lock")
		if !isLock {
			continue
		}
		holder, held := e.store.Holder(id)
		if !held || writes(holder) {
			continue
		}
		history, err := run.ReadHistory(e.store, id)
		if err != nil {
			return nil, err
		}
		if open := history.Open(); open != nil {
			out = append(out, runAtWork{id, holder, open})
		}
	}
	return out, err
}

// marks reports whether a CHANT_RUN_ID is that of the run.
func (u runAtWork) marks(id string) bool {
	known := []string{u.attempt.Job.RunID, u.attempt.Taken.RunID}
	if p := u.attempt.Process; p != nil {
		known = append(known, p.RunID)
	}
	return id != "" && slices.Contains(known, id)
}

// began reports whether a process is the agent of the run, or the chant that has it.
func (u runAtWork) began(p providers.Process) bool {
	if agent := u.attempt.Process; agent != nil && agent.PID == p.PID && agent.Started == p.Started {
		return true
	}
	return u.holder.PID == p.PID
}

// byPerson refuses inside a run what is for people: to approve, to settle what becomes of
// other specs, to change what runs around them. id is the spec that it is about, "" for
// none.
func (e *Engine) byPerson(id string) error {
	above, err := e.runAbove()
	switch {
	case err != nil:
		return wrap(err, id)
	case above == "":
		return nil
	case above == id:
		return insideRun(id)
	}
	return fail(State, "", "you are inside the run of %q, and that is for a person: end your turn", above)
}

// mayWaive refuses inside a run to waive an approval, as giving one is refused there.
func (e *Engine) mayWaive(skipApproval bool) error {
	if !skipApproval {
		return nil
	}
	return e.mayInside("waive", "")
}

// mayLoosen refuses inside a run an edit of another spec by which that asks for less, or by which
// its approval changes. was is nil where the spec could not be read before.
func (e *Engine) mayLoosen(id string, was, now *spec.Spec) error {
	if was != nil && spec.SameApproval(was.Fields.Approval, now.Fields.Approval) &&
		len(spec.Weakened(was, now)) == 0 && len(spec.Loosened(was, now, e.config.Enterprise.Required)) == 0 {
		return nil
	}
	return e.mayInside("loosen", id)
}
