package taskrun

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Limits of a store.
const (
	maxTasks = 256 // that are remembered
	atOnce   = 4   // that are carried out at a time
	pageSize = 50
)

// waitingText is the status message of a task that waits for others to end.
const waitingText = "Waiting for other tasks"

// Store keeps the tasks of one client.
type Store struct {
	ctx     context.Context
	now     func() time.Time
	changed func(Task)
	slots   chan struct{}
	running sync.WaitGroup

	mu     sync.Mutex
	list   []*Entry // in the order in which they were added
	added  int
	active int // goroutines of tasks
	closed bool
}

// New makes a store whose tasks last at most as long as ctx. changed is called when the status of a task has changed, with
// the store locked: it must neither wait nor call the store. It may be nil.
func New(ctx context.Context, now func() time.Time, changed func(Task)) *Store {
	return &Store{ctx: ctx, now: now, changed: changed, slots: make(chan struct{}, atOnce)}
}

// Add adds a task, which does not begin yet. Error: ErrFull.
func (s *Store) Add(r Request, run func(context.Context, *Entry) Outcome) (*Entry, Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
	// A running task is never forgotten, so a client with too many of them has to wait.
	if s.closed || len(s.list) >= maxTasks && !s.forgetFirstEnded() {
		return nil, Task{}, ErrFull
	}
	s.added++
	now := stampOf(s.now())
	e := &Entry{store: s, id: rand.Text(), run: run, ended: make(chan struct{}), number: s.added}
	e.ctx, e.stop = context.WithCancelCause(s.ctx)
	e.task = Task{
		ID: e.id, Status: Working, CreatedAt: now, UpdatedAt: now,
		TTL:          clamp(r.TTL, defaultTTL, 0, maxTTL),
		PollInterval: clamp(r.PollInterval, defaultPollInterval, minPollInterval, maxPollInterval),
	}
	s.list = append(s.list, e)
	return e, e.task, nil
}

// Begin carries out a task in the background, when there is room for it, unless it has been cancelled meanwhile. It
// calls done when nothing is done for the task anymore.
func (s *Store) Begin(e *Entry, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A cancellation may come before the reply with the id was written.
	if e.begun || e.task.Status != Working {
		done()
		return
	}
	e.begun = true
	s.active++
	run := e.run
	s.running.Go(func() {
		defer done()
		s.carryOut(e, run)
	})
}

// carryOut waits for a free slot and runs the task.
func (s *Store) carryOut(e *Entry, run func(context.Context, *Entry) Outcome) {
	var o Outcome
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.active--
		switch {
		case !o.Failed:
			e.end(Completed, o, nil)
		// A task that was stopped from outside has not failed by itself.
		case e.ctx.Err() != nil:
			e.end(Cancelled, Outcome{}, nil)
		default:
			e.end(Failed, o, nil)
		}
	}()
	// The status of a task that begins at once must not flicker.
	select {
	case s.slots <- struct{}{}:
	default:
		e.Report(Progress{Message: waitingText}, nil)
		select {
		case s.slots <- struct{}{}:
			e.Report(Progress{}, nil)
		case <-e.ctx.Done():
			o.Failed = true
			return
		}
	}
	defer func() { <-s.slots }()
	o = run(e.ctx, e)
}

// Drop removes a task that is not to begin, because its client does not know of it.
func (s *Store) Drop(e *Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.begun {
		return
	}
	e.stop(nil)
	s.list = slices.DeleteFunc(s.list, func(each *Entry) bool { return each == e })
}

// Get returns a task. Error: ErrUnknown.
func (s *Store) Get(id string) (Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.find(id)
	if err != nil {
		return Task{}, err
	}
	return e.task, nil
}

// Look returns a task, how far it is, and what came of it if it has ended. Error: ErrUnknown.
func (s *Store) Look(id string) (Task, Progress, Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.find(id)
	if err != nil {
		return Task{}, Progress{}, Outcome{}, err
	}
	return e.task, e.far, e.outcome, nil
}

// List returns a page of the tasks in the order in which they were added, and the cursor of the next page, "" at the
// end. Error: ErrCursor.
func (s *Store) List(cursor string) (tasks []Task, next string, err error) {
	after := 0
	if cursor != "" {
		text, err := base64.StdEncoding.DecodeString(cursor)
		if err != nil {
			return nil, "", ErrCursor
		}
		// The cursor is made again and compared, so that only one of this server is accepted.
		if _, err := fmt.Sscanf(string(text), "after %d", &after); err != nil || after < 1 || cursorAfter(after) != cursor {
			return nil, "", ErrCursor
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
	tasks = []Task{}
	last := 0
	for _, e := range s.list {
		switch {
		case e.number <= after:
		case len(tasks) == pageSize:
			return tasks, cursorAfter(last), nil
		default:
			tasks = append(tasks, e.task)
			last = e.number
		}
	}
	return tasks, "", nil
}

// cursorAfter is the cursor of what follows a task, which need not be remembered anymore when it is used.
func cursorAfter(number int) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "after %d", number))
}

// Result waits until a task has ended and returns what came of it; nothing came of a cancelled one. Errors: ErrUnknown,
// the context's.
func (s *Store) Result(ctx context.Context, id string) (Task, Outcome, error) {
	// The lock is not held while waiting: the task needs it to end.
	s.mu.Lock()
	e, err := s.find(id)
	s.mu.Unlock()
	if err != nil {
		return Task{}, Outcome{}, err
	}
	select {
	case <-e.ended:
	case <-ctx.Done():
		return Task{}, Outcome{}, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return e.task, e.outcome, nil
}

// Cancel stops a task and returns it. What it does until it notices is ignored. Errors: ErrUnknown, ErrEnded.
func (s *Store) Cancel(id string) (Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.find(id)
	if err != nil {
		return Task{}, err
	}
	if e.task.Status.Ended() {
		return Task{}, ErrEnded
	}
	// The task is over for its client at once, although its work may need time to notice.
	e.end(Cancelled, Outcome{}, ErrWithdrawn)
	return e.task, nil
}

// Busy reports whether a task has not ended, or does something although it has been cancelled.
func (s *Store) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active > 0 || slices.ContainsFunc(s.list, func(e *Entry) bool { return !e.task.Status.Ended() })
}

// Close cancels all tasks and returns when none does anything anymore. No further ones are added.
func (s *Store) Close() {
	s.mu.Lock()
	s.closed = true
	for _, e := range s.list {
		e.end(Cancelled, Outcome{}, nil)
	}
	s.mu.Unlock()
	s.running.Wait()
}

// find returns a task that is remembered. The caller holds the lock.
func (s *Store) find(id string) (*Entry, error) {
	s.forget()
	i := slices.IndexFunc(s.list, func(e *Entry) bool { return e.id == id })
	if i < 0 {
		return nil, ErrUnknown
	}
	return s.list[i], nil
}

// forget removes the tasks that have expired. The caller holds the lock.
func (s *Store) forget() {
	now := s.now()
	s.list = slices.DeleteFunc(s.list, func(e *Entry) bool { return e.isExpired(now) })
}

// forgetFirstEnded removes the task that ended first; false when all are under way. The caller holds the lock.
func (s *Store) forgetFirstEnded() bool {
	first := -1
	for i, e := range s.list {
		if e.task.Status.Ended() && (first < 0 || e.endedAt.Before(s.list[first].endedAt)) {
			first = i
		}
	}
	if first < 0 {
		return false
	}
	s.list = slices.Delete(s.list, first, first+1)
	return true
}
