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

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// TestOrder sorts by what was named first, then by priority, depth and id, in the order
// of ids and not of letters.
func TestOrder(t *testing.T) {
	t.Parallel()
	want := []Task{
		{ID: "2026-01-02-009-abc", Rank: 0, Priority: 3, Depth: 9},
		{ID: "2026-01-02-008-abc", Rank: 1, Priority: 0, Depth: 9},
		{ID: "2026-01-02-007-abc", Rank: 1, Priority: 2, Depth: 0},
		{ID: "2026-01-02-00z-abc", Rank: 1, Priority: 2, Depth: 0},
		{ID: "2026-01-02-010-abc", Rank: 1, Priority: 2, Depth: 0},
		{ID: "2026-01-02-001-abc.2", Rank: 1, Priority: 2, Depth: 1},
		{ID: "2026-01-02-001-abc.10", Rank: 1, Priority: 2, Depth: 1},
		{ID: "2026-01-02-000-abc", Rank: 1, Priority: 2, Depth: 2},
		{ID: "2026-01-01-000-abc", Rank: 1, Priority: 3, Depth: 0},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	Order(got)
	for i := range want {
		assert.Equal(t, want[i].ID, got[i].ID, "place %d", i)
	}
}

func TestOrder_keepsAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tasks := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Task {
			small := rapid.IntRange(0, 2)
			return Task{ID: rapid.StringMatching(`[a-c]{1,2}`).Draw(t, "id"), Rank: small.Draw(t, "rank"), Priority: small.Draw(t, "priority"), Depth: small.Draw(t, "depth")}
		})).Draw(t, "tasks")
		sorted := slices.Clone(tasks)
		Order(sorted)
		count := map[string]int{}
		for i := range tasks {
			count[tasks[i].ID]++
			count[sorted[i].ID]--
		}
		for id, n := range count {
			if n != 0 {
				t.Fatalf("%q is %d times too few", id, n)
			}
		}
		for i := 1; i < len(sorted); i++ {
			a, b := sorted[i-1], sorted[i]
			before := [4]int{a.Rank - b.Rank, a.Priority - b.Priority, a.Depth - b.Depth, spec.Compare(a.ID, b.ID)}
			if first := slices.IndexFunc(before[:], func(d int) bool { return d != 0 }); first >= 0 && before[first] > 0 {
				t.Fatalf("%+v precedes %+v", a, b)
			}
		}
	})
}

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
		assert.NoError(t, err)
		assert.Equal(t, Interrupted, sum.Reason)
		assert.Equal(t, 4, len(w.began))
		assert.Equal(t, 4, len(w.doneAt))
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
		assert.NoError(t, err)
		assert.Equal(t, Interrupted, sum.Reason)
		assert.Equal(t, 3, running)
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
			assert.NoError(t, err, "stop %v", stop)
			assert.Equal(t, reason, sum.Reason, "stop %v", stop)
			assert.Equal(t, want, w.began, "stop %v", stop)
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
			got := fmt.Sprint(seen)
			assert.NoError(t, err, "%d agents", agents)
			assert.Equal(t, want, got, "%d agents", agents)
			assert.Equal(t, 3, sum.Starts, "%d agents", agents)
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
		took := time.Since(began)
		assert.NoError(t, err, "%v", w.wrong)
		assert.Zero(t, w.wrong)
		assert.Equal(t, time.Hour+time.Second, took, "%v", w.wrong)
		assert.Equal(t, 3, sum.Starts, "%v", w.wrong)
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
		assert.NoError(t, err)
		assert.Equal(t, want, seen)
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
		assert.IsError(t, err, broken, "%+v", sum)
		assert.Equal(t, 2, len(w.doneAt), "%+v", sum)
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
		assert.NoError(t, err, "%v", w.wrong)
		assert.Zero(t, w.wrong)
		assert.Equal(t, 1, len(sum.Behind), "%v", w.wrong)
		assert.Equal(t, "0", sum.Behind["2"], "%v", w.wrong)
	})
}
