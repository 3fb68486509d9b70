package overview

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/record"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

func timeAt(minute int) time.Time { return time.Date(2026, 11, 26, 10, minute, 0, 0, time.UTC) }

// rec is a record with data.
func rec(t testing.TB, minute, attempt int, step journal.Step, state journal.State, data any) journal.Record {
	t.Helper()
	raw, err := json.Marshal(data)
	assert.NoError(t, err)
	return journal.Record{Time: timeAt(minute), Attempt: attempt, Step: step, State: state, Data: raw}
}

// records is a journal of two attempts: the first fails, the second completes the spec.
func records(t testing.TB) []journal.Record {
	cost := 0.25
	verdicts := func(holds bool) []criteria.Verdict {
		return []criteria.Verdict{
			{Text: "Tests pass", How: criteria.ByRunning, Holds: holds}, {Text: "Reads well", How: criteria.ByAgent, Holds: true, Flaky: true},
			{Text: "A box", How: criteria.ByBox, Holds: holds},
		}
	}
	failed := criteria.Report{At: timeAt(3), Tree: "t1", Criteria: verdicts(false)}
	return []journal.Record{
		rec(t, 1, 1, journal.Open, journal.Begin, journal.Job{ID: "a", Attempt: 1, Provider: "claude", Model: "asked"}),
		rec(t, 2, 1, journal.Heard, journal.Note, journal.Session{Number: 1, Provider: "claude", Began: timeAt(1)}),
		rec(t, 3, 1, journal.Heard, journal.Note, journal.Session{Number: 1, Provider: "claude", Began: timeAt(1), Seconds: 90, Ended: true, Spent: &providers.Spent{
			Model: "large", CostUSD: &cost, Usage: &providers.Usage{Input: 10, CachedInput: 20, CacheWrites: 30, Output: 40},
		}}),
		rec(t, 3, 1, journal.Verify, journal.Done, failed),
		rec(t, 3, 1, journal.Verify, journal.Done, failed), // again, as it was accepted
		rec(t, 4, 1, journal.Close, journal.Done, "tip"),
		rec(t, 5, 2, journal.Open, journal.Begin, journal.Job{ID: "a", Attempt: 2, Provider: "shell"}),
		rec(t, 6, 2, journal.Heard, journal.Note, journal.Session{Number: 1, Provider: "shell", Began: timeAt(5)}),
		rec(t, 7, 2, journal.Verify, journal.Done, criteria.Report{At: timeAt(7), Tree: "t2", Criteria: verdicts(true)}),
		rec(t, 7, 2, journal.Verify, journal.Failed, "a text"),
		rec(t, 8, 2, journal.Complete, journal.Done, "c0ffee"),
	}
}

func want() Journal {
	return Journal{
		ID: "a", Tries: 2,
		Sessions: []Session{
			{Provider: "claude", Model: "large", At: timeAt(3).Unix(), Input: 10, Cached: 20, Written: 30, Output: 40, Seconds: 90, CostUSD: 0.25},
			{Provider: "shell", At: timeAt(6).Unix(), Seconds: 60, CostUnknown: true, TokensUnknown: true},
		},
		Outcomes: []Outcome{
			{Criterion: "Tests pass", At: timeAt(3).Unix(), Attempt: 1, Tree: "t1"}, {Criterion: "Reads well", At: timeAt(3).Unix(), Attempt: 1, Tree: "t1", Holds: true, Retried: true},
			{Criterion: "Tests pass", At: timeAt(7).Unix(), Attempt: 2, Tree: "t2", Holds: true}, {Criterion: "Reads well", At: timeAt(7).Unix(), Attempt: 2, Tree: "t2", Holds: true, Retried: true},
		},
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	lines := [][]byte{[]byte("no record\n"), []byte(`{"step":"verify","state":"done","data":3}`)}
	for _, r := range records(t) {
		line, err := json.Marshal(r)
		assert.NoError(t, err)
		lines = append(lines, line)
	}
	if got := Sum("a", lines); !reflect.DeepEqual(got, want()) {
		t.Errorf("%+v\nwant %+v", got, want())
	}
	got := Sum("a", nil)
	assert.Equal(t, Journal{ID: "a"}, got)
}

// TestAll: the sums are the same with and without the index, which has those of the files as they are.
func TestAll(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	all := func(use store.IndexUse) (sums []Journal, stored []string) {
		t.Helper()
		p.Store.Index = use
		var err error
		p.Store.Query(t.Context(), func(q *store.Query) {
			stored, _ = q.View.ValueNames(tallyKind())
			sums, err = TallyAll(t.Context(), q, time.Now().Add(time.Minute))
		})
		assert.NoError(t, err)
		return sums, stored
	}
	got, _ := all(store.IndexOff)
	assert.Zero(t, got, "without journals: %v", got)
	add := func(id string, r journal.Record) {
		t.Helper()
		_, err := p.Store.Append(id, r)
		assert.NoError(t, err)
	}
	for _, r := range records(t)[:8] {
		add("a", r)
	}
	add("b", records(t)[0])
	if got, stored := all(store.IndexAlways); len(got) != 2 || got[0].Tries != 0 || len(stored) != 0 {
		t.Errorf("%+v, %q", got, stored)
	}
	_, stored := all(store.IndexAlways)
	if len(stored) == 0 {
		t.Skip("the index is not used here: files have no stamps, or the file system is not local")
	}
	for _, r := range records(t)[8:] {
		add("a", r)
	}
	for _, use := range []store.IndexUse{store.IndexAlways, store.IndexAlways, store.IndexOff} {
		got, names := all(use)
		assert.Equal(t, 2, len(got))
		assert.Equal(t, want(), got[0])
		assert.False(t, use == store.IndexAlways && !slices.Equal(names, []string{"a", "b"}), "%v: %+v of %q", use, got, names)
	}
}

// FuzzSum: whatever lines a journal has, they have a sum that can be stored.
func FuzzSum(f *testing.F) {
	f.Add(`{"step":"open","state":"begin","attempt":1}`, `{"step":"verify","state":"done","data":{"criteria":[{"text":"x","holds":true}]}}`)
	f.Add("{", `{"step":"heard","state":"note","data":{"number":-1,"spent":{"cost_usd":1e300}}}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		sum := Sum("a", [][]byte{[]byte(a), []byte(b)})
		at := disk.Stamp{Modified: 1, Changed: 2, Size: 3, Inode: 4}
		known, ok := decode(record.Encode(stored{at, sum}))
		assert.True(t, ok, "%+v is stored as %+v", sum, known)
		assert.Equal(t, stored{at, sum}, known, "%+v is stored", sum)
	})
}
