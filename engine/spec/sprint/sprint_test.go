package sprint

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func at(text string) time.Time {
	t, ok := ParseTime(text)
	if !ok {
		panic(text)
	}
	return t
}

func mustParse(t *testing.T, src string) *Sprint {
	t.Helper()
	s, err := Parse(3, "3.md", []byte(src))
	assert.NoError(t, err)
	return s
}

func ptr[T any](v T) *T { return &v }

const full = `---
created: 2026-11-01T09:00:00Z
modified: 2026-11-02T09:00:00Z
# the plan
plan:
  label: " Alpha "
  goal: Ship it
  length: 2w
  capacity: {points: 20, hours: 0}
  color: red
actual: {started_at: 2026-11-02}
order: [a, "", b, a]
team: x # ours
---

Notes, in **Markdown**.
`

func TestParse(t *testing.T) {
	t.Parallel()
	s := mustParse(t, full)
	want := Plan{Label: "Alpha", Goal: "Ship it", Length: "2w", Capacity: Capacity{Points: 20}, Notes: "Notes, in **Markdown**."}
	assert.Equal(t, want, s.Plan)
	assert.Equal(t, "2026-11-02", s.Actual.StartedAt)
	assert.Equal(t, []string{"a", "b"}, s.Order)
	assert.Equal(t, 2, s.Rank("b"))
	assert.Equal(t, 0, s.Rank("c"))
	assert.Equal(t, full, string(s.Bytes()))
}

func TestParse_invalid(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"---\nplan: [a]\n---\n", "---\nplan: {capacity: {points: many}}\n---\n", "---\na: b: c\n---\n", "---\norder: {a: b}\n---\n"} {
		_, err := Parse(1, "1.md", []byte(src))
		var syntax *markdown.SyntaxError
		assert.True(t, errors.As(err, &syntax), "%q: %v", src, err)
		assert.Equal(t, "1.md", syntax.Path, "%q", src)
	}
	s := mustParse(t, "")
	assert.Equal(t, "Sprint 3", s.Name(), "an empty file")
	assert.Equal(t, Pending, s.State(at("2026-11-01")), "an empty file")
}

func TestEdit_lossless(t *testing.T) {
	t.Parallel()
	s := mustParse(t, full)
	now := at("2026-11-23T10:00:00+01:00")
	same, warnings, err := s.Edit(now, Change{Label: ptr("Alpha"), Notes: ptr("Notes, in **Markdown**.\n")})
	assert.NoError(t, err, "an edit of nothing")
	assert.True(t, warnings == nil, "an edit of nothing: %v, %v, %q", err, warnings, same.Bytes())
	assert.Equal(t, full, string(same.Bytes()), "an edit of nothing")
	next, warnings, err := s.Edit(now, Change{Goal: ptr(""), CapacityPoints: ptr(0), ClosedAt: ptr("2026-11-20"), Order: &[]string{"b"}})
	assert.NoError(t, err)
	assert.True(t, warnings == nil, "%v %v", err, warnings)
	got := string(next.Bytes())
	for _, text := range []string{"# the plan\n", "color: red", "team: x # ours", "Notes, in **Markdown**.", "modified: 2026-11-23T09:00:00Z", "closed_at: 2026-11-20"} {
		assert.Contains(t, got, text)
	}
	for _, text := range []string{"goal", "points"} {
		assert.NotContains(t, got, text)
	}
	again := mustParse(t, got)
	assert.Equal(t, next.Plan, again.Plan)
	assert.Equal(t, next.Actual, again.Actual)
	assert.Equal(t, next.Order, again.Order)
}

func TestEdit_merged(t *testing.T) {
	t.Parallel()
	s := mustParse(t, "---\nbase: &b {goal: x}\nplan: {<<: *b}\n---\n")
	_, _, err := s.Edit(at("2026-11-23"), Change{Goal: ptr("")})
	assert.IsError(t, err, markdown.ErrNotEditable, "a merged value was removed")
}

func TestNew(t *testing.T) {
	t.Parallel()
	s, warnings, err := New(7, "7.md", at("2026-11-23"), Change{
		Label: ptr("A"), Length: ptr("2w"), EndsAt: ptr("2026-12-01"), StartsAt: ptr("soon"), CapacityHours: ptr(8), Notes: ptr("n"),
	})
	assert.NoError(t, err)
	var codes []string
	for _, w := range warnings {
		codes = append(codes, w.Code)
	}
	assert.Equal(t, []string{LengthDiscarded, UnparseableTimestamp}, codes)
	assert.Equal(t, "", s.Plan.Length)
	assert.Equal(t, 7, s.ID)
	assert.Equal(t, "2026-11-23T00:00:00Z", s.Created)
	assert.Equal(t, s.Created, s.Modified)
	src, err := json.Marshal(s)
	want := `{"created":"2026-11-23T00:00:00Z","modified":"2026-11-23T00:00:00Z","plan":{"label":"A","ends_at":"2026-12-01","starts_at":"soon","capacity":{"hours":8},"notes":"n"},"actual":{}}`
	assert.NoError(t, err)
	assert.Equal(t, want, string(src))
	empty, _, err := New(8, "8.md", at("2026-11-23"), Change{})
	assert.NoError(t, err, "an empty sprint")
	assert.Equal(t, "2026-11-23T00:00:00Z", empty.Modified, "an empty sprint")
}

func TestState(t *testing.T) {
	t.Parallel()
	now := at("2026-11-15")
	for _, c := range []struct {
		plan   Plan
		actual Actual
		want   State
		end    string
	}{
		{Plan{}, Actual{}, Pending, ""},
		{Plan{StartsAt: "2026-11-20", Length: "5d"}, Actual{}, Pending, "2026-11-25T00:00:00Z"},
		{Plan{StartsAt: "2026-11-01", Length: "1 week"}, Actual{}, Overdue, "2026-11-08T00:00:00Z"},
		{Plan{StartsAt: "2026-11-01", Length: "1w"}, Actual{StartedAt: "2026-11-10"}, Active, "2026-11-17T00:00:00Z"},
		{Plan{EndsAt: "2026-11-12", Length: "9w"}, Actual{StartedAt: "2026-11-10"}, Overdue, "2026-11-12T00:00:00Z"},
		{Plan{EndsAt: "2026-11-12"}, Actual{StartedAt: "2026-11-10", ClosedAt: "2026-11-14"}, Complete, "2026-11-12T00:00:00Z"},
		{Plan{EndsAt: "never"}, Actual{StartedAt: "2026-11-10"}, Active, ""},
		{Plan{Length: "some"}, Actual{ClosedAt: "??"}, Pending, ""},
	} {
		s := &Sprint{ID: 1, Plan: c.plan, Actual: c.actual}
		l := s.Lifecycle(now)
		assert.Equal(t, c.want, l.State, "%+v %+v", c.plan, c.actual)
		assert.Equal(t, c.want, l.Status, "%+v %+v", c.plan, c.actual)
		assert.Equal(t, c.end, l.ComputedEnd, "%+v %+v", c.plan, c.actual)
	}
	_, warnings := (&Sprint{Plan: Plan{EndsAt: "never", Length: "some"}}).Dates()
	assert.Equal(t, 2, len(warnings))
	assert.Equal(t, UnparseableTimestamp, warnings[0].Code)
	assert.Equal(t, UnparseableLength, warnings[1].Code)
}

func TestParseLength(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"10d": 10 * day, "2W": 14 * day, "1 day": day, "3 weeks": 21 * day, " 4 days ": 4 * day,
		"": 0, "d": 0, "0d": 0, "-1d": 0, "2": 0, "2 months": 0, "1.5d": 0, "99999d": 0, "9999w": 0, "1d 2d": 0,
	} {
		got, ok := ParseLength(text)
		assert.Equal(t, want, got, "%q", text)
		assert.Equal(t, want > 0, ok, "%q", text)
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-11-23": "2026-11-23T00:00:00Z", "2026-11-23T10:00:00+02:00": "2026-11-23T08:00:00Z", "2026-11-23 10:00": "2026-11-23T10:00:00Z",
		"2026-11-23T10:00:00": "2026-11-23T10:00:00Z", "2026-11-23T10:00:00.5Z": "2026-11-23T10:00:00Z", "23.11.2026": "", "2026-02-30": "",
	} {
		got, ok := ParseTime(text)
		assert.Equal(t, want, stamp(got), "%q", text)
		assert.Equal(t, want != "", ok, "%q", text)
	}
}

func TestRef(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{`3`: 3, `3.0`: 3, `"3"`: 3, `"#3"`: 3, `" # 3"`: 3} {
		var got Ref
		assert.NoError(t, json.Unmarshal([]byte(src), &got), "%s", src)
		id, err := got.ID()
		assert.NoError(t, err, "%s", src)
		assert.Equal(t, want, id, "%s", src)
		assert.Equal(t, "", got.Word(), "%s", src)
	}
	for src, want := range map[string]string{`"Prev"`: PreviousWord, `"active"`: ActiveWord, `" NEXT "`: NextWord} {
		var got Ref
		if err := json.Unmarshal([]byte(src), &got); err != nil || got.Word() != want {
			t.Errorf("%s: %q, %v", src, got.Word(), err)
		}
	}
	for _, src := range []string{`0`, `-1`, `1.5`, `"x"`, `"##3"`, `"+3"`, `[1]`, `true`, `{}`, `""`, `null`} {
		var got Ref
		assert.NoError(t, json.Unmarshal([]byte(src), &got), "%s", src)
		id, err := got.ID()
		assert.IsError(t, err, ErrRef, "%d", id)
		assert.Equal(t, src == `""` || src == "null", got == "", "%d", id)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	exists := func(id int) bool { return id < 10 }
	tasks := map[string][]int{"a": {1, 42}, "b": {2}, "c": {42, 43}}
	found, kept := Check(tasks, exists, false)
	assert.Equal(t, &Integrity{MissingSprints: []int{42, 43}, TasksWithMissing: 2}, found)
	assert.True(t, kept == nil, "%+v, %v", found, kept)
	found, kept = Check(tasks, exists, true)
	want := &Integrity{MissingSprints: []int{}, TasksWithMissing: 2, AutoCleanup: &Cleanup{
		RemovedReferences: 3, UpdatedTasks: 2, RemovedBySprint: []Count{{42, 2}, {43, 1}}, RemainingMissing: []int{},
	}}
	assert.Equal(t, want, found)
	assert.Equal(t, map[string][]int{"a": {1}, "c": nil}, kept)
	found, _ = Check(map[string][]int{"b": {2}}, exists, false)
	assert.True(t, found == nil, "%+v", found)
	assert.Zero(t, found.Missing())
}
