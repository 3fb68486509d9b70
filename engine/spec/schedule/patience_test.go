package schedule

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alecthomas/assert/v2"
)

// patient runs a loop over a list that grows at given times, and that wakes the loop then
// or does not, and returns what was started and how long the loop lasted.
func patient(t *testing.T, idle time.Duration, wakes bool, grows map[time.Duration]string) (began []string, lasted time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var list []Task
		wake := make(chan struct{}, 1)
		for at, id := range grows {
			time.AfterFunc(at, func() {
				mu.Lock()
				list = append(list, Task{ID: id})
				mu.Unlock()
				if wakes {
					wake <- struct{}{}
				}
			})
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		start := time.Now()
		s := Scheduler{
			Width: 1, Idle: idle, Wake: wake, Pool: NewPool([]Agent{{Name: "a"}}, None, nil), Now: time.Now, After: time.After,
			Random: func(int) int { return 0 },
		}
		_, err := s.Run(ctx, func(context.Context) ([]Task, error) {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(list), nil
		},
			func(_ context.Context, st Start) End {
				began = append(began, st.ID)
				time.Sleep(time.Second)
				return End{}
			})
		assert.NoError(t, err)
		lasted = time.Since(start)
	})
	return began, lasted
}

func TestRun_lingers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		idle   time.Duration
		wakes  bool
		grows  map[time.Duration]string
		began  []string
		lasted time.Duration
	}{
		"no patience":           {0, true, map[time.Duration]string{time.Second: "a"}, nil, 0},
		"nothing comes":         {time.Minute, true, nil, nil, time.Minute},
		"woken":                 {time.Minute, true, map[time.Duration]string{30 * time.Second: "a", 50 * time.Second: "b"}, []string{"a", "b"}, 111 * time.Second},
		"seen at the last look": {time.Minute, false, map[time.Duration]string{30 * time.Second: "a"}, []string{"a"}, 121 * time.Second},
		"for ever":              {-1, true, map[time.Duration]string{50 * time.Minute: "a"}, []string{"a"}, time.Hour},
		"too late":              {time.Minute, true, map[time.Duration]string{2 * time.Minute: "a"}, nil, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began, lasted := patient(t, tt.idle, tt.wakes, tt.grows)
			assert.Equal(t, tt.began, began)
			assert.Equal(t, tt.lasted, lasted)
		})
	}
}

// TestRun_settledAgain: a crashed run is settled, and its task may be started then, but
// a task that is settled again and again does not keep the loop running for ever.
func TestRun_settledAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		s := Scheduler{Width: 1, Pool: NewPool([]Agent{{Name: "a"}}, None, nil), Now: time.Now, After: time.After, Random: func(int) int { return 0 }}
		sum, err := s.Run(t.Context(), func(context.Context) ([]Task, error) { return []Task{{ID: "a"}}, nil },
			func(context.Context, Start) End {
				runs++
				return End{Verdict: Settled}
			})
		assert.NoError(t, err)
		assert.Equal(t, maxAttempts, runs)
		assert.Equal(t, 0, sum.Starts)
	})
}

// TestRun_changedStartsAgain: a task that failed starts again once its mark has changed,
// and a task that could not begin for a while starts when that is over.
func TestRun_changedStartsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var began []string
		verdicts := []Verdict{Later, Failed, Failed, Done}
		s := Scheduler{
			Width: 1, Idle: 2 * time.Minute, Wake: everySecond(t.Context()), Pool: NewPool([]Agent{{Name: "a"}}, None, nil),
			Now: time.Now, After: time.After, Random: func(int) int { return 0 },
		}
		source := func(context.Context) ([]Task, error) {
			mark := "first"
			if time.Since(start) > time.Minute {
				mark = "second"
			}
			return []Task{{ID: "a", Mark: mark}}, nil
		}
		_, err := s.Run(t.Context(), source, func(_ context.Context, st Start) End {
			began = append(began, time.Since(start).String()+" "+st.Mark)
			return End{Verdict: verdicts[len(began)-1], Until: time.Now().Add(10 * time.Second)}
		})
		want := []string{"0s first", "10s first", "1m1s second"}
		assert.NoError(t, err)
		assert.Equal(t, want, began)
	})
}

// everySecond wakes a loop each second, as changing files do.
func everySecond(ctx context.Context) <-chan struct{} {
	wake := make(chan struct{})
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			select {
			case wake <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return wake
}

// TestRun_idles reports once per time with nothing to do until when the loop stays.
func TestRun_idles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		idle time.Duration
		want []time.Duration // after the start
	}{
		"not at all":  {0, nil},
		"for a while": {time.Minute, []time.Duration{time.Minute, 91 * time.Second}},
		"for ever":    {-1, []time.Duration{-1, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				wake := make(chan struct{}, 2)
				wake <- struct{}{} // nothing is there yet
				start := time.Now()
				var got []time.Duration
				s := Scheduler{
					Width: 1, Idle: tt.idle, Wake: wake, Pool: NewPool([]Agent{{Name: "a"}}, None, nil), Now: time.Now, After: time.After, Random: func(int) int { return 0 },
					Idles: func(until time.Time) {
						if until.IsZero() {
							got = append(got, -1)
						} else {
							got = append(got, until.Sub(start))
						}
						if len(got) == 1 {
							time.AfterFunc(30*time.Second, func() { wake <- struct{}{} })
						}
					},
				}
				source := func(context.Context) ([]Task, error) {
					if time.Since(start) < 30*time.Second {
						return nil, nil
					}
					return []Task{{ID: "a"}}, nil
				}
				_, err := s.Run(ctx, source, func(context.Context, Start) End {
					time.Sleep(time.Second)
					return End{}
				})
				assert.NoError(t, err)
				assert.Equal(t, tt.want, got)
			})
		})
	}
}
