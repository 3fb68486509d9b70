package schedule

import (
	"context"
	"time"
)

// keepWaiting reports whether the loop continues, and for how long it waits before it
// looks again. wait is how long until a known task can start.
func (l *loop) keepWaiting(wait time.Duration) (time.Duration, bool) {
	if len(l.running) > 0 || wait >= 0 {
		// The idle time begins again after each work.
		l.idle = time.Time{}
		return wait, true
	}
	if l.closed || l.Idle == 0 {
		return never, false
	}
	now := l.Now()
	if l.idle.IsZero() {
		l.idle = now
		l.reportIdle()
	}
	if l.Idle < 0 {
		return never, true
	}
	// The loop has just looked, so a task that became ready at the end of the idle time is not missed.
	left := l.Idle - now.Sub(l.idle)
	return left, left > 0
}

// reportIdle reports until when the loop stays with nothing to do.
func (l *loop) reportIdle() {
	switch {
	case l.Idles == nil:
	case l.Idle < 0:
		l.Idles(time.Time{})
	default:
		l.Idles(l.idle.Add(l.Idle))
	}
}

// await waits for the end of a run, for a time, for a change of what is ready, or for a
// stop.
func (l *loop) await(ctx context.Context, wait time.Duration) {
	var timer <-chan time.Time
	if wait >= 0 {
		timer = l.After(wait)
	}
	drain, done := l.Drain, ctx.Done()
	// A stop is known already, and only ends are awaited.
	if l.closed {
		drain, done = nil, nil
	}
	select {
	case e := <-l.ends:
		l.recordEnd(e)
	case <-timer:
	case <-l.Wake:
	case <-drain:
	case <-done:
	}
}

// recordEnd records how a run ended.
func (l *loop) recordEnd(e runEnd) {
	st := l.running[e.id]
	delete(l.running, e.id)
	until := e.Until
	if e.Verdict == Later {
		// The task is postponed, not the agent.
		until = time.Time{}
	}
	l.Pool.GiveBack(st.Agent.Name, until, e.Why)
	delete(l.postponed, e.id)
	was := l.past[e.id]
	// The attempts of an earlier content do not count.
	if was.mark != st.Mark {
		was = taskHistory{mark: st.Mark}
	}
	l.past[e.id] = l.applyVerdict(e, was)
}

// applyVerdict applies a verdict to the loop, and returns the new past of the task.
func (l *loop) applyVerdict(e runEnd, was taskHistory) taskHistory {
	// A spec that did not begin here may still be started within the limit.
	if e.Verdict != Elsewhere && e.Verdict != Settled && e.Verdict != Later {
		l.counted[e.id] = true
	}
	switch e.Verdict {
	case Again:
		l.postponed[e.id] = true
	case Elsewhere, Settled:
		was.lost++
		// No agent was started.
		l.summary.Starts--
	case Later:
		l.later[e.id] = e.Until
		l.summary.Starts--
	case Failed, Refused:
		was.ended = true
		if e.Verdict == Refused {
			l.summary.Starts--
		}
		if l.StopOnFailure {
			l.stopStarts(Failure)
		}
	case Done, Stopped:
		was.ended = true
	}
	return was
}

// checkInterrupted stops further starts after Drain or the end of the context.
func (l *loop) checkInterrupted(ctx context.Context) {
	select {
	case <-l.Drain:
		l.stopStarts(Interrupted)
	case <-ctx.Done():
		l.stopStarts(Interrupted)
	default:
	}
}

// stopStarts stops further starts. The first reason is kept.
func (l *loop) stopStarts(why Reason) {
	if !l.closed {
		l.closed, l.summary.Reason = true, why
	}
}
