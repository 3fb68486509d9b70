package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chant/gitops/layout"
	"chant/gitops/lockfile"
)

// Train is the line of the cars of one target, in a folder of its own.
type Train struct {
	Target string
	dir    string
}

// folder is that of all trains, in the folder of the locks of a repository.
const folder = "landing"

// Of returns the train of a target, in a repository whose locks are in the folder.
func Of(locks, target string) Train {
	// No branch is called ".", so the escape of a name is that of no other.
	return Train{target, filepath.Join(locks, folder, url.PathEscape(target))}
}

// All returns the trains that there are, or were, in a repository whose locks are in the folder.
func All(locks string) ([]Train, error) {
	entries, err := os.ReadDir(filepath.Join(locks, folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []Train
	for _, e := range entries {
		if target, err := url.PathUnescape(e.Name()); err == nil && e.IsDir() {
			out = append(out, Of(locks, target))
		}
	}
	return out, nil
}

// Cars returns the cars whose processes live, in the order in which they land.
func (t Train) Cars() ([]Car, error) {
	cars, err := read(t.dir)
	cars = slices.Clone(cars)
	Order(cars)
	MarkBlamed(cars)
	return cars, err
}

// readings holds what this process has read of each folder: many runs in one process wait at the same time, and would all
// read the same files.
var readings struct {
	sync.Mutex
	of map[string]reading
}

type reading struct {
	changed time.Time // of the folder
	at      time.Time
	cars    []Car
}

// fresh bounds the age of a reading of a folder that has not changed: no file tells that a process has died.
const fresh = 100 * time.Millisecond

func read(dir string) ([]Car, error) {
	readings.Lock()
	defer readings.Unlock()
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	last := readings.of[dir]
	if info.ModTime().Equal(last.changed) && time.Since(last.at) < fresh {
		return last.cars, nil
	}
	now := reading{changed: info.ModTime(), at: time.Now()}
	if now.cars, err = readCars(dir); err != nil {
		return nil, err
	}
	if readings.of == nil {
		readings.of = map[string]reading{}
	}
	readings.of[dir] = now
	return now.cars, nil
}

func readCars(dir string) ([]Car, error) {
	places, err := lockfile.Places(dir)
	if err != nil {
		return nil, err
	}
	_, stopped := ordered(dir, everyone, stop)
	var cars []Car
	for _, n := range places {
		if !lockfile.Taken(dir, n) {
			continue
		}
		var text []byte
		err := patiently(func() (err error) { text, err = layout.ReadPlain(carPath(dir, n)); return err })
		var c Car
		// It has just taken its place, or is not of this version.
		if err != nil || json.Unmarshal(text, &c) != nil || c.ID == "" {
			continue
		}
		c.Number = n
		c.First, _ = ordered(dir, c.ID, first)
		_, own := ordered(dir, c.ID, stop)
		_, c.Ejected = ordered(dir, c.ID, eject)
		if c.Stopped = stopped || own; c.Stopped && c.State != Landing {
			c.State = Held
		}
		cars = append(cars, c)
	}
	return cars, nil
}

// patiently tries again for a while: on Windows, a file that another process has open can be neither replaced nor, while that
// happens, read.
func patiently(do func() error) error {
	err := do()
	for range 100 {
		if err == nil || errors.Is(err, fs.ErrNotExist) || runtime.GOOS != "windows" {
			break
		}
		time.Sleep(10 * time.Millisecond)
		err = do()
	}
	return err
}

func carPath(dir string, n int) string { return filepath.Join(dir, strconv.Itoa(n)+".json") }

// Seat is the car of this process in a train.
type Seat struct {
	Train
	car   Car
	place *lockfile.Place
	began time.Time // unlike the time that others read, it does not jump with the clock
}

// Join adds a car at the end of the train. The caller leaves it.
func (t Train) Join(ctx context.Context, c Car) (*Seat, error) {
	place, err := lockfile.TakePlace(ctx, t.dir, purpose(c.ID))
	if err != nil {
		return nil, err
	}
	s := &Seat{t, c, place, time.Now()}
	t.sweep(place.Number)
	s.car.Target, s.car.Number, s.car.State = t.Target, place.Number, Waiting
	// An order for an earlier landing of the same spec is over.
	s.dropOrders(c.ID)
	if err := s.publish(func(*Car) {}); err != nil {
		return nil, errors.Join(err, s.Leave())
	}
	return s, nil
}

// Sweep removes what processes that died have left of their cars, in a repository whose locks are in the folder.
func Sweep(locks string) error {
	trains, err := All(locks)
	for _, t := range trains {
		t.sweep(math.MaxInt)
	}
	return err
}

// sweep removes what processes that died have left before a place.
func (t Train) sweep(before int) {
	places, err := lockfile.Places(t.dir)
	if err != nil {
		return
	}
	for _, n := range places {
		if n < before && !lockfile.Taken(t.dir, n) {
			// What cannot be removed counts as dead all the same.
			_ = os.Remove(carPath(t.dir, n))
			lockfile.SweepPlace(t.dir, n)
		}
	}
}

// publish changes the car and shows it to the others.
func (s *Seat) publish(change func(*Car)) error {
	change(&s.car)
	text, err := json.Marshal(s.car)
	if err != nil {
		return err
	}
	path := carPath(s.dir, s.place.Number)
	temp := strings.TrimSuffix(path, ".json") + ".new"
	// Others read it at any time, so it appears as a whole. It says nothing after a crash, so nothing is synced.
	err = os.WriteFile(temp, text, 0o644)
	if err == nil {
		err = layout.Share(temp)
	}
	if err == nil {
		err = patiently(func() error { return os.Rename(temp, path) })
	}
	if err != nil {
		return fmt.Errorf("line up to land: %w", err)
	}
	return nil
}

// Leave takes the car out of the train.
func (s *Seat) Leave() error {
	s.dropOrders(s.car.ID)
	_ = os.Remove(carPath(s.dir, s.place.Number))
	return s.place.Leave()
}

// order is what a person has asked of a car, or of all.
type order string

const (
	stop  order = "hold"
	first order = "first"
	eject order = "eject"
)

func orderPath(dir, id string, o order) string {
	return filepath.Join(dir, url.PathEscape(id)+"."+string(o))
}

// ordered reports whether there is an order, and since when.
func ordered(dir, id string, o order) (time.Time, bool) {
	info, err := os.Lstat(orderPath(dir, id, o))
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

func (t Train) give(id string, o order) error {
	if err := layout.MkdirAll(t.dir); err != nil {
		return err
	}
	path := orderPath(t.dir, id, o)
	// The newest order counts. It replaces one that is there, so that there is no moment without.
	if err := os.WriteFile(path+".new", nil, 0o644); err != nil {
		return err
	}
	if err := layout.Share(path + ".new"); err != nil {
		return err
	}
	return patiently(func() error { return os.Rename(path+".new", path) })
}

func (t Train) take(id string, o order) (bool, error) {
	err := os.Remove(orderPath(t.dir, id, o))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (s *Seat) dropOrders(id string) {
	for _, o := range []order{stop, first, eject} {
		// An order that stays is dropped when the spec joins again.
		_, _ = s.take(id, o)
	}
}

// everyone stands for all cars; no spec has this id.
const everyone = "all"

// Hold stops a car, or with "" the whole train: it does not land, and is not waited for.
func (t Train) Hold(id string) error { return t.give(orAll(id), stop) }

// Resume takes back Hold, and reports whether there was one.
func (t Train) Resume(id string) (bool, error) { return t.take(orAll(id), stop) }

// IsHeld reports whether the whole train is stopped, and since when.
func (t Train) IsHeld() (since time.Time, held bool) { return ordered(t.dir, everyone, stop) }

// First puts a car before all others.
func (t Train) First(id string) error { return t.give(id, first) }

// Eject asks a car to leave; its branch stays complete.
func (t Train) Eject(id string) error { return t.give(id, eject) }

func orAll(id string) string {
	if id == "" {
		return everyone
	}
	return id
}
