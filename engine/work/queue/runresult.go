package queue

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/usage"
	"chant/engine/spec/schedule"
	"chant/engine/work"
	"chant/gitops/lockfile"
)

// recordEnd records how a run ended and returns that to the scheduler, by the kind of its error.
func (c *pool) recordEnd(ctx context.Context, st schedule.Start, result work.WorkResult, err error) schedule.End {
	account := c.account(st.ID)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.here, st.ID)
	// A retry is also a failure, so it comes before the other errors.
	at, again := work.RetryTime(err)
	switch {
	case err == nil:
		// It may have failed before.
		c.failed = slices.DeleteFunc(c.failed, func(f FailedRun) bool { return f.ID == st.ID })
		c.completed = append(c.completed, CompletedRun{
			ID: st.ID, Title: result.Title, Landed: result.Landed, Landing: result.Landing, PullRequest: result.PullRequest, Verification: result.Verification, Account: account,
		})
		return schedule.End{Verdict: schedule.Done}
	case errors.Is(err, errSettled):
		return schedule.End{Verdict: schedule.Settled}
	case again:
		// Computed from one reading, so that the wait does not depend on how the clock is set meanwhile.
		now := c.p.Now()
		return schedule.End{Verdict: schedule.Again, Until: now.Add(at.Sub(now)), Why: schedule.ShortReason(err.Error())}
	case c.isElsewhere(st.ID, err):
		c.elsewhere[st.ID] = true
		return schedule.End{Verdict: schedule.Elsewhere}
	// All runs were stopped, or only this one.
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		c.paused = append(c.paused, st.ID)
		return schedule.End{Verdict: schedule.Stopped}
	}
	// Without an ID the run never began, so nothing was paid, and only a watch stays to try again.
	if result.ID == "" && c.recover != nil && isTemporary(err) {
		return schedule.End{Verdict: schedule.Later, Until: c.p.Now().Add(temporaryDelay)}
	}
	c.recordFailure(st.ID, result, err, account)
	if result.ID == "" {
		return schedule.End{Verdict: schedule.Refused}
	}
	return schedule.End{Verdict: schedule.Failed}
}

// temporaryDelay is how long a watch waits before it retries a spec that could not start
// because of an error that may be temporary.
const temporaryDelay = 30 * time.Second

// isTemporary reports whether an error may go away by itself: a git command that failed,
// a lock.
func isTemporary(err error) bool {
	var known *engine.Error
	return errors.As(err, &known) && (known.Code == engine.Internal || known.Code == engine.Conflict)
}

// isElsewhere reports whether another process has, or had, the spec.
func (c *pool) isElsewhere(id string, err error) bool {
	var locked *lockfile.HeldError
	return errors.Is(err, errTaken) || errors.As(err, &locked) && locked.Path == c.p.Store.LockPath(id)
}

// account returns what a spec took until now.
func (c *pool) account(id string) Account {
	c.mu.Lock()
	began := c.here[id]
	c.mu.Unlock()
	return AccountOf(c.p, id, began)
}

// AccountOf returns what a spec took until now, of which its last run began at a time. A journal that cannot be read is
// reported, and leaves its part out.
func AccountOf(p *engine.Project, id string, began time.Time) Account {
	now := p.Now()
	a := Account{EndedAt: now, Elapsed: now.Sub(began).Seconds()}
	h, err := journal.ReadHistory(p.Store, id)
	if err != nil {
		engine.Warn(p, id, "what it took is not known: "+err.Error())
		return a
	}
	if a.Attempts = len(h.Attempts); a.Attempts > 0 {
		if spent := usage.UsageOf(h, time.Time{}).Rounded(); spent.Agents > 0 {
			a.Spent = &spent
		}
	}
	return a
}

func (c *pool) recordFailure(id string, result work.WorkResult, err error, account Account) {
	f := FailedRun{ID: id, Title: cmp.Or(result.Title, c.titleOf(id)), Account: account, Status: result.Status, Code: engine.Internal, Reason: c.p.Secrets.Text(err.Error())}
	var known *engine.Error
	if errors.As(err, &known) {
		f.Code, f.Next = known.Code, known.Next
	}
	if c.first == nil {
		c.first = err
	}
	c.failed = append(c.failed, f)
}

// titleOf returns the title of a spec that could start, "" if it is not known.
func (c *pool) titleOf(id string) string {
	if at := slices.IndexFunc(c.queued, func(t titled) bool { return t.id == id }); at >= 0 {
		return c.queued[at].title
	}
	return ""
}

// eventKind returns the kind of the progress event for a verdict.
func eventKind(v schedule.Verdict) string {
	switch v {
	case schedule.Done:
		return "completed"
	case schedule.Again:
		return "retry"
	case schedule.Elsewhere:
		return "elsewhere"
	case schedule.Stopped:
		return "paused"
	case schedule.Settled:
		return "settled"
	case schedule.Later:
		return "later"
	case schedule.Failed, schedule.Refused:
	}
	return "failed"
}

// describeOutcome returns in a few words how a run ended.
func describeOutcome(result work.WorkResult, err error) string {
	at, again := work.RetryTime(err)
	switch {
	case errors.Is(err, errSettled):
		return "the run is settled"
	case again:
		return "waits for its agent until " + at.UTC().Format(time.RFC3339)
	case err != nil:
		return err.Error()
	case result.Landed:
		return "landed on " + result.Target + suffixIfNothingToVerify(result)
	}
	if result.PullRequest != "" {
		return "completed, and proposed as " + result.PullRequest
	}
	if result.Waits != "" {
		return "completed on " + result.Branch + ", " + result.Waits
	}
	return "completed on " + result.Branch + suffixIfNothingToVerify(result)
}

// suffixIfNothingToVerify returns a note that a completed spec had nothing to verify, else "".
func suffixIfNothingToVerify(result work.WorkResult) string {
	if result.Verification != criteria.Nothing {
		return ""
	}
	return ", " + string(criteria.Nothing)
}
