package engine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
	"chant/providers"
)

// RunAbove returns the id of the spec inside whose run the caller works: the agent, the set-up or the criteria of the
// run started it, or it is in the run's worktree while the run is in progress. It is "" outside of runs of this
// project. A process that removes the marks of its run from the environment is found by its parent processes, if the
// system shows them.
func RunAbove(p *Project) (string, error) {
	// The run sets this variable when its agent asks for a command.
	if id := Variable(p, sandbox.SpecKey); id != "" {
		return id, nil
	}
	if id := p.Store.RunOf(); id != "" && callerInside(p, id) {
		return id, nil
	}
	// The environment can be changed by the process itself; its parents cannot.
	active, err := activeRuns(p)
	if err != nil || len(active) == 0 {
		return "", err
	}
	var mark string
	for _, kv := range p.Environ {
		if value, found := strings.CutPrefix(kv, "CHANT_RUN_ID="); found {
			mark = value
		}
	}
	ancestors := providers.Ancestors()
	for _, r := range active {
		if r.hasMark(mark) || slices.ContainsFunc(ancestors, r.includes) {
			return r.id, nil
		}
	}
	return "", nil
}

// activeRun is a run that a process works on.
type activeRun struct {
	id      string
	holder  lockfile.Holder
	attempt *journal.Attempt
}

// activeRuns lists the runs of the repository whose lock is held and whose journal has an open attempt.
func activeRuns(p *Project) ([]activeRun, error) {
	var out []activeRun
	// An agent of another project of the repository decides as little here.
	for _, files := range p.Store.EachProject() {
		runs, err := activeRunsIn(files)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			if files.State() != p.Store.State() {
				r.id = filepath.Base(files.State()) + ":" + r.id
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// activeRunsIn lists those of one project.
func activeRunsIn(files local.Files) ([]activeRun, error) {
	locks, err := os.ReadDir(files.LocalPath(local.Locks, ""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []activeRun
	for _, lock := range locks {
		id, isLock := strings.CutSuffix(lock.Name(), ".lock")
		if !isLock {
			continue
		}
		holder, held := files.Holder(id)
		// A holder that only makes a commit is not a run.
		if !held || Writes(holder) {
			continue
		}
		history, err := journal.ReadHistory(files, id)
		if err != nil {
			return nil, err
		}
		if open := history.Open(); open != nil {
			out = append(out, activeRun{id, holder, open})
		}
	}
	return out, err
}

// hasMark reports whether a CHANT_RUN_ID belongs to the run.
func (r activeRun) hasMark(id string) bool {
	known := []string{r.attempt.Job.RunID, r.attempt.Taken.RunID}
	if p := r.attempt.Process; p != nil {
		known = append(known, p.RunID)
	}
	return id != "" && slices.Contains(known, id)
}

// includes reports whether a process is the agent of the run, or the chant that carries out the run.
func (r activeRun) includes(p providers.Process) bool {
	if agent := r.attempt.Process; agent != nil && agent.PID == p.PID && agent.Started == p.Started {
		return true
	}
	// The chant of the run starts set-up commands and criteria, so its process counts like that of the agent.
	return r.holder.PID == p.PID
}

// refuseInsideRun refuses inside a run what only people decide: approvals, the fate of other specs, and changes of what
// runs around them. id is the spec in question, "" for none.
func refuseInsideRun(p *Project, id string) error {
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

// MayWaive refuses to waive an approval inside a run.
func MayWaive(p *Project, skipApproval bool) error {
	if !skipApproval {
		return nil
	}
	return MayInside(p, "waive", "")
}

// MayLoosen refuses inside a run an edit of another spec that weakens its requirements or changes
// its approval or the comments of its reviews. was is nil if the spec could not be read before.
func MayLoosen(p *Project, id string, was, now *spec.File) error {
	// Both directions count: a comment may neither be removed nor forged.
	if was != nil {
		before, after := task.Comments(was.Doc), task.Comments(now.Doc)
		if len(task.Difference(before, after))+len(task.Difference(after, before)) > 0 {
			return MayInside(p, "review", id)
		}
	}
	if was != nil && spec.SameApproval(was.Fields.Approval, now.Fields.Approval) &&
		len(spec.WeakenedChecks(was, now)) == 0 && len(spec.LoosenedRequirements(was, now, p.Config.Enterprise.Required)) == 0 {
		return nil
	}
	// A spec that could not be read before has requirements that nobody can compare, so its repair is for a person as well.
	return MayInside(p, "loosen", id)
}

// callerInside reports whether the caller is in the worktree of this spec's run while a process
// carries out the run, as the run's agent is. After a pause or a takeover the
// worktree is an ordinary folder.
func callerInside(p *Project, id string) bool {
	if p.Store.RunOf() != id {
		return false
	}
	// After a pause or a takeover the worktree is an ordinary folder, in which a person may work.
	holder, held := p.Store.Holder(id)
	return held && !Writes(holder)
}

// RefusedInside is the error for what the agent of a run may not do to its own spec.
func RefusedInside(id string) *Error {
	return Fail(State, next.Step{}, "you are inside the run of %q; end your turn, and chant continues the run", id)
}
