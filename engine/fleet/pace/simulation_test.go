package pace

import (
	"container/heap"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// world is a number of workers on one account, in virtual time.
type world struct {
	t      *testing.T
	random *rand.Rand
	now    time.Duration
	queue  events

	workers, specs int
	perMinute      int                            // what the server accepts, 0 = anything
	counts         bool                           // a refused call counts for the server, too
	asks           bool                           // the server says how long to wait
	silent         bool                           // agents report only at their end
	delay          func(*rand.Rand) time.Duration // of a request or an answer
	most           int                            // of the settings

	state    []byte
	accepted []time.Duration // when the server accepted calls
	refused  int
	left     int // specs that no worker has
	ended    int
	full     time.Duration // when as many agents as workers were at work for the first time
	busy     int
}

const work = 2 * time.Second // of an agent

// change does what Share does, with a clock that is off by up to a tenth of a second: of whoever asked last.
func (w *world) change(to func(state, time.Time) state) {
	w.t.Helper()
	s, err := readState(w.state)
	if err != nil {
		w.t.Fatal(err)
	}
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC).Add(w.now - time.Duration(w.random.IntN(100))*time.Millisecond)
	if w.state, err = json.Marshal(to(s, now)); err != nil {
		w.t.Fatal(err)
	}
}

// run works all specs and returns how long it took.
func (w *world) run() time.Duration {
	w.left = w.specs
	for range w.workers {
		w.at(time.Duration(w.random.IntN(1000))*time.Millisecond, w.next)
	}
	for len(w.queue) > 0 && w.now < 100*time.Hour {
		e := heap.Pop(&w.queue).(happening)
		w.now = e.at
		e.do()
	}
	if w.ended != w.specs {
		w.t.Fatalf("%d of %d specs ended after %s", w.ended, w.specs, w.now)
	}
	return w.now
}

func (w *world) at(after time.Duration, do func()) {
	heap.Push(&w.queue, happening{w.now + after, do})
}

// next is a worker that looks for a spec.
func (w *world) next() {
	switch {
	case w.ended == w.specs:
	case w.left == 0:
		w.at(time.Second, w.next)
	default:
		w.left--
		w.ask(fmt.Sprintf("run %d", w.random.Int64()))
	}
}

func (w *world) ask(id string) {
	var p Permit
	w.change(func(s state, now time.Time) state {
		s, p = s.ask(now, id, w.most)
		return s
	})
	if !p.Granted {
		if p.Wait <= 0 || p.Why == "" {
			w.t.Fatalf("refused without a wait or a reason: %+v", p)
		}
		w.at(p.Wait, func() { w.ask(id) })
		return
	}
	if w.busy++; w.busy == w.workers && w.full == 0 {
		w.full = w.now
	}
	w.at(w.delay(w.random), func() { w.call(id) })
}

// call is the arrival of an agent's request at the server.
func (w *world) call(id string) {
	w.accepted = slices.DeleteFunc(w.accepted, func(at time.Duration) bool { return w.now-at >= time.Minute })
	if w.perMinute > 0 && len(w.accepted) >= w.perMinute {
		w.refused++
		wait := time.Duration(0)
		if w.asks {
			wait = time.Minute - (w.now - w.accepted[0])
		}
		if w.counts {
			w.accepted = append(w.accepted, w.now)
		}
		w.at(w.delay(w.random), func() {
			w.change(func(s state, now time.Time) state { return s.refuse(now, id, wait) })
			w.busy--
			w.left++
			w.next()
		})
		return
	}
	w.accepted = append(w.accepted, w.now)
	proved := func() { w.change(func(s state, now time.Time) state { return s.confirm(now, id) }) }
	if !w.silent {
		w.at(w.delay(w.random), proved)
	}
	w.at(work, func() {
		proved()
		w.busy--
		w.ended++
		w.next()
	})
}

type happening struct {
	at time.Duration
	do func()
}

type events []happening

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(happening)) }
func (e *events) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}

// seeds returns the seeds of a simulation: the one of the variable CHANT_SEED, else as many as are asked for, of which
// the first one is new each time.
func seeds(t *testing.T, n int) []uint64 {
	t.Helper()
	if text := os.Getenv("CHANT_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return []uint64{seed}
	}
	out := []uint64{rand.Uint64()}
	for i := range n - 1 {
		out = append(out, uint64(i))
	}
	t.Logf("CHANT_SEED=%d", out[0])
	return out
}

func quick(r *rand.Rand) time.Duration { return time.Duration(50+r.IntN(450)) * time.Millisecond }
func slow(r *rand.Rand) time.Duration  { return time.Duration(50+r.IntN(1950)) * time.Millisecond }

// TestAsk_limited: 20 workers on an account that accepts 5 calls in any minute find that out with at most 6 refused
// calls, and need at most 1.3 times as long as if they had known it.
func TestAsk_limited(t *testing.T) {
	t.Parallel()
	const specs, perMinute = 100, 5
	ideal := (specs/perMinute-1)*time.Minute + work
	for name, set := range map[string]func(*world){
		"refusals without a time":  func(*world) {},
		"refusals with a time":     func(w *world) { w.asks = true },
		"refusals that count":      func(w *world) { w.counts = true },
		"agents that say nothing":  func(w *world) { w.silent = true },
		"slow connections":         func(w *world) { w.delay = slow },
		"slow, silent, with times": func(w *world) { w.delay, w.silent, w.asks = slow, true, true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused, slowest := 0, 0.0
			for _, seed := range seeds(t, 4) {
				w := &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), workers: 20, specs: specs, perMinute: perMinute, delay: quick}
				set(w)
				factor := float64(w.run()) / float64(ideal)
				refused, slowest = max(refused, w.refused), max(slowest, factor)
				if w.refused > 6 || factor > 1.3 {
					t.Errorf("CHANT_SEED=%d: %d refused calls, %.2f times the ideal time", seed, w.refused, factor)
				}
			}
			t.Logf("at most %d refused calls and %.2f times the ideal time", refused, slowest)
		})
	}
}

// TestAsk_unlimited: 50 slots on an account without a limit are all in use after a few seconds.
func TestAsk_unlimited(t *testing.T) {
	t.Parallel()
	const specs, slots = 400, 50
	ideal := specs / slots * work
	for _, seed := range seeds(t, 2) {
		w := &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), workers: slots, specs: specs, delay: quick}
		took := w.run()
		free := &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), workers: slots, specs: specs, delay: quick}
		free.state, _ = json.Marshal(state{AtOnce: maxAtOnce})
		if cost := took - free.run(); cost > 5*time.Second || w.refused > 0 {
			t.Errorf("CHANT_SEED=%d: the ramp costs %s of %s, ideally %s; all slots are in use after %s", seed, cost, took, ideal, w.full)
		} else if seed == 0 {
			t.Logf("the ramp costs %s of %s; all slots are in use after %s", cost, took, w.full)
		}
	}
}

// TestAsk_knownLimit: with the limit of the account in the settings, no call is refused.
func TestAsk_knownLimit(t *testing.T) {
	t.Parallel()
	for _, seed := range seeds(t, 4) {
		w := &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), workers: 20, specs: 50, perMinute: 5, most: 5, delay: slow}
		if took := w.run(); w.refused > 0 || took > 13*(50/5-1)*time.Minute/10 {
			t.Errorf("CHANT_SEED=%d: %d refused calls, %s", seed, w.refused, took)
		}
	}
}
