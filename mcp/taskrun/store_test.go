package taskrun

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick ends at once with an outcome.
func quick(o Outcome) func(context.Context, *Entry) Outcome {
	return func(context.Context, *Entry) Outcome { return o }
}

// patient ends when it is stopped.
func patient(ctx context.Context, _ *Entry) Outcome {
	<-ctx.Done()
	return Outcome{Failed: true, Message: "stopped"}
}

func start(t *testing.T, s *Store, r Request, run func(context.Context, *Entry) Outcome) *Entry {
	t.Helper()
	e, task, err := s.Add(r, run)
	assert.NoError(t, err)
	assert.Equal(t, Working, task.Status)
	assert.Equal(t, e.ID(), task.ID)
	s.Begin(e, func() {})
	return e
}

func ms(n int64) *int64 { return &n }

func TestStore_outcomes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var changed []Task
		s := New(t.Context(), time.Now, func(t Task) { changed = append(changed, t) })
		for _, tt := range []struct {
			outcome Outcome
			status  Status
		}{
			{Outcome{Value: "fine"}, Completed},
			{Outcome{Value: "not fine", Failed: true, Message: "it broke"}, Failed},
		} {
			e := start(t, s, Request{}, quick(tt.outcome))
			task, got, err := s.Result(t.Context(), e.ID())
			assert.NoError(t, err)
			assert.True(t, got == tt.outcome, "%+v, %+v, %v", task, got, err)
			assert.Equal(t, tt.status, task.Status)
			assert.Equal(t, tt.outcome.Message, task.Message)
			again, err := s.Get(e.ID())
			assert.NoError(t, err)
			assert.Equal(t, task, again)
			assert.Equal(t, task, changed[len(changed)-1])
			_, err = s.Cancel(e.ID())
			assert.IsError(t, err, ErrEnded)
		}
		s.Close()
		if len(changed) != 2 || s.Busy() {
			t.Errorf("changed %+v, busy %v", changed, s.Busy())
		}
	})
}

func TestStore_cancelledIsOverAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var changed []Task
		s := New(t.Context(), time.Now, func(t Task) { changed = append(changed, t) })
		letGo := make(chan struct{})
		e := start(t, s, Request{}, func(ctx context.Context, e *Entry) Outcome {
			<-ctx.Done()
			<-letGo
			e.Report(Progress{Message: "too late"}, func() { t.Error("a cancelled task reports") })
			return Outcome{Value: "late"}
		})
		synctest.Wait()
		waiters := make(chan Status, 3)
		for range cap(waiters) {
			go func() {
				task, _, _ := s.Result(t.Context(), e.ID())
				waiters <- task.Status
			}()
		}
		task, err := s.Cancel(e.ID())
		assert.NoError(t, err)
		assert.Equal(t, Cancelled, task.Status)
		for range cap(waiters) {
			assert.Equal(t, Cancelled, <-waiters)
		}
		assert.True(t, s.Busy(), "not busy although the work has not ended")
		close(letGo)
		s.Close()
		task, err = s.Get(e.ID())
		assert.NoError(t, err, "%+v", changed)
		assert.Equal(t, Cancelled, task.Status, "%+v", changed)
		assert.Equal(t, "", task.Message, "%+v", changed)
		assert.Equal(t, 1, len(changed), "%+v", changed)
	})
}

func TestStore_limits(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	defer s.Close()
	for want, r := range map[[2]int64]Request{
		{defaultTTL, defaultPollInterval}: {},
		{5, 500}:                          {ms(5), ms(500)},
		{maxTTL, maxPollInterval}:         {ms(1 << 60), ms(1 << 60)},
		{0, minPollInterval}:              {ms(-1), ms(-1)},
	} {
		_, task, err := s.Add(r, patient)
		assert.NoError(t, err, "%+v", task)
		assert.Equal(t, want, [2]int64{task.TTL, task.PollInterval}, "%+v", task)
	}
}

func TestStore_forgetsWhatHasEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(t.Context(), time.Now, nil)
		long := start(t, s, Request{TTL: ms(10)}, patient)
		short := start(t, s, Request{TTL: ms(1000)}, quick(Outcome{}))
		synctest.Wait()
		time.Sleep(time.Second) // of the test's own clock
		for _, e := range []*Entry{long, short} {
			if _, err := s.Get(e.ID()); err != nil {
				t.Errorf("%v is forgotten too early", e.ID())
			}
		}
		time.Sleep(time.Millisecond)
		_, err := s.Get(short.ID())
		assert.IsError(t, err, ErrUnknown, "an expired task")
		list, next, err := s.List("")
		assert.NoError(t, err)
		assert.Equal(t, "", next)
		assert.Equal(t, 1, len(list))
		assert.Equal(t, long.ID(), list[0].ID)
		s.Close()
	})
}

func TestStore_full(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	first := start(t, s, Request{}, quick(Outcome{}))
	_, _, err := s.Result(t.Context(), first.ID())
	assert.NoError(t, err)
	for range maxTasks {
		start(t, s, Request{}, patient)
	}
	_, err = s.Get(first.ID())
	assert.IsError(t, err, ErrUnknown, "the task that had ended")
	_, _, err = s.Add(Request{}, patient)
	assert.IsError(t, err, ErrFull)
	s.Close()
	_, _, err = s.Add(Request{}, patient)
	assert.IsError(t, err, ErrFull, "one after the end")
}

func TestStore_pages(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	defer s.Close()
	var want, got []string
	for range 2*pageSize + 1 {
		want = append(want, start(t, s, Request{}, patient).ID())
	}
	pages := 0
	for cursor := ""; ; pages++ {
		list, next, err := s.List(cursor)
		assert.NoError(t, err)
		for _, each := range list {
			got = append(got, each.ID)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	assert.Equal(t, want, got, "%d pages of %d tasks", pages+1, len(got))
	assert.Equal(t, 2, pages, "%d pages of %d tasks", pages+1, len(got))
	for _, bad := range []string{"x", "!", "YWZ0ZXIgLTE=", cursorAfter(0), cursorAfter(3) + "AAAA"} {
		_, _, err := s.List(bad)
		assert.IsError(t, err, ErrCursor, "cursor %q", bad)
	}
}

func TestStore_atOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(t.Context(), time.Now, nil)
		var all []*Entry
		for range atOnce + 1 {
			all = append(all, start(t, s, Request{}, patient))
			synctest.Wait()
		}
		last := all[atOnce]
		task, _ := s.Get(last.ID())
		assert.Equal(t, waitingText, task.Message, "waits with the message")
		_, err := s.Cancel(all[0].ID())
		assert.NoError(t, err)
		synctest.Wait()
		task, _ = s.Get(last.ID())
		assert.Equal(t, Working, task.Status)
		assert.Equal(t, "", task.Message)
		s.Close()
	})
}

func TestStore_endsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	s := New(ctx, time.Now, nil)
	e := start(t, s, Request{}, patient)
	stop()
	task, _, err := s.Result(t.Context(), e.ID())
	assert.NoError(t, err)
	assert.Equal(t, Cancelled, task.Status)
	s.Close()
}

func TestStore_dropped(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	e, _, err := s.Add(Request{}, func(context.Context, *Entry) Outcome { panic("it runs") })
	assert.NoError(t, err)
	s.Drop(e)
	if _, err := s.Get(e.ID()); !errors.Is(err, ErrUnknown) || s.Busy() {
		t.Errorf("%v, busy %v", err, s.Busy())
	}
	cancelled, _, err := s.Add(Request{}, func(context.Context, *Entry) Outcome { panic("it runs") })
	assert.NoError(t, err)
	_, err = s.Cancel(cancelled.ID())
	assert.NoError(t, err)
	done := false
	s.Begin(cancelled, func() { done = true })
	s.Close()
	assert.True(t, done, "done is not called")
}

func TestStore_waiterLeaves(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	e := start(t, s, Request{}, patient)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, _, err := s.Result(ctx, e.ID())
	assert.IsError(t, err, context.Canceled)
	_, _, err = s.Result(t.Context(), "unheard of")
	assert.IsError(t, err, ErrUnknown)
	s.Close()
}

func TestEntry_Report(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	sent := 0
	e := start(t, s, Request{}, func(_ context.Context, e *Entry) Outcome {
		for i := range 3 {
			e.Report(Progress{Message: fmt.Sprint("step ", i), Done: i, Total: 3}, func() { sent++ })
		}
		task, far, _, err := s.Look(e.ID())
		return Outcome{Value: task.Message, Failed: err != nil || far != Progress{"step 2", 2, 3}}
	})
	task, o, err := s.Result(t.Context(), e.ID())
	assert.NoError(t, err)
	assert.True(t, o.Value == "step 2", "%+v, %+v, %v, %d reports", task, o, err, sent)
	assert.Equal(t, 3, sent)
	assert.Equal(t, "", task.Message)
	s.Close()
}
