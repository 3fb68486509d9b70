package taskrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

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
	if err != nil || task.Status != Working || task.ID != e.ID() {
		t.Fatalf("added %+v, %v", task, err)
	}
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
			if err != nil || got != tt.outcome || task.Status != tt.status || task.Message != tt.outcome.Message {
				t.Errorf("%+v, %+v, %v", task, got, err)
			}
			if again, err := s.Get(e.ID()); err != nil || again != task || changed[len(changed)-1] != task {
				t.Errorf("got %+v, %v, changed %+v", again, err, changed)
			}
			if _, err := s.Cancel(e.ID()); !errors.Is(err, ErrEnded) {
				t.Errorf("cancelling it: %v", err)
			}
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
		if task, err := s.Cancel(e.ID()); err != nil || task.Status != Cancelled {
			t.Errorf("cancelled %+v, %v", task, err)
		}
		for range cap(waiters) {
			if got := <-waiters; got != Cancelled {
				t.Errorf("a waiter got %s", got)
			}
		}
		if !s.Busy() {
			t.Error("not busy although the work has not ended")
		}
		close(letGo)
		s.Close()
		if task, err := s.Get(e.ID()); err != nil || task.Status != Cancelled || task.Message != "" || len(changed) != 1 {
			t.Errorf("%+v, %v, changed %+v", task, err, changed)
		}
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
		if _, task, err := s.Add(r, patient); err != nil || [2]int64{task.TTL, task.PollInterval} != want {
			t.Errorf("%+v, %v, want %v", task, err, want)
		}
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
		if _, err := s.Get(short.ID()); !errors.Is(err, ErrUnknown) {
			t.Errorf("an expired task: %v", err)
		}
		if list, next, err := s.List(""); err != nil || next != "" || len(list) != 1 || list[0].ID != long.ID() {
			t.Errorf("list %+v, %q, %v", list, next, err)
		}
		s.Close()
	})
}

func TestStore_full(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	first := start(t, s, Request{}, quick(Outcome{}))
	if _, _, err := s.Result(t.Context(), first.ID()); err != nil {
		t.Fatal(err)
	}
	for range maxTasks {
		start(t, s, Request{}, patient)
	}
	if _, err := s.Get(first.ID()); !errors.Is(err, ErrUnknown) {
		t.Errorf("the task that had ended: %v", err)
	}
	if _, _, err := s.Add(Request{}, patient); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
	s.Close()
	if _, _, err := s.Add(Request{}, patient); !errors.Is(err, ErrFull) {
		t.Errorf("one after the end: %v", err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range list {
			got = append(got, each.ID)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if !slices.Equal(got, want) || pages != 2 {
		t.Errorf("%d pages of %d tasks", pages+1, len(got))
	}
	for _, bad := range []string{"x", "!", "YWZ0ZXIgLTE=", cursorAfter(0), cursorAfter(3) + "AAAA"} {
		if _, _, err := s.List(bad); !errors.Is(err, ErrCursor) {
			t.Errorf("cursor %q: %v", bad, err)
		}
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
		if task, _ := s.Get(last.ID()); task.Message != waitingText {
			t.Errorf("waits with the message %q", task.Message)
		}
		if _, err := s.Cancel(all[0].ID()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if task, _ := s.Get(last.ID()); task.Status != Working || task.Message != "" {
			t.Errorf("its turn: %+v", task)
		}
		s.Close()
	})
}

func TestStore_endsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	s := New(ctx, time.Now, nil)
	e := start(t, s, Request{}, patient)
	stop()
	if task, _, err := s.Result(t.Context(), e.ID()); err != nil || task.Status != Cancelled {
		t.Errorf("%+v, %v", task, err)
	}
	s.Close()
}

func TestStore_dropped(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	e, _, err := s.Add(Request{}, func(context.Context, *Entry) Outcome { panic("it runs") })
	if err != nil {
		t.Fatal(err)
	}
	s.Drop(e)
	if _, err := s.Get(e.ID()); !errors.Is(err, ErrUnknown) || s.Busy() {
		t.Errorf("%v, busy %v", err, s.Busy())
	}
	cancelled, _, err := s.Add(Request{}, func(context.Context, *Entry) Outcome { panic("it runs") })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Cancel(cancelled.ID()); err != nil {
		t.Fatal(err)
	}
	done := false
	s.Begin(cancelled, func() { done = true })
	s.Close()
	if !done {
		t.Error("done is not called")
	}
}

func TestStore_waiterLeaves(t *testing.T) {
	t.Parallel()
	s := New(t.Context(), time.Now, nil)
	e := start(t, s, Request{}, patient)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := s.Result(ctx, e.ID()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, _, err := s.Result(t.Context(), "unheard of"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
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
	if err != nil || o.Value != "step 2" || sent != 3 || task.Message != "" {
		t.Errorf("%+v, %+v, %v, %d reports", task, o, err, sent)
	}
	s.Close()
}
