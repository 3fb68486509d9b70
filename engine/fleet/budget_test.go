package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// memory has values changed by the rule as a hub does.
type memory struct {
	mu     sync.Mutex
	values map[string][]byte
	now    time.Time
	lost   error
	again  func() bool // whether another machine was faster, so that the rule is called again; nil = never
}

func (m *memory) Ask(ctx context.Context, by string, w Wish) ([]byte, error) {
	_, name, _ := strings.Cut(w.Key, ".")
	for ctx.Err() == nil && m.lost == nil {
		m.mu.Lock()
		old := bytes.Clone(m.values[w.Key])
		m.mu.Unlock()
		value, answer, err := BudgetRule(Asked{Wish: w, Name: name, Node: by, Now: m.now, Old: old})
		if err != nil {
			return nil, err
		}
		m.mu.Lock()
		same := bytes.Equal(old, m.values[w.Key]) && (m.again == nil || !m.again())
		if same && value != nil {
			m.values[w.Key] = value
		}
		m.mu.Unlock()
		if same {
			return answer, nil
		}
	}
	return nil, errors.Join(ctx.Err(), m.lost)
}

// seed returns a new seed, or that of the variable CHANT_SEED, and prints it.
func seed(t *testing.T) uint64 {
	t.Helper()
	n := rand.Uint64()
	if text := os.Getenv("CHANT_SEED"); text != "" {
		var err error
		n, err = strconv.ParseUint(text, 10, 64)
		assert.NoError(t, err)
	}
	t.Logf("CHANT_SEED=%d", n)
	return n
}

// TestCounter_exact: whatever the order of reports, and however often they are repeated, the sum is exact.
func TestCounter_exact(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(seed(t), 1))
	again := rand.New(rand.NewPCG(random.Uint64(), 2))
	m := &memory{values: map[string][]byte{}, now: time.Date(2026, 11, 26, 1, 0, 0, 0, time.UTC), again: func() bool { return again.IntN(4) == 0 }}
	var want Amount
	var all sync.WaitGroup
	for i := range 20 {
		var total Amount
		var reports []Amount
		for range 30 {
			total = total.Plus(NewAmount(random.Float64(), random.IntN(100000), random.IntN(3), time.Duration(random.IntN(1e9))))
			reports = append(reports, total, total)
		}
		random.Shuffle(len(reports), func(i, j int) { reports[i], reports[j] = reports[j], reports[i] })
		want = want.Plus(total)
		all.Go(func() {
			l := &Ledger{In: m, Node: fmt.Sprint("node ", i), Clone: "clone", Timeout: time.Minute}
			if _, err := l.Began(time.Now()); err != nil {
				t.Error(err)
			}
			for _, r := range reports {
				if _, err := l.Day(r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	c, err := readCounter(m.values["budget.day"])
	if err != nil || c.Sum("2026-11-26") != want {
		t.Errorf("the sum is %+v, want %+v, %v", c.Sum("2026-11-26"), want, err)
	}
}

// TestLedger_days: a new day begins with an empty counter at midnight of the server, and old days are removed.
func TestLedger_days(t *testing.T) {
	t.Parallel()
	m := &memory{values: map[string][]byte{}, now: time.Date(2026, 11, 26, 23, 0, 0, 0, time.UTC)}
	here := time.Date(2026, 11, 27, 3, 0, 0, 0, time.FixedZone("", 3600)) // three hours ahead of the server
	one, two := &Ledger{In: m, Node: "one", Clone: "one", Timeout: time.Minute}, &Ledger{In: m, Node: "two", Clone: "two", Timeout: time.Minute}
	_, err := one.Day(Amount{})
	assert.Error(t, err, "a report before the day is known")
	spend := func(l *Ledger, usd float64, wantOthers float64) time.Time {
		t.Helper()
		began, err := l.Began(here)
		assert.NoError(t, err)
		others, err := l.Day(NewAmount(usd, 0, 0, 0))
		if err != nil || others.USD() != wantOthers {
			t.Errorf("others have spent %g, want %g, %v", others.USD(), wantOthers, err)
		}
		return began
	}
	pass := func(d time.Duration) { here, m.now = here.Add(d), m.now.Add(d) }
	first := spend(one, 0.5, 0)
	spend(two, 0.25, 0.5)
	pass(59 * time.Minute)
	began := spend(one, 0.75, 0.25)
	assert.True(t, began.Equal(first), "the day began at %s, then at %s", first, began)
	assert.True(t, began.Equal(here.Add(-24*time.Hour+time.Minute)), "the day began at %s, then at %s", first, began)
	pass(time.Minute)
	began = spend(two, 0.125, 0)
	assert.True(t, began.Equal(here), "the new day began at %s, not %s", began, here)
	pass(24 * time.Hour)
	spend(two, 0, 0)
	c, err := readCounter(m.values["budget.day"])
	assert.NoError(t, err)
	assert.Equal(t, 2, len(c.Days))
	assert.True(t, c.Days["2026-11-26"] == nil, "%+v, %v, want two days", c, err)
	here = here.Add(clockTime)
	m.lost = errors.New("no connection")
	_, err = one.Began(here)
	assert.IsError(t, err, m.lost)
	_, err = one.Day(Amount{})
	assert.IsError(t, err, m.lost)
}

// TestLedger_run: the processes of a run share a counter.
func TestLedger_run(t *testing.T) {
	t.Parallel()
	m := &memory{values: map[string][]byte{}}
	for i, want := range []int64{0, 1, 3} {
		l := &Ledger{In: m, Process: fmt.Sprint(i), Timeout: time.Minute}
		others, err := l.Run(Amount{Tokens: int64(1) << i})
		assert.NoError(t, err)
		assert.Equal(t, want, others.Tokens)
	}
}

// TestBudgetRule_refused: a machine changes no total but its own, and none that cannot be.
func TestBudgetRule_refused(t *testing.T) {
	t.Parallel()
	m := &memory{values: map[string][]byte{}, now: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}
	one := &Ledger{In: m, Node: "one", Clone: "c", Timeout: time.Minute}
	_, err := one.Began(m.now)
	assert.NoError(t, err)
	_, err = one.Day(Amount{Tokens: 5})
	assert.NoError(t, err)
	before := string(m.values["budget.day"])
	for name, w := range map[string]Wish{
		"a day long ago":      {Key: "budget.day", Text: []byte(`{"day":"2026-11-20","owner":"c"}`)},
		"a day to come":       {Key: "budget.day", Text: []byte(`{"day":"2026-12-20","owner":"c"}`)},
		"no day":              {Key: "budget.day", Text: []byte(`{"owner":"c"}`)},
		"a day of a run":      {Key: "budget.run.fleet", Text: []byte(`{"day":"2026-11-26","owner":"c"}`)},
		"an unknown counter":  {Key: "budget.x", Text: []byte(`{"owner":"c"}`)},
		"a negative total":    {Key: "budget.day", Text: []byte(`{"day":"2026-11-26","owner":"c","total":{"tokens":-1}}`)},
		"a total without end": {Key: "budget.day", Text: []byte(`{"day":"2026-11-26","owner":"c","total":{"tokens":9223372036854775807}}`)},
		"a long name":         {Key: "budget.day", Text: []byte(`{"day":"2026-11-26","owner":"` + strings.Repeat("c", 1000) + `"}`)},
		"not JSON":            {Key: "budget.day", Text: []byte("9")},
	} {
		_, err := m.Ask(t.Context(), "two", w)
		assert.Error(t, err, "%s is counted", name)
	}
	assert.Equal(t, before, string(m.values["budget.day"]), "%q", m.values)
	assert.Equal(t, 1, len(m.values), "%q", m.values)
	for i := range 100 { // owners of one machine
		w := fmt.Appendf(nil, `{"day":"2026-11-26","owner":"%d","total":{"tokens":1}}`, i)
		_, err := m.Ask(t.Context(), "two", Wish{Key: "budget.day", Text: w})
		assert.NoError(t, err)
	}
	c, err := readCounter(m.values["budget.day"])
	assert.NoError(t, err)
	assert.Equal(t, 2, len(c.Days["2026-11-26"]))
	assert.Equal(t, 105, c.Sum("2026-11-26").Tokens)
}

// TestNewAmount: what cannot be used is nothing.
func TestNewAmount(t *testing.T) {
	t.Parallel()
	for _, usd := range []float64{-1, math.NaN(), math.Inf(-1)} {
		assert.Equal(t, Amount{}, NewAmount(usd, -1, -1, -time.Second), "%g", usd)
	}
	a := NewAmount(math.Inf(1), 1, 2, time.Second)
	assert.True(t, a.Cost >= 0, "%+v", a)
	assert.Equal(t, 1, a.Tokens)
	assert.Equal(t, 2, a.Turns)
	assert.Equal(t, time.Second, a.Took())
	if a := NewAmount(0.1, 0, 0, 0).Plus(NewAmount(0.2, 0, 0, 0)); a.USD() != 0.3 {
		t.Errorf("%g", a.USD())
	}
}

// FuzzReadCounter: whatever is read is written and read again without a change, and its sums do not overflow.
func FuzzReadCounter(f *testing.F) {
	f.Add([]byte(`{"days":{"2026-11-26":{"a":{"owner":"c","amount":{"cost_nano":5,"tokens":3,"turns":1,"ms":9},"before":{"tokens":1}}}}}`))
	f.Add([]byte(`{"days":{"":{"a":{"owner":"c","amount":{"cost_nano":9223372036854775807}}}}}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := readCounter(content)
		if err != nil {
			return
		}
		again, err := c.Bytes()
		assert.NoError(t, err)
		back, err := readCounter(again)
		assert.NoError(t, err)
		assert.Equal(t, c, back)
		s := c.Sum("")
		assert.True(t, min(s.Cost, s.Tokens, s.Turns, s.Time) >= 0, "%+v", s)
	})
}
