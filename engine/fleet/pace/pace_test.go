package pace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine/fleet"
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
				if !strings.Contains(got, step.want) {
					t.Errorf("%s, step %d: %q, want %q; %+v", name, i, got, step.want, s)
				}
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
	if _, p := s.ask(noon.Add(-time.Second), "b", 0); p.Granted || p.Wait != time.Minute {
		t.Errorf("a second back: %+v, want a wait of a minute", p)
	}
	for _, by := range []time.Duration{-time.Hour, -1000 * 24 * time.Hour, 1000 * 24 * time.Hour} {
		if now, p := s.ask(noon.Add(by), "b", 0); !p.Granted || len(now.Trying) != 1 {
			t.Errorf("set by %s: %+v, %+v, want a permit", by, p, now)
		}
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
	if err != nil || len(content) > 4000 {
		t.Errorf("%d bytes, %v, want at most 4000", len(content), err)
	}
	if n := s.inMinute(); n < 1500 || n > 1550 {
		t.Errorf("%d starts in the last minute, want 1500 to 1550", n)
	}
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
	if err := errors.Join(a.ReportProven(ctx, "a")); err != nil {
		t.Error(err)
	}
	ask("b", true)
	ask("c", true)
	other := a
	other.Node = "m" // whose reports change nothing of what this machine has started
	if err := errors.Join(other.ReportGone(ctx, "b"), other.ReportProven(ctx, "c")); err != nil {
		t.Error(err)
	}
	if s, err := readState(m.values["pace.claude"]); err != nil || len(s.Trying) != 2 {
		t.Errorf("%+v, %v, want two starts that are not proven", s, err)
	}
	if err := errors.Join(a.ReportGone(ctx, "b"), a.ReportRefusal(ctx, "c", time.Hour)); err != nil {
		t.Error(err)
	}
	if p := ask("d", false); !strings.Contains(p.Why, "c@n") || p.Wait != time.Hour {
		t.Errorf("%+v, want who was refused, and for how long", p)
	}
	s, err := readState(m.values["pace.claude"])
	if err != nil || s.Until.Sub(s.At) != time.Hour || s.Rate != 2 || len(s.Trying) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	for name, w := range map[string]fleet.Wish{
		"no spec":          {Key: "pace.x", Text: []byte(`{"event":"ask"}`)},
		"not JSON":         {Key: "pace.x", Spec: "a", Text: []byte("ask")},
		"an unknown event": {Key: "pace.x", Spec: "a", Text: []byte(`{"event":"clear"}`)},
	} {
		if _, err := m.Ask(ctx, "n", w); err == nil || m.values["pace.x"] != nil {
			t.Errorf("%s: %v, and the state is %s", name, err, m.values["pace.x"])
		}
	}
	m.values["pace.claude"] = []byte(`{"rate":-1}`)
	if _, err := a.Ask(ctx, "e"); err == nil {
		t.Error("a state that cannot be was read")
	}
	m.lost = errors.New("no connection")
	if err := a.ReportProven(ctx, "e"); !errors.Is(err, m.lost) {
		t.Error(err)
	}
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
		if _, p := s.ask(noon.Add(200*time.Hour), "y", 0); !p.Granted {
			t.Errorf("nothing starts for ever: %+v, %+v", p, s)
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := readState(again); err != nil || back.inMinute() != s.inMinute() {
			t.Errorf("%s: %v", again, err)
		}
	})
}
