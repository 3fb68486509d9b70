package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/engine/work"
	"chant/gitops"
	"chant/gitops/layout"
)

// final is what a claim says once the work on its spec is over here.
type final struct {
	state    fleet.ClaimState
	reason   string
	code     string
	after    time.Duration // Returned: when it may be tried again
	evidence string
}

// final says how a run ended, in which attempt. calm outlives ctx, which is that of the run.
func (j *job) final(calm, ctx context.Context, attempt int, result work.WorkResult, err error) final {
	w := j.w
	at, again := work.RetryTime(err)
	// The order decides: a completed run counts as that even if it was stopped afterwards.
	switch {
	case result.Status == spec.Completed && err == nil:
		return final{state: fleet.Completed, evidence: w.evidence(calm, result.Commit)}
	case again:
		return final{state: fleet.Returned, reason: err.Error(), after: at.Sub(w.P.Now())}
	case w.wasStopped(j.id):
		return final{state: fleet.Ended, reason: "it was stopped", code: codeOf(err)}
	case ctx.Err() != nil:
		return final{state: fleet.Returned, reason: "its worker was stopped", after: time.Millisecond}
	}
	if met, limitErr := w.budget.LimitReached(); limitErr == nil && met != "" && result.Status == spec.Failed {
		// It was stopped for what others have used, so the spec is not to blame.
		return final{state: fleet.Returned, reason: met, after: limitWait}
	}
	reason := result.Reason
	if reason == "" && err != nil {
		reason = err.Error()
	}
	// Another machine may have what this one lacks, but not without end: the spec itself can fill a disk.
	if attempt < maxReturns {
		switch {
		case w.noSpace(reason):
			return final{state: fleet.Returned, reason: "no space is left on " + w.Node.Name, after: retryDelay}
		case strings.Contains(reason, cannotWrite):
			return final{state: fleet.Returned, reason: w.Node.Name + " cannot write: " + reason, after: retryDelay}
		case strings.Contains(reason, stillLocked):
			w.dropLocks(calm)
			return final{state: fleet.Returned, reason: reason, after: retryDelay}
		case codeOf(err) == string(engine.Blocked):
			// The hub has offered it as ready: what an earlier run of another spec has left in this clone hides that it has landed.
			w.lookSoon()
			return final{state: fleet.Returned, reason: reason, after: retryDelay}
		}
	}
	return final{state: fleet.Ended, reason: reason, code: codeOf(err)}
}

// cannotWrite is in what git says when a disk has failed or is full, as it may be no more once git has ended.
const cannotWrite = "unable to write"

// stillLocked is in what is said of a lock that a killed git process has left.
const stillLocked = "remove it if no git process is running"

// maxReturns limits how often a spec is given back because of the machine: what it lacks may be the spec's doing.
const maxReturns = 10

// endedFor is the end of a run for a reason that is not its own.
func endedFor(reason string, code engine.Code) final {
	return final{state: fleet.Ended, reason: reason, code: string(code)}
}

// noSpace reports whether no space is left on this machine, or a failure says that there was none.
func (w *Worker) noSpace(why string) bool {
	return layout.Full(engine.Home(w.P)) || disk.SaysFull(why) || strings.Contains(why, "no space left")
}

// codeOf returns the code of an error, "" without one.
func codeOf(err error) string {
	if known, ok := errors.AsType[*engine.Error](err); ok {
		return string(known.Code)
	}
	return ""
}

// evidence returns the note of a commit, "" if it has none.
func (w *Worker) evidence(ctx context.Context, commit string) string {
	if commit == "" {
		return ""
	}
	text, err := w.P.Repo.ReadNote(ctx, attempt.NotesRef, commit)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		engine.Warn(w.P, "", "the evidence of "+commit+" cannot be read: "+err.Error())
	}
	if len(text) > maxEvidence {
		engine.Warn(w.P, "", fmt.Sprintf("the evidence of %s stays in this clone: it has %d bytes", commit, len(text)))
		return ""
	}
	return string(text)
}

// maxEvidence limits the evidence in a claim, in bytes. Without it the criteria run again at the landing, as they do with it.
const maxEvidence = 512 << 10

// kindPushed is the kind of the event with which the work on a spec is over on this machine.
const kindPushed = "pushed"

// reportPushed reports that what the work on a spec has led to is in the remote.
func (j *job) reportPushed(f final, status string) {
	text := status
	switch f.state {
	case fleet.Completed:
		text = "completed: the hub lands it"
	case fleet.Returned:
		text = "given back: " + f.reason
	default:
		if f.reason != "" {
			text += ": " + f.reason
		}
	}
	if w := j.w; w.P.Progress != nil {
		w.P.Progress(engine.Event{Time: w.P.Now(), ID: j.id, Kind: kindPushed, Text: text})
	}
}

// recordHindrance is the end of an entry that this machine cannot work now because of an error. The error is reported once, until
// a claim succeeds: entries are delivered again every few seconds.
func (j *job) recordHindrance(err error) ending {
	w := j.w
	w.mu.Lock()
	known := w.hindrance == err.Error()
	w.hindrance = err.Error()
	w.mu.Unlock()
	if !known {
		engine.Warn(w.P, j.id, "this machine cannot work it now, and tries again: "+err.Error())
	}
	return ending{later: retryDelay, why: err.Error()}
}

// clearHindrance forgets what has hindered the machine.
func (w *Worker) clearHindrance() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hindrance = ""
}
