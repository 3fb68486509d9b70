package schedule

import (
	"context"
	"sync"
	"time"

	"chant/engine/spec/fileset"
)

// attempts bounds how often a spec is tried that another process had.
const attempts = 3

// past is what became of the starts of a task.
type past struct {
	mark  string // of the task then
	ended bool   // it is not to be started again
	lost  int    // how often another process had it
}

// bars reports whether a task does not start again as it is now.
func (p past) bars(t Task) bool { return p.mark == t.Mark && (p.ended || p.lost >= attempts) }

// loop is a scheduler at work. Everything but the runs belongs to one goroutine.
type loop struct {
	Scheduler
	source  Source
	work    Work
	ends    chan ended
	working sync.WaitGroup

	running map[string]Start
	past    map[string]past      // of those that were started
	later   map[string]time.Time // not to be started before
	putOff  map[string]bool      // to be started again, as soon as an agent can
	counted map[string]bool      // had a start of their own, whatever became of it
	next    time.Time            // no start before
	idle    time.Time            // nothing to do since, zero = there is
	closed  bool                 // nothing starts any more
	err     error                // the source's
	summary Summary
	told    Waiting // what was reported last
}

type ended struct {
	id string
	End
}

// never is the wait of a loop in which nothing starts but after an end.
const never = time.Duration(-1)

// fill starts what can start now and tells how long until there may be more.
func (l *loop) fill(ctx context.Context) time.Duration {
	l.interrupted(ctx)
	if l.closed || len(l.running) >= l.Width {
		return never
	}
	tasks, err := l.source(ctx)
	if err != nil {
		l.close(Interrupted)
		l.err = err
		return never
	}
	l.forget(tasks)
	Order(tasks)
	wait, ready := never, 0
	for _, t := range tasks {
		if l.closed || len(l.running) >= l.Width {
			return wait
		}
		left := l.try(ctx, t)
		if left > 0 {
			ready++
		}
		if left > 0 && (wait < 0 || left < wait) {
			wait = left
		}
	}
	l.report(wait, ready)
	return wait
}

// forget lets go of the past of marked tasks that are not listed any more: what comes
// back is there because someone brought it back.
func (l *loop) forget(tasks []Task) {
	listed := map[string]bool{}
	for _, t := range tasks {
		listed[t.ID] = true
	}
	for id, p := range l.past {
		if _, runs := l.running[id]; p.mark != "" && !listed[id] && !runs {
			delete(l.past, id)
		}
	}
}

// try starts a task if it can, and tells how long until it could be tried again, 0
// when only an end changes that.
func (l *loop) try(ctx context.Context, t Task) time.Duration {
	if _, runs := l.running[t.ID]; runs || l.past[t.ID].bars(t) {
		return 0
	}
	now := l.Now()
	if left := l.later[t.ID].Sub(now); left > 0 {
		return left
	}
	if left := ahead(t.Due, now); left > 0 && !l.putOff[t.ID] { // whom it waits for is known here
		return left
	}
	if l.behind(t) {
		return 0
	}
	if l.Max > 0 && !l.counted[t.ID] && l.specs() >= l.Max {
		l.summary.Reason = Limited
		return 0
	}
	if left := l.next.Sub(now); left > 0 {
		return left
	}
	agent, left, ok := l.Pool.Take(t.Provider, now)
	if ok {
		l.start(ctx, Start{t, agent}, now)
	}
	return left
}

// specs counts those that were started, each once.
func (l *loop) specs() int {
	n := len(l.counted)
	for id := range l.running {
		if !l.counted[id] {
			n++
		}
	}
	return n
}

// behind reports whether a run has the task's files.
func (l *loop) behind(t Task) bool {
	if l.AllowOverlap {
		return false
	}
	for id, other := range l.running {
		if fileset.Overlap(t.Files, other.Files) {
			l.summary.Behind[t.ID] = id
			return true
		}
	}
	return false
}

func (l *loop) start(ctx context.Context, st Start, now time.Time) {
	l.running[st.ID] = st
	l.summary.Starts++
	if l.Stagger > 0 {
		l.next = now.Add(l.Stagger + l.jitter())
	}
	l.working.Go(func() { l.ends <- ended{st.ID, l.work(ctx, st)} })
}

func (l *loop) jitter() time.Duration {
	if l.Jitter <= 0 {
		return 0
	}
	span := int(l.Jitter/time.Millisecond) + 1
	return time.Duration(l.Random(2*span-1)-span+1) * time.Millisecond
}
