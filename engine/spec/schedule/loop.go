package schedule

import (
	"context"
	"sync"
	"time"

	"chant/engine/spec/fileset"
)

// maxAttempts limits how often a spec is tried that another process had.
const maxAttempts = 3

// taskHistory records the earlier starts of a task.
type taskHistory struct {
	mark  string // of the task at that time
	ended bool   // it must not be started again
	lost  int    // how often another process had it, or its crashed run was settled
}

// prevents reports whether the task, as it is now, must not start again.
func (p taskHistory) prevents(t Task) bool {
	return p.mark == t.Mark && (p.ended || p.lost >= maxAttempts)
}

// loop is a running scheduler. Everything except the runs belongs to one goroutine.
type loop struct {
	Scheduler
	source  Source
	work    Work
	ends    chan runEnd
	working sync.WaitGroup

	running   map[string]Start
	past      map[string]taskHistory // of the tasks that were started
	later     map[string]time.Time   // tasks that must not start before a time
	postponed map[string]bool        // tasks to start again as soon as an agent is available
	counted   map[string]bool        // tasks that were started, however that ended
	next      time.Time              // nothing starts before
	idle      time.Time              // since when there is nothing to do, zero = there is something
	closed    bool                   // nothing more starts
	err       error                  // of the source
	summary   Summary
	reported  Waiting // what was reported last
}

type runEnd struct {
	id string
	End
}

// never is the wait of a loop in which something starts only after an end.
const never = time.Duration(-1)

// startReady starts what can start now, and returns how long until more may start.
func (l *loop) startReady(ctx context.Context) time.Duration {
	l.checkInterrupted(ctx)
	if l.closed || len(l.running) >= l.Width {
		return never
	}
	tasks, err := l.source(ctx)
	if err != nil {
		// What runs already must still end before Run returns.
		l.stopStarts(Interrupted)
		l.err = err
		return never
	}
	l.forgetUnlisted(tasks)
	Order(tasks)
	wait, ready := never, 0
	for _, t := range tasks {
		// A verdict cannot arrive in between, but a start fills a place.
		if l.closed || len(l.running) >= l.Width {
			return wait
		}
		left := l.tryStart(ctx, t)
		// Tasks that wait for the end of a run are not ready.
		if left > 0 {
			ready++
		}
		if left > 0 && (wait < 0 || left < wait) {
			wait = left
		}
	}
	l.reportWaiting(wait, ready)
	return wait
}

// forgetUnlisted removes the history of marked tasks that are no longer listed.
func (l *loop) forgetUnlisted(tasks []Task) {
	listed := map[string]bool{}
	for _, t := range tasks {
		listed[t.ID] = true
	}
	for id, p := range l.past {
		// A task without a mark is never started again, listed or not.
		if _, runs := l.running[id]; p.mark != "" && !listed[id] && !runs {
			// If the task is listed again, a person or another process has changed it.
			delete(l.past, id)
		}
	}
}

// tryStart starts a task if it can start, else it returns how long until it could be tried
// again, 0 if that depends on the end of a run.
func (l *loop) tryStart(ctx context.Context, t Task) time.Duration {
	if _, runs := l.running[t.ID]; runs || l.past[t.ID].prevents(t) {
		return 0
	}
	now := l.Now()
	if left := l.later[t.ID].Sub(now); left > 0 {
		return left
	}
	// A task that this loop postponed starts as soon as an agent can.
	if left := timeUntil(t.Due, now); left > 0 && !l.postponed[t.ID] {
		return left
	}
	if l.waitsForFiles(t) {
		return 0
	}
	// A retry of a counted spec is not another spec.
	if l.Max > 0 && !l.counted[t.ID] && l.countSpecs() >= l.Max {
		l.summary.Reason = Limited
		return 0
	}
	if left := l.next.Sub(now); left > 0 {
		return left
	}
	// The agent is taken last, because taking it counts as a run.
	agent, left, ok := l.Pool.Take(t.Provider, now)
	if ok {
		l.start(ctx, Start{t, agent}, now)
	}
	return left
}

// countSpecs returns how many specs were started.
func (l *loop) countSpecs() int {
	n := len(l.counted)
	for id := range l.running {
		if !l.counted[id] {
			n++
		}
	}
	return n
}

// waitsForFiles reports whether a running task has one of the task's files.
func (l *loop) waitsForFiles(t Task) bool {
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
	// Starts at regular intervals would meet the limits of a provider together.
	if l.Stagger > 0 {
		l.next = now.Add(l.Stagger + l.jitter())
	}
	l.working.Go(func() { l.ends <- runEnd{st.ID, l.work(ctx, st)} })
}

func (l *loop) jitter() time.Duration {
	if l.Jitter <= 0 {
		return 0
	}
	span := int(l.Jitter/time.Millisecond) + 1
	return time.Duration(l.Random(2*span-1)-span+1) * time.Millisecond
}
