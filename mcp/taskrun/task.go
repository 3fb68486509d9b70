package taskrun

import (
	"context"
	"errors"
	"time"
)

// Status is the state of a task.
type Status string

// The statuses of tasks.
const (
	Working       Status = "working"
	InputRequired Status = "input_required" // it waits for a person, see AwaitInput
	Completed     Status = "completed"
	Failed        Status = "failed"
	Cancelled     Status = "cancelled"
)

// Ended reports whether the status is a last one.
func (s Status) Ended() bool { return s != Working && s != InputRequired }

// Limits of what a client may ask for, in milliseconds.
const (
	defaultTTL          = 60 * 60 * 1000
	maxTTL              = 24 * defaultTTL
	defaultPollInterval = 1000
	minPollInterval     = 100
	maxPollInterval     = 5 * 60 * 1000
)

// Errors of a Store.
var (
	// ErrWithdrawn is the cause of the context of a task that its client has cancelled.
	ErrWithdrawn = errors.New("the task was cancelled")

	ErrUnknown = errors.New("task not found; it may have expired")
	ErrEnded   = errors.New("the task has already ended")
	ErrCursor  = errors.New("invalid cursor")
	ErrFull    = errors.New("too many tasks are under way")
)

// Task is a task as clients see it.
type Task struct {
	ID           string `json:"taskId"`
	Status       Status `json:"status"`
	Message      string `json:"statusMessage,omitempty"`
	CreatedAt    string `json:"createdAt"`
	UpdatedAt    string `json:"lastUpdatedAt"`
	TTL          int64  `json:"ttl"`          // milliseconds
	PollInterval int64  `json:"pollInterval"` // milliseconds
}

// Request is how long a client wants a task to be kept, and how often it asks for it, in milliseconds; nil = not said.
type Request struct {
	TTL          *int64 `json:"ttl"`
	PollInterval *int64 `json:"pollInterval"`
}

// Progress is how far a task is: a message, and how much of what it counts is done. Total is 0 where it counts nothing.
type Progress struct {
	Message     string
	Done, Total int
}

// Outcome is the result of a task.
type Outcome struct {
	Value   any
	Failed  bool
	Message string // why it failed, for people; may be empty
}

// Entry is a task in its store.
type Entry struct {
	store *Store
	id    string
	run   func(context.Context, *Entry) Outcome
	ctx   context.Context
	stop  context.CancelCauseFunc
	ended chan struct{} // closed when the status no longer changes

	// Guarded by the lock of the store.
	task    Task
	far     Progress
	outcome Outcome
	number  int
	begun   bool
	endedAt time.Time
}

// ID names the task. It cannot be guessed.
func (e *Entry) ID() string { return e.id }

// Report records how far the task is and calls send, as long as the task is working. send must neither wait nor call the
// store; it may be nil.
func (e *Entry) Report(far Progress, send func()) {
	e.store.mu.Lock()
	defer e.store.mu.Unlock()
	// Nothing about a task may follow its last status, so this is checked under the lock that sets it.
	if e.task.Status.Ended() {
		return
	}
	e.far, e.task.Message = far, far.Message
	e.task.UpdatedAt = stampOf(e.store.now())
	if send != nil {
		send()
	}
}

// AwaitInput calls wait, which waits for a person, and reports meanwhile that input is required, with a message. The
// place among those that are carried out at a time is left to other tasks as long. Only what carries out the task may
// call it.
func (e *Entry) AwaitInput(message string, wait func()) {
	e.setStatus(InputRequired, message)
	// A person may take hours, and the place is for work.
	<-e.store.slots
	wait()
	// The work continues only when there is a place again.
	e.store.slots <- struct{}{}
	e.setStatus(Working, "")
}

// setStatus changes the status of a task that has not ended.
func (e *Entry) setStatus(status Status, message string) {
	e.store.mu.Lock()
	defer e.store.mu.Unlock()
	if e.task.Status.Ended() {
		return
	}
	e.task.Status, e.task.Message, e.task.UpdatedAt = status, message, stampOf(e.store.now())
	if e.store.changed != nil {
		e.store.changed(e.task)
	}
}

// end gives the task its last status. why is the cause with which its context ends, nil for none in particular. The
// caller holds the lock of the store.
func (e *Entry) end(status Status, o Outcome, why error) {
	if e.task.Status.Ended() {
		return
	}
	e.endedAt = e.store.now()
	e.task.Status, e.task.Message, e.task.UpdatedAt = status, o.Message, stampOf(e.endedAt)
	e.outcome = o
	// What it refers to is no longer needed, while the entry is kept for its ttl.
	e.run = nil
	e.stop(why)
	close(e.ended)
	if e.store.changed != nil {
		e.store.changed(e.task)
	}
}

// isExpired reports whether the task has ended and its ttl has passed since. The caller holds the lock of the store.
func (e *Entry) isExpired(now time.Time) bool {
	return e.task.Status.Ended() && now.Sub(e.endedAt) > time.Duration(e.task.TTL)*time.Millisecond
}

// clamp is the value that a client asks for, within limits.
func clamp(asked *int64, otherwise, least, most int64) int64 {
	if asked == nil {
		return otherwise
	}
	return min(max(*asked, least), most)
}

// stampOf is a time as the protocol writes it.
func stampOf(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
