package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// queue returns a world of n tasks that each take a second and succeed.
func queue(n, width int) *world {
	w := &world{tasks: map[string]*fate{}, doneAt: map[string]time.Time{}, runs: map[string]int{}, turn: make(chan struct{}, 1), width: width}
	for i := range n {
		id := strconv.Itoa(i)
		w.tasks[id] = &fate{Task: Task{ID: id}, takes: time.Second, ends: []Verdict{Done}}
	}
	return w
}

// TestRun_drain: after Drain nothing starts, and what runs continues to its end.
func TestRun_drain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := queue(10, 2)
		w.atEnds = append(w.atEnds, time.Now())
		drain := make(chan struct{})
		s := w.scheduler()
		s.Drain = drain
		time.AfterFunc(1500*time.Millisecond, func() { close(drain) })
		sum, err := s.Run(t.Context(), w.source, w.work)
		if err != nil || sum.Reason != Interrupted || len(w.began) != 4 || len(w.doneAt) != 4 {
			t.Errorf("%+v, %v: %d begun, %d done, want 4 of each", sum, err, len(w.began), len(w.doneAt))
		}
	})
}

// TestRun_canceled: the context of the runs ends, and Run waits for them.
func TestRun_canceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := queue(10, 3)
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		running := 0
		sum, err := w.scheduler().Run(ctx, w.source, func(ctx context.Context, _ Start) End {
			<-ctx.Done()
			time.Sleep(time.Minute) // to come to rest
			w.turn <- struct{}{}
			running++
			<-w.turn
			return End{Verdict: Stopped}
		})
		if err != nil || sum.Reason != Interrupted || running != 3 {
			t.Errorf("%+v, %v: %d came to rest, want 3", sum, err, running)
		}
	})
}

// TestRun_failure: a chain stops at the first failure and reports that; other schedulers
// continue.
func TestRun_failure(t *testing.T) {
	t.Parallel()
	for _, stop := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := queue(4, 1)
			w.atEnds = append(w.atEnds, time.Now())
			w.tasks["1"].ends = []Verdict{Failed}
			s := w.scheduler()
			s.StopOnFailure = stop
			sum, err := s.Run(t.Context(), w.source, w.work)
			want, reason := []string{"0", "1", "2", "3"}, Finished
			if stop {
				want, reason = want[:2], Failure
			}
			if err != nil || sum.Reason != reason || !slices.Equal(w.began, want) {
				t.Errorf("stop %v: %+v, %v, began %v, want %v", stop, sum, err, w.began, want)
			}
		})
	}
}

// TestRun_again: a postponed agent gets nothing before its time; another agent takes the
// spec at once.
func TestRun_again(t *testing.T) {
	t.Parallel()
	for agents, want := range map[int]string{1: "[a0 a60 a60]", 2: "[a0 b0 b0]"} {
		synctest.Test(t, func(t *testing.T) {
			w := queue(2, 1)
			began := time.Now()
			var seen []string
			s := w.scheduler()
			s.Pool = NewPool([]Agent{{Name: "a"}, {Name: "b"}}[:agents], None, nil)
			sum, err := s.Run(t.Context(), w.source, func(_ context.Context, st Start) End {
				seen = append(seen, fmt.Sprintf("%s%.0f", st.Agent.Name, time.Since(began).Seconds()))
				if len(seen) == 1 {
					w.tasks[st.ID].Due = time.Now().Add(time.Minute)
					return End{Verdict: Again, Until: time.Now().Add(time.Minute)}
				}
				w.doneAt[st.ID] = time.Now()
				return End{}
			})
			if got := fmt.Sprint(seen); err != nil || got != want || sum.Starts != 3 {
				t.Errorf("%d agents: %s, want %s; %+v, %v", agents, got, want, sum, err)
			}
		})
	}
}

// TestRun_due: a task that another process has postponed starts at its time; a time that
// only a wrong clock can have set is ignored.
func TestRun_due(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := queue(3, 3)
		began := time.Now()
		w.atEnds = append(w.atEnds, began, began.Add(time.Hour))
		w.tasks["2"].Due = began.AddDate(30, 0, 0)
		w.tasks["0"].Due = began.Add(time.Hour)
		w.tasks["1"].Due = time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)
		sum, err := w.scheduler().Run(t.Context(), w.source, w.work)
		if took := time.Since(began); err != nil || len(w.wrong) > 0 || took != time.Hour+time.Second || sum.Starts != 3 {
			t.Errorf("%+v, %v, %v, after %s", sum, err, w.wrong, took)
		}
	})
}

func TestRun_stagger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := queue(3, 3)
		began := time.Now()
		var seen []time.Duration
		s := w.scheduler()
		s.Stagger, s.Jitter, s.Random = 100*time.Millisecond, 10*time.Millisecond, func(n int) int { return n - 1 }
		_, err := s.Run(t.Context(), w.source, func(_ context.Context, st Start) End {
			w.turn <- struct{}{}
			seen = append(seen, time.Since(began))
			<-w.turn
			time.Sleep(time.Second)
			w.turn <- struct{}{}
			w.doneAt[st.ID] = time.Now()
			<-w.turn
			return End{}
		})
		want := []time.Duration{0, 110 * time.Millisecond, 220 * time.Millisecond}
		if err != nil || !slices.Equal(seen, want) {
			t.Errorf("began at %v, want %v; %v", seen, want, err)
		}
	})
}

// TestRun_sourceFails waits for what runs, and returns the error.
func TestRun_sourceFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := queue(4, 1)
		w.atEnds = append(w.atEnds, time.Now())
		broken := errors.New("broken")
		calls := 0
		sum, err := w.scheduler().Run(t.Context(), func(ctx context.Context) ([]Task, error) {
			if calls++; calls > 2 {
				return nil, broken
			}
			return w.source(ctx)
		}, w.work)
		if !errors.Is(err, broken) || len(w.doneAt) != 2 {
			t.Errorf("%+v, %v, %d done, want 2", sum, err, len(w.doneAt))
		}
	})
}

// TestRun_overlap: the summary says which spec waited for the files of which.
func TestRun_overlap(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := queue(3, 3)
		w.atEnds = append(w.atEnds, time.Now())
		w.tasks["0"].Files = []string{"src"}
		w.tasks["2"].Files = []string{"src/a.go"}
		sum, err := w.scheduler().Run(t.Context(), w.source, w.work)
		if err != nil || len(w.wrong) > 0 || len(sum.Behind) != 1 || sum.Behind["2"] != "0" {
			t.Errorf("%+v, %v, %v", sum, err, w.wrong)
		}
	})
}
