package schedule

import (
	"context"
	"time"
)

// await waits for an end, for a time, or to be stopped.
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
	case <-drain:
	case <-done:
	}
}

// end takes in how a run ended.
func (l *loop) end(e ended) {
	st := l.running[e.id]
	delete(l.running, e.id)
	l.Pool.GiveBack(st.Agent.Name, e.Until)
	delete(l.putOff, e.id)
	switch e.Verdict {
	case Again:
		l.putOff[e.id] = true
	case Elsewhere:
		l.lost[e.id]++
		l.summary.Starts--
	case Failed, Refused:
		l.tried[e.id] = true
		if e.Verdict == Refused {
			l.summary.Starts--
		}
		if l.StopOnFailure {
			l.close(Failure)
		}
	case Done, Stopped:
		l.tried[e.id] = true
	}
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
