package schedule

import (
	"context"
	"time"
)

// Start is a task that begins on an agent.
type Start struct {
	Task
	Agent Agent
}

// Verdict says what the end of a run means for the others.
type Verdict int

// The verdicts.
const (
	Done      Verdict = iota // it came to its end
	Failed                   // it did not, for good
	Refused                  // it could not begin; no agent was started
	Again                    // its agent has to wait, then it is tried again
	Elsewhere                // another process has it
	Stopped                  // it was paused
	Settled                  // what a crash left was put in order; it may be started again
	Later                    // it could not begin; it may be started again from Until on
)

// End is how a run ended.
type End struct {
	Verdict Verdict
	Until   time.Time // Again: when the agent can be asked again; Later: when the task can start
	Why     string    // Again: why it cannot before, in a few words
}

// Source lists what could start now, as it is at this moment, and what is due
// later. What runs already may be among it.
type Source func(ctx context.Context) ([]Task, error)

// Work runs one task to its end.
type Work func(ctx context.Context, st Start) End

// Scheduler is the settings of a loop.
type Scheduler struct {
	Width         int  // runs side by side, at least 1
	Max           int  // specs that are started at all, 0 = no limit
	StopOnFailure bool // a failure for good is the last start
	AllowOverlap  bool // specs with target files in common run side by side
	Pool          *Pool
	Stagger       time.Duration // between two starts
	Jitter        time.Duration // by which Stagger varies up and down
	Drain         <-chan struct{}
	Wake          <-chan struct{} // what is ready may have changed; nil = only ends change it
	Idle          time.Duration   // how long to stay with nothing to do: 0 = end at once, negative = for ever

	Waits  func(Waiting) // hears what everything waits for where nothing runs; nil = no one asks
	Now    func() time.Time
	After  func(time.Duration) <-chan time.Time
	Random func(n int) int // 0 <= result < n
}

// Reason says why a loop ended.
type Reason string

// The reasons.
const (
	Finished    Reason = "finished"    // nothing was left that could start
	Failure     Reason = "failed"      // a failure was the last start
	Limited     Reason = "limit"       // Max specs were started
	Interrupted Reason = "interrupted" // drained, or the context ended
)

// Summary is what a loop did.
type Summary struct {
	Reason Reason
	Starts int               // agent starts, retries among them
	Behind map[string]string // specs that waited for the files of another, which is the value
}

// Run starts what the source lists until nothing is left. The error is the source's;
// then nothing more starts, and what runs is waited for.
func (s Scheduler) Run(ctx context.Context, source Source, work Work) (Summary, error) {
	l := &loop{
		Scheduler: s, source: source, work: work, ends: make(chan ended),
		running: map[string]Start{}, past: map[string]past{}, later: map[string]time.Time{}, putOff: map[string]bool{}, counted: map[string]bool{},
		summary: Summary{Reason: Finished, Behind: map[string]string{}},
	}
	defer l.working.Wait()
	for {
		wait, stay := l.linger(l.fill(ctx))
		if !stay {
			return l.summary, l.err
		}
		l.await(ctx, wait)
	}
}
