package schedule

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chant/engine/spec"
)

// Task is a spec that may start now, or is due later.
type Task struct {
	ID       string
	Rank     int       // position among the specs that a person named, the same for all others
	Priority int       // 0 is the most urgent
	Depth    int       // length of the longest chain of dependencies before it
	Files    []string  // target files: paths, folders and globs
	Provider string    // the one it has to run with, "" for any agent
	Due      time.Time // not before, zero = now
	Mark     string    // identifies its content: a task that was started may start again once this has changed, or after it was not listed; "" = never
}

// Order sorts tasks in the order in which they start.
func Order(tasks []Task) {
	slices.SortFunc(tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Priority, b.Priority),
			cmp.Compare(a.Depth, b.Depth), spec.Compare(a.ID, b.ID))
	})
}

// Start is a task that begins on an agent.
type Start struct {
	Task
	Agent Agent
}

// Verdict says how a run ended, as far as the scheduler needs it.
type Verdict int

// The verdicts.
const (
	Done      Verdict = iota // it succeeded
	Failed                   // it failed and is not tried again
	Refused                  // it could not begin; no agent was started
	Again                    // its agent has to wait, then it is tried again
	Elsewhere                // another process has it
	Stopped                  // it was paused
	Settled                  // its crashed run was settled; it may be started again
	Later                    // it could not begin; it may be started again from Until on
)

// End is how a run ended.
type End struct {
	Verdict Verdict
	Until   time.Time // Again: when the agent can be asked again; Later: when the task can start
	Why     string    // Again: why the agent has to wait, in a few words
}

// Source lists the tasks that could start now and those that are due later. It may
// include tasks that are running already.
type Source func(ctx context.Context) ([]Task, error)

// Work runs one task to its end.
type Work func(ctx context.Context, st Start) End

// Scheduler is the settings of a loop.
type Scheduler struct {
	Width         int  // runs side by side, at least 1
	Max           int  // specs to start in total, 0 = no limit
	StopOnFailure bool // nothing starts after a failure that is not tried again
	AllowOverlap  bool // specs with target files in common run side by side
	Pool          *Pool
	Stagger       time.Duration // between two starts
	Jitter        time.Duration // by which Stagger varies up and down
	Drain         <-chan struct{}
	Wake          <-chan struct{} // what is ready may have changed; nil = only ends change it
	Idle          time.Duration   // how long to stay with nothing to do: 0 = end at once, negative = for ever

	Waits  func(Waiting)         // is called with what is waited for when nothing runs; may be nil
	Idles  func(until time.Time) // is called once when there is nothing to do and the loop stays; zero = for ever; may be nil
	Now    func() time.Time
	After  func(time.Duration) <-chan time.Time
	Random func(n int) int // 0 <= result < n
}

// Reason says why a loop ended.
type Reason string

// The reasons.
const (
	Finished    Reason = "finished"    // nothing was left that could start
	Failure     Reason = "failed"      // a failure stopped it
	Limited     Reason = "limit"       // Max specs were started
	Interrupted Reason = "interrupted" // drained, or the context ended
)

// Summary is what a loop did.
type Summary struct {
	Reason Reason
	Starts int               // of agents, including retries
	Behind map[string]string // specs that waited for the files of another one, and that one
}

// Run starts what the source lists until nothing is left. The error is that of the
// source, after which nothing more starts; Run returns when what runs has ended.
func (s Scheduler) Run(ctx context.Context, source Source, work Work) (Summary, error) {
	l := &loop{
		Scheduler: s, source: source, work: work, ends: make(chan runEnd),
		running: map[string]Start{}, past: map[string]taskHistory{}, later: map[string]time.Time{}, postponed: map[string]bool{}, counted: map[string]bool{},
		summary: Summary{Reason: Finished, Behind: map[string]string{}},
	}
	// No goroutine of a run may outlive the loop.
	defer l.working.Wait()
	for {
		wait, stay := l.keepWaiting(l.startReady(ctx))
		if !stay {
			return l.summary, l.err
		}
		l.await(ctx, wait)
	}
}
