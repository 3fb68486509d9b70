package train

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// yard is a target whose commits are lists of what has landed, and trees too.
type yard struct {
	t     *testing.T
	train Train

	mu     sync.Mutex
	target string
	bad    map[string]bool     // what does not hold with anything, and lets nothing hold that is stacked on it
	checks map[string]int      // by car, with what it was checked behind
	holds  map[string]int      // how often each was announced as held
	waits  map[string][]string // what each has announced that it waits for
	gate   chan struct{}       // nil, or what checks wait for
}

func newYard(t *testing.T) *yard {
	return &yard{t: t, train: Of(t.TempDir(), "main"), target: "0", bad: map[string]bool{}, checks: map[string]int{}, holds: map[string]int{}, waits: map[string][]string{}}
}

// rider is a branch of the yard.
type rider struct {
	*yard
	id      string
	stacked string
}

func (r *rider) Target(context.Context) (string, string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.target, r.target, nil
}

func (r *rider) Stack(_ context.Context, on string) (string, string, string, error) {
	r.stacked = on + r.id
	return r.stacked, r.stacked, "", nil
}

func (r *rider) Check(ctx context.Context, _ []string) (string, error) {
	r.mu.Lock()
	r.checks[r.stacked]++
	bad, gate := strings.ContainsFunc(r.stacked, func(c rune) bool { return r.bad[string(c)] }), r.gate
	r.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	if bad {
		return "bad", nil
	}
	return "", nil
}

func (r *rider) AnnounceHold() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holds[r.id]++
}

func (r *rider) AnnounceWait(before []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waits[r.id] = append(r.waits[r.id], before...)
}

// announced returns how often a car was announced as held.
func (y *yard) announced(id string) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.holds[id]
}

// join adds a car, and land lands it when it is its turn.
func (y *yard) join(c Car) (*Seat, *rider) {
	y.t.Helper()
	seat, err := y.train.Join(y.t.Context(), c)
	assert.NoError(y.t, err)
	return seat, &rider{yard: y, id: c.ID}
}

func (y *yard) land(seat *Seat, r *rider, set Settings) error {
	lock, err := seat.Await(y.t.Context(), set, r)
	if err != nil {
		return fmt.Errorf("%w %w", err, seat.Leave())
	}
	y.mu.Lock()
	if !y.bad[r.id] {
		y.target += r.id
	}
	y.mu.Unlock()
	if err := seat.Leave(); err != nil {
		return err
	}
	return lock.Release()
}

// await waits until a car is in a state, as others see it.
func (y *yard) await(id string, state State) Car {
	y.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		cars, err := y.train.Cars()
		assert.NoError(y.t, err)
		for _, c := range cars {
			if c.ID == id && c.State == state {
				return c
			}
		}
		time.Sleep(time.Millisecond)
	}
	y.t.Fatalf("%s never becomes %s", id, state)
	return Car{}
}

// goLand lands cars at the same time, and returns a function that waits for all.
func (y *yard) goLand(set Settings, seats []*Seat, riders []*rider) (wait func()) {
	var all sync.WaitGroup
	for i := range seats {
		all.Go(func() {
			if err := y.land(seats[i], riders[i], set); err != nil {
				y.t.Error(err)
			}
		})
	}
	return all.Wait
}

// train of a front that is held by the lock of the target, so that those behind it wait.
func (y *yard) behindALock(cars ...Car) (release func(), seats []*Seat, riders []*rider) {
	lock, err := y.train.Turn(y.t.Context(), "undo")
	assert.NoError(y.t, err)
	for _, c := range cars {
		s, r := y.join(c)
		seats, riders = append(seats, s), append(riders, r)
	}
	return func() { assert.NoError(y.t, lock.Release()) }, seats, riders
}

// TestAwait stacks each car on those before it, checks them at the same time, and lands them in order; each is checked once.
func TestAwait(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	y.gate = make(chan struct{})
	front, first := y.join(Car{ID: "a"})
	lock, err := front.Await(t.Context(), Settings{}, first)
	assert.NoError(t, err)
	assert.NoError(t, front.Stacked("0", "0a", "0a"))
	var seats []*Seat
	var riders []*rider
	for _, id := range []string{"b", "c", "d"} {
		s, r := y.join(Car{ID: id})
		seats, riders = append(seats, s), append(riders, r)
	}
	wait := y.goLand(Settings{}, seats, riders)
	assert.Equal(t, "0abcd", y.await("d", Checking).Tree)
	close(y.gate)
	for _, id := range []string{"b", "c", "d"} {
		y.await(id, Passed)
	}
	y.mu.Lock()
	y.target = "0a"
	y.mu.Unlock()
	assert.NoError(t, front.Leave())
	assert.NoError(t, lock.Release())
	wait()
	assert.Equal(t, "0abcd", y.target)
	assert.Equal(t, map[string]int{"0ab": 1, "0abc": 1, "0abcd": 1}, y.checks)
}

// TestAwait_failed passes over a car that fails: those behind it are stacked without it, and it leaves in its turn.
func TestAwait_failed(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	y.bad["b"] = true
	y.target = "0"
	release, seats, riders := y.behindALock(Car{ID: "a"}, Car{ID: "b"}, Car{ID: "c"})
	assert.NoError(t, seats[0].Stacked("0", "0a", "0a"))
	wait := y.goLand(Settings{}, seats, riders)
	assert.Equal(t, "bad", y.await("b", Failed).Why)
	for y.await("c", Passed).Tree != "0ac" {
	}
	release()
	wait()
	assert.Equal(t, "0ac", y.target)
}

// TestAwait_blamed passes over a car without a result once others have found out that it makes them fail.
func TestAwait_blamed(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	y.bad["a"] = true
	release, seats, riders := y.behindALock(Car{ID: "a"}, Car{ID: "b"}, Car{ID: "c"})
	assert.NoError(t, seats[0].Stacked("0", "0a", "0a"))
	wait := y.goLand(Settings{}, seats, riders)
	for y.await("c", Passed).Tree != "0bc" {
	}
	assert.Equal(t, "0b", y.await("b", Passed).Tree)
	assert.True(t, y.await("a", Waiting).Blamed)
	release()
	wait()
	assert.Equal(t, "0bc", y.target)
}

// TestAwait_leaves stacks those behind a car again when it leaves, and only those.
func TestAwait_leaves(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	release, seats, riders := y.behindALock(Car{ID: "a"}, Car{ID: "b"}, Car{ID: "c"}, Car{ID: "d"})
	assert.NoError(t, seats[0].Stacked("0", "0a", "0a"))
	done := make(chan error, 1)
	go func() { done <- y.land(seats[2], riders[2], Settings{}) }()
	wait := y.goLand(Settings{}, []*Seat{seats[0], seats[1], seats[3]}, []*rider{riders[0], riders[1], riders[3]})
	for y.await("d", Passed).Tree != "0abcd" {
	}
	assert.NoError(t, y.train.Eject("c"))
	assert.IsError(t, <-done, ErrEjected)
	for y.await("d", Passed).Tree != "0abd" {
	}
	release()
	wait()
	assert.Equal(t, "0abd", y.target)
	assert.Equal(t, 1, y.checks["0ab"], "those before it are not checked again")
}

// TestAwait_held lands others while one is held, and stops all when all are held.
func TestAwait_held(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	assert.NoError(t, y.train.Hold(""))
	_, held := y.train.IsHeld()
	assert.True(t, held)
	a, ra := y.join(Car{ID: "a"})
	b, rb := y.join(Car{ID: "b"})
	wait := y.goLand(Settings{}, []*Seat{a, b}, []*rider{ra, rb})
	y.await("b", Held)
	assert.NoError(t, y.train.Hold("a"))
	for _, want := range []bool{true, false} {
		was, err := y.train.Resume("")
		assert.NoError(t, err)
		assert.Equal(t, want, was)
	}
	for cars := []Car{{}, {}}; len(cars) > 1; {
		var err error
		cars, err = y.train.Cars()
		assert.NoError(t, err)
		time.Sleep(time.Millisecond)
	}
	for y.announced("a") == 0 {
		time.Sleep(time.Millisecond)
	}
	_, err := y.train.Resume("a")
	assert.NoError(t, err)
	wait()
	assert.Equal(t, "0ba", y.target)
	assert.Equal(t, 1, y.announced("a"))
}

// TestStep_saysWhy reports once what a car waits for, if that takes a while.
func TestStep_saysWhy(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	ahead, _ := y.join(Car{ID: "a"})
	for _, c := range []Car{{ID: "b", Priority: 1}, {ID: "c", Priority: 2}} {
		seat, r := y.join(c)
		if c.ID == "b" {
			seat.began = seat.began.Add(-time.Hour)
		}
		w := &waiting{Seat: seat, rider: r}
		for range 2 {
			lock, err := w.step(t.Context())
			assert.NoError(t, err)
			assert.Zero(t, lock)
		}
		t.Cleanup(func() { assert.NoError(t, seat.Leave()) })
	}
	assert.NoError(t, ahead.Leave())
	assert.Equal(t, map[string][]string{"b": {"a"}}, y.waits)
}

// TestAwait_heldFailed keeps what was found out about a car while a person holds it.
func TestAwait_heldFailed(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	y.bad["b"] = true
	release, seats, riders := y.behindALock(Car{ID: "a"}, Car{ID: "b"})
	assert.NoError(t, seats[0].Stacked("0", "0a", "0a"))
	wait := y.goLand(Settings{}, seats, riders)
	y.await("b", Failed)
	assert.NoError(t, y.train.Hold("b"))
	y.await("b", Held)
	_, err := y.train.Resume("b")
	assert.NoError(t, err)
	assert.Equal(t, "bad", y.await("b", Failed).Why)
	release()
	wait()
	assert.Equal(t, 1, y.checks["0ab"])
}

// TestAwait_first lands a car before others that came earlier and are more urgent.
func TestAwait_first(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	release, seats, riders := y.behindALock(Car{ID: "a", Priority: 1}, Car{ID: "b"}, Car{ID: "c", Priority: 3})
	assert.NoError(t, y.train.First("c"))
	wait := y.goLand(Settings{}, seats, riders)
	release()
	wait()
	assert.Equal(t, "0cba", y.target)
}

// TestAwait_ends leaves when it has waited too long, and when it is told to stop.
func TestAwait_ends(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	release, seats, riders := y.behindALock(Car{ID: "a"}, Car{ID: "b"})
	seats[0].began = seats[0].began.Add(-time.Hour)
	assert.IsError(t, y.land(seats[0], riders[0], Settings{MaxWait: time.Minute}), ErrMaxWait)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := seats[1].Await(ctx, Settings{}, riders[1])
	assert.IsError(t, err, context.Canceled)
	assert.NoError(t, seats[1].Leave())
	release()
	left, err := os.ReadDir(y.train.dir)
	assert.NoError(t, err)
	for _, e := range left {
		assert.Equal(t, ".lock", filepath.Ext(e.Name()))
	}
}

// TestCars_dead does not count a car whose process died, and the next one that joins removes what it left.
func TestCars_dead(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	assert.NoError(t, os.MkdirAll(y.train.dir, 0o755))
	for name, text := range map[string]string{"3.place": "", "3.json": `{"id":"dead"}`, "4.json": "{", "dead.first": "", "x.json": "{}"} {
		assert.NoError(t, os.WriteFile(filepath.Join(y.train.dir, name), []byte(text), 0o644))
	}
	cars, err := y.train.Cars()
	assert.NoError(t, err)
	assert.Zero(t, cars)
	s, _ := y.join(Car{ID: "a"})
	cars, err = y.train.Cars()
	assert.NoError(t, err)
	assert.Equal(t, []string{"a"}, ids(cars))
	_, err = os.Stat(filepath.Join(y.train.dir, "3.place"))
	assert.IsError(t, err, os.ErrNotExist)
	assert.NoError(t, s.Leave())
	all, err := All(filepath.Dir(filepath.Dir(y.train.dir)))
	assert.NoError(t, err)
	assert.Equal(t, "main", all[0].Target)
}
