package engine

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops/lockfile"
	"chant/providers"
)

// RunAbove is the id of the spec whose run the caller works for: it was started by its
// agent, its set-up or its criteria, or stands in its worktree while it is under way. ""
// outside of every run of this project; a run of another one says nothing here. Who
// takes the marks of a run off is known by the processes it comes from, where the
// system tells of them.
func RunAbove(p *Project) (string, error) {
	if id := p.Store.RunOf(); id != "" && callerInside(p, id) {
		return id, nil
	}
	underWay, err := runsUnderWay(p)
	if err != nil || len(underWay) == 0 {
		return "", err
	}
	var mark string
	for _, kv := range p.Environ {
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
	attempt *journal.Attempt
}

// runsUnderWay lists the runs whose lock is held and whose journal has an open attempt.
func runsUnderWay(p *Project) ([]runAtWork, error) {
	locks, err := os.ReadDir(p.Store.LocalPath(store.Locks, ""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []runAtWork
	for _, lock := range locks {
		id, isLock := strings.CutSuffix(lock.Name(), ".lock")
		if !isLock {
			continue
		}
		holder, held := p.Store.Holder(id)
		if !held || Writes(holder) {
			continue
		}
		history, err := journal.ReadHistory(p.Store, id)
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
func byPerson(p *Project, id string) error {
	above, err := RunAbove(p)
	switch {
	case err != nil:
		return Wrap(err, id)
	case above == "":
		return nil
	case above == id:
		return RefusedInside(id)
	}
	return Fail(State, next.Step{}, "you are inside the run of %q, and that is for a person: end your turn", above)
}

// MayWaive refuses inside a run to waive an approval, as giving one is refused there.
func MayWaive(p *Project, skipApproval bool) error {
	if !skipApproval {
		return nil
	}
	return MayInside(p, "waive", "")
}

// MayLoosen refuses inside a run an edit of another spec by which that asks for less, or by which
// its approval changes. was is nil where the spec could not be read before.
func MayLoosen(p *Project, id string, was, now *spec.Spec) error {
	if was != nil && spec.SameApproval(was.Fields.Approval, now.Fields.Approval) &&
		len(spec.WeakenedChecks(was, now)) == 0 && len(spec.LoosenedRequirements(was, now, p.Config.Enterprise.Required)) == 0 {
		return nil
	}
	return MayInside(p, "loosen", id)
}

// callerInside reports whether the caller stands in the worktree of this spec's run while
// a process is at work on it: as its agent does. In a run that was paused or taken
// over the same folder is a place like any other.
func callerInside(p *Project, id string) bool {
	if p.Store.RunOf() != id {
		return false
	}
	holder, held := p.Store.Holder(id)
	return held && !Writes(holder)
}

// RefusedInside is the refusal of what the agent of a run cannot do to its own spec.
func RefusedInside(id string) *Error {
	return Fail(State, next.Step{}, "you are inside the run of %q; end your turn, and chant continues the run", id)
}
