package pace

import (
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine/fleet"

	"github.com/alecthomas/assert/v2"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// TestPace: what each report changes, as a story of one line per step.
func TestPace(t *testing.T) {
	t.Parallel()
	type step struct {
		after time.Duration // since the step before
		do    string        // ask, proved, refused or gone, and the name of the start
		want  string        // of ask: granted, or a part of the reason
	}
	const unproven, refused, learned, set = "not reported", "has refused", "accepts about", "starts_per_minute"
	for name, c := range map[string]struct {
		most  int
		steps []step
	}{
		"one at first, then two, then four": {0, []step{
			{0, "ask a", "granted"}, {0, "ask b", unproven}, {time.Second, "proved a", ""},
			{0, "ask b", "granted"}, {0, "ask c", "granted"}, {0, "ask d", unproven}, {0, "proved b", ""}, {0, "ask d", unproven}, {0, "proved c", ""},
			{0, "ask d", "granted"}, {0, "ask e", "granted"}, {0, "ask f", "granted"}, {0, "ask g", "granted"}, {0, "ask h", unproven},
		}},
		"asking again changes nothing": {0, []step{{0, "ask a", "granted"}, {0, "ask a", "granted"}, {0, "ask b", unproven}}},
		"a slow one does not hold the others for ever": {0, []step{
			{0, "ask a", "granted"}, {0, "proved a", ""}, {0, "ask b", "granted"}, {0, "ask c", "granted"}, {0, "proved c", ""}, {0, "ask d", unproven},
			{5 * time.Second, "ask d", "granted"}, {0, "ask e", "granted"}, {0, "ask f", unproven},
		}},
		"half a minute is a proof": {0, []step{
			{0, "ask a", "granted"}, {29 * time.Second, "ask b", unproven}, {time.Second, "ask b", "granted"}, {0, "ask c", "granted"}, {0, "ask d", unproven},
		}},
		"a worker that died proves nothing": {0, []step{{0, "ask a", "granted"}, {0, "gone a", ""}, {0, "ask b", "granted"}, {0, "ask c", unproven}}},
		"a refusal without a time": {0, []step{
			{0, "ask a", "granted"}, {0, "refused a", ""}, {9 * time.Second, "ask b", refused}, {time.Second, "ask b", learned}, {52 * time.Second, "ask b", "granted"},
			{0, "refused b", ""}, {19 * time.Second, "ask c", refused}, {time.Second, "ask c", learned},
		}},
		"a refusal that asks for a time": {0, []step{{0, "ask a", "granted"}, {0, "refused a 300", ""}, {299 * time.Second, "ask b", refused}, {time.Second, "ask b", "granted"}}},
		"a shorter time does not end a longer one": {0, []step{
			{0, "ask a", "granted"}, {0, "proved a", ""}, {0, "ask b", "granted"}, {0, "ask c", "granted"},
			{0, "refused b 300", ""}, {0, "refused c 10", ""}, {299 * time.Second, "ask d", refused}, {time.Second, "ask d", "granted"},
		}},
		"a start counts from five seconds after it was allowed": {1, []step{
			{0, "ask a", "granted"}, {20 * time.Second, "proved a", ""}, {45 * time.Second, "ask b", set}, {2 * time.Second, "ask b", "granted"},
		}},
		"an absurd time": {0, []step{{0, "ask a", "granted"}, {0, "refused a 999999", ""}, {time.Hour, "ask b", "granted"}}},
		"the rate that was learned": {0, []step{
			{0, "ask a", "granted"}, {0, "proved a", ""}, {0, "ask b", "granted"}, {0, "proved b", ""}, {0, "ask c", "granted"}, {0, "refused c", ""}, {0, "refused c", ""},
			{12 * time.Second, "ask d", learned}, {50 * time.Second, "ask d", "granted"}, {0, "proved d", ""}, {0, "ask e", "granted"}, {0, "proved e", ""},
			// A minute without a refusal in which the rate was used up: it rises by one, once.
			{0, "ask f", "granted"}, {0, "proved f", ""}, {0, "ask g", learned},
		}},
		"an agent that is refused later": {0, []step{
			{0, "ask a", "granted"}, {0, "proved a", ""}, {10 * time.Minute, "refused a", ""}, {time.Second, "ask b", refused},
			{9 * time.Second, "ask b", learned}, {time.Minute, "ask b", "granted"},
		}},
		"the limit of the settings": {2, []step{
			{0, "ask a", "granted"}, {0, "proved a", ""}, {0, "ask b", "granted"}, {0, "ask c", set}, {time.Minute, "ask c", set}, {time.Second, "ask c", "granted"},
		}},
	} {
		now, s := noon, state{}
		for i, step := range c.steps {
			now = now.Add(step.after)
			words := strings.Fields(step.do)
			before := s
			switch words[0] {
			case "ask":
				var p Permit
				s, p = s.ask(now, words[1], c.most)
				got := p.Why
				if p.Granted {
					got = "granted"
				} else if p.Wait <= 0 || !reflect.DeepEqual(s, before) {
					t.Errorf("%s, step %d: waits %s, and the state is %+v", name, i, p.Wait, s)
				}
				assert.Contains(t, got, step.want, "%s, step %d: %+v", name, i, s)
			case "proved":
				s = s.confirm(now, words[1])
			case "gone":
				s = s.drop(now, words[1])
			case "refused":
				wait := 0
				if len(words) > 2 {
					fmt.Sscan(words[2], &wait)
				}
				s = s.refuse(now, words[1], time.Duration(wait)*time.Second)
			}
		}
	}
}

// TestState_clock: times that go back a little change nothing, and a clock that was set stops nothing for ever.
func TestState_clock(t *testing.T) {
	t.Parallel()
	s := state{}.refuse(noon, "a", time.Minute)
	_, p := s.ask(noon.Add(-time.Second), "b", 0)
	assert.False(t, p.Granted, "a second back: %+v, want a wait of a minute", p)
	assert.Equal(t, time.Minute, p.Wait, "a second back")
	for _, by := range []time.Duration{-time.Hour, -1000 * 24 * time.Hour, 1000 * 24 * time.Hour} {
		now, p := s.ask(noon.Add(by), "b", 0)
		assert.True(t, p.Granted, "set by %s: %+v, %+v, want a permit", by, p, now)
		assert.Equal(t, 1, len(now.Trying), "set by %s: %+v", by, now)
	}
}

// TestState_size: the state of a busy account stays small.
func TestState_size(t *testing.T) {
	t.Parallel()
	s, now := state{}, noon
	for i := range 5000 {
		id := fmt.Sprint("spec-", i)
		s, _ = s.ask(now, id, 0)
		s = s.confirm(now, id)
		now = now.Add(40 * time.Millisecond)
	}
	content, err := json.Marshal(s)
	assert.NoError(t, err)
	assert.True(t, len(content) <= 4000, "%d bytes, %v, want at most 4000", len(content), err)
	n := s.inMinute()
	assert.True(t, n >= 1500, "%d starts in the last minute, want 1500 to 1550", n)
	assert.True(t, n <= 1550, "%d starts in the last minute, want 1500 to 1550", n)
}

// memory has values changed by the rule as a hub does; each change is made twice, as if another machine was faster.
type memory struct {
	mu     sync.Mutex
	values map[string][]byte
	lost   error
}

func (m *memory) Ask(_ context.Context, by string, w fleet.Wish) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lost != nil {
		return nil, m.lost
	}
	_, name, _ := strings.Cut(w.Key, ".")
	asked := fleet.Asked{Wish: w, Name: name, Node: by, Now: noon, Old: m.values[w.Key]}
	if _, _, err := Rule(asked); err != nil {
		return nil, err
	}
	value, answer, err := Rule(asked)
	if err == nil {
		m.values[w.Key] = value
	}
	return answer, err
}

// TestAccount: the methods change the shared value, and report what goes wrong.
func TestAccount(t *testing.T) {
	t.Parallel()
	ctx, m := t.Context(), &memory{values: map[string][]byte{}}
	a := Account{In: m, Name: "claude", Node: "n", Most: 9}
	ask := func(spec string, want bool) (p Permit) {
		t.Helper()
		p, err := a.Ask(ctx, spec)
		if err != nil || p.Granted != want {
			t.Errorf("%s: %+v, %v", spec, p, err)
		}
		return p
	}
	ask("a", true)
	ask("b", false)
	assert.NoError(t, errors.Join(a.ReportProven(ctx, "a")))
	ask("b", true)
	ask("c", true)
	other := a
	other.Node = "m" // whose reports change nothing of what this machine has started
	assert.NoError(t, errors.Join(other.ReportGone(ctx, "b"), other.ReportProven(ctx, "c")))
	if s, err := readState(m.values["pace.claude"]); err != nil || len(s.Trying) != 2 {
		t.Errorf("%+v, %v, want two starts that are not proven", s, err)
	}
	assert.NoError(t, errors.Join(a.ReportGone(ctx, "b"), a.ReportRefusal(ctx, "c", time.Hour)))
	p := ask("d", false)
	assert.Contains(t, p.Why, "c@n")
	assert.Equal(t, time.Hour, p.Wait)
	s, err := readState(m.values["pace.claude"])
	assert.NoError(t, err)
	assert.Equal(t, time.Hour, s.Until.Sub(s.At))
	assert.Equal(t, 2, s.Rate)
	assert.Zero(t, s.Trying)
	for name, w := range map[string]fleet.Wish{
		"no spec":          {Key: "pace.x", Text: []byte(`{"event":"ask"}`)},
		"not JSON":         {Key: "pace.x", Spec: "a", Text: []byte("ask")},
		"an unknown event": {Key: "pace.x", Spec: "a", Text: []byte(`{"event":"clear"}`)},
	} {
		_, err := m.Ask(ctx, "n", w)
		assert.Error(t, err, "%s", name)
		assert.True(t, m.values["pace.x"] == nil, "%s: %v, and the state is %s", name, err, m.values["pace.x"])
	}
	m.values["pace.claude"] = []byte(`{"rate":-1}`)
	_, err = a.Ask(ctx, "e")
	assert.Error(t, err, "a state that cannot be was read")
	m.lost = errors.New("no connection")
	assert.IsError(t, a.ReportProven(ctx, "e"), m.lost)
}

// FuzzReadState: whatever is read can be asked and written, and what is written is read again.
func FuzzReadState(f *testing.F) {
	f.Add([]byte(`{"at":"2026-11-26T12:00:00Z","at_once":4,"left":1,"starts":[{"id":"a","at":"2026-11-26T11:59:59Z"}],"proven":[{"at":"2026-11-26T11:59:55Z","n":3}],"rate":5,"until":"2026-11-26T12:00:10Z"}`))
	f.Add([]byte(`{"at":"9999-11-26T12:00:00Z","before_ns":2,"risen":true,"refusals":60,"denied":[{"id":"b","at":"2026-11-26T11:59:55Z"}]}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := readState(content)
		if err != nil {
			return
		}
		for i, now := range []time.Time{noon, noon.Add(-time.Hour), noon.Add(time.Hour), noon.Add(99 * time.Hour)} {
			s, _ = s.ask(now, fmt.Sprint("x", i), 7)
			s = s.confirm(now, "x0").drop(now, "x1").refuse(now, "x2", 0)
		}
		_, p := s.ask(noon.Add(200*time.Hour), "y", 0)
		assert.True(t, p.Granted, "nothing starts for ever: %+v, %+v", p, s)
		again, err := json.Marshal(s)
		assert.NoError(t, err)
		if back, err := readState(again); err != nil || back.inMinute() != s.inMinute() {
			t.Errorf("%s: %v", again, err)
		}
	})
}

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
		w.schedule(time.Duration(w.random.IntN(1000))*time.Millisecond, w.next)
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

func (w *world) schedule(after time.Duration, do func()) {
	heap.Push(&w.queue, happening{w.now + after, do})
}

// next is a worker that looks for a spec.
func (w *world) next() {
	switch {
	case w.ended == w.specs:
	case w.left == 0:
		w.schedule(time.Second, w.next)
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
		w.schedule(p.Wait, func() { w.ask(id) })
		return
	}
	if w.busy++; w.busy == w.workers && w.full == 0 {
		w.full = w.now
	}
	w.schedule(w.delay(w.random), func() { w.call(id) })
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
		w.schedule(w.delay(w.random), func() {
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
		w.schedule(w.delay(w.random), proved)
	}
	w.schedule(work, func() {
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
		assert.NoError(t, err)
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
				assert.True(t, w.refused <= 6, "CHANT_SEED=%d: %d refused calls, %.2f times the ideal time", seed, w.refused, factor)
				assert.False(t, factor > 1.3, "CHANT_SEED=%d: %d refused calls, %.2f times the ideal time", seed, w.refused, factor)
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
		took := w.run()
		assert.True(t, w.refused <= 0, "CHANT_SEED=%d: %d refused calls, %s", seed, w.refused, took)
		assert.True(t, took <= 13*(50/5-1)*time.Minute/10, "CHANT_SEED=%d: %d refused calls, %s", seed, w.refused, took)
	}
}
