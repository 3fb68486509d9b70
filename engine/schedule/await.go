package schedule

import (
	"context"
	"time"
)

// linger reports whether the loop goes on that has to wait so long for what it knows
// of, and how long it waits before it looks again. It has just looked, so that
// nothing that came in the last moment of its patience is missed.
func (l *loop) linger(wait time.Duration) (time.Duration, bool) {
	if len(l.running) > 0 || wait >= 0 {
		l.idle = time.Time{}
		return wait, true
	}
	if l.closed || l.Idle == 0 {
		return never, false
	}
	if l.Idle < 0 {
		return never, true
	}
	now := l.Now()
	if l.idle.IsZero() {
		l.idle = now
	}
	left := l.Idle - now.Sub(l.idle)
	return left, left > 0
}

// await waits for an end, for a time, for word that things have changed, or to be
// stopped.
func (l *loop) await(ctx context.Context, wait time.Duration) {
	var timer <-chan time.Time
	if wait >= 0 {
		timer = l.After(wait)
	}
	drain, done := l.Drain, ctx.Done()
	if l.closed { // known; only ends are left to come
		drain, done = nil, nil
	}
	select {
	case e := <-l.ends:
		l.end(e)
	case <-timer:
	case <-l.Wake:
	case <-drain:
	case <-done:
	}
}

// end takes in how a run ended.
func (l *loop) end(e ended) {
	st := l.running[e.id]
	delete(l.running, e.id)
	putOff := e.Until
	if e.Verdict == Later {
		putOff = time.Time{} // the task is, not the agent
	}
	l.Pool.GiveBack(st.Agent.Name, putOff, e.Why)
	delete(l.putOff, e.id)
	was := l.past[e.id]
	if was.mark != st.Mark {
		was = past{mark: st.Mark}
	}
	l.past[e.id] = l.judge(e, was)
}

// judge takes in a verdict, and returns what is past of the task then.
func (l *loop) judge(e ended, was past) past {
	if e.Verdict != Elsewhere && e.Verdict != Settled && e.Verdict != Later {
		l.counted[e.id] = true
	}
	switch e.Verdict {
	case Again:
		l.putOff[e.id] = true
	case Elsewhere, Settled:
		was.lost++
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
			l.close(Failure)
		}
	case Done, Stopped:
		was.ended = true
	}
	return was
}

// interrupted looks whether the loop shall end.
func (l *loop) interrupted(ctx context.Context) {
	select {
	case <-l.Drain:
		l.close(Interrupted)
	case <-ctx.Done():
		l.close(Interrupted)
	default:
	}
}

// close lets nothing start any more. The first reason is kept.
func (l *loop) close(why Reason) {
	if !l.closed {
		l.closed, l.summary.Reason = true, why
	}
}
