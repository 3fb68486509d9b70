package sprint

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"chant/markdown"
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
	if err != nil {
		t.Fatal(err)
	}
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
	if s.Plan != want {
		t.Errorf("plan %+v", s.Plan)
	}
	if s.Actual.StartedAt != "2026-11-02" || !reflect.DeepEqual(s.Order, []string{"a", "b"}) || s.Rank("b") != 2 || s.Rank("c") != 0 {
		t.Errorf("actual %+v, order %v", s.Actual, s.Order)
	}
	if got := string(s.Bytes()); got != full {
		t.Errorf("bytes %q", got)
	}
}

func TestParse_invalid(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"---\nplan: [a]\n---\n", "---\nplan: {capacity: {points: many}}\n---\n", "---\na: b: c\n---\n", "---\norder: {a: b}\n---\n"} {
		_, err := Parse(1, "1.md", []byte(src))
		var syntax *markdown.SyntaxError
		if !errors.As(err, &syntax) || syntax.Path != "1.md" {
			t.Errorf("%q: %v", src, err)
		}
	}
	if s := mustParse(t, ""); s.Name() != "Sprint 3" || s.State(at("2026-11-01")) != Pending {
		t.Errorf("an empty file: %+v", s)
	}
}

func TestEdit_lossless(t *testing.T) {
	t.Parallel()
	s := mustParse(t, full)
	now := at("2026-11-23T10:00:00+01:00")
	same, warnings, err := s.Edit(now, Change{Label: ptr("Alpha"), Notes: ptr("Notes, in **Markdown**.\n")})
	if err != nil || warnings != nil || string(same.Bytes()) != full {
		t.Errorf("an edit of nothing: %v, %v, %q", err, warnings, same.Bytes())
	}
	next, warnings, err := s.Edit(now, Change{Goal: ptr(""), CapacityPoints: ptr(0), ClosedAt: ptr("2026-11-20"), Order: &[]string{"b"}})
	if err != nil || warnings != nil {
		t.Fatal(err, warnings)
	}
	got := string(next.Bytes())
	for _, text := range []string{"# the plan\n", "color: red", "team: x # ours", "Notes, in **Markdown**.", "modified: 2026-11-23T09:00:00Z", "closed_at: 2026-11-20"} {
		if !strings.Contains(got, text) {
			t.Errorf("%q is missing in\n%s", text, got)
		}
	}
	for _, text := range []string{"goal", "points"} {
		if strings.Contains(got, text) {
			t.Errorf("%q is left in\n%s", text, got)
		}
	}
	again := mustParse(t, got)
	if again.Plan != next.Plan || again.Actual != next.Actual || !reflect.DeepEqual(again.Order, next.Order) {
		t.Errorf("the file says %+v, the edit %+v", again, next)
	}
}

func TestEdit_merged(t *testing.T) {
	t.Parallel()
	s := mustParse(t, "---\nbase: &b {goal: x}\nplan: {<<: *b}\n---\n")
	if _, _, err := s.Edit(at("2026-11-23"), Change{Goal: ptr("")}); !errors.Is(err, markdown.ErrNotEditable) {
		t.Errorf("a merged value was removed: %v", err)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	s, warnings, err := New(7, "7.md", at("2026-11-23"), Change{
		Label: ptr("A"), Length: ptr("2w"), EndsAt: ptr("2026-12-01"), StartsAt: ptr("soon"), CapacityHours: ptr(8), Notes: ptr("n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, w := range warnings {
		codes = append(codes, w.Code)
	}
	if !reflect.DeepEqual(codes, []string{LengthDiscarded, UnparseableTimestamp}) || s.Plan.Length != "" {
		t.Errorf("warnings %v, length %q", codes, s.Plan.Length)
	}
	if s.ID != 7 || s.Created != "2026-11-23T00:00:00Z" || s.Modified != s.Created {
		t.Errorf("%+v", s)
	}
	src, err := json.Marshal(s)
	want := `{"created":"2026-11-23T00:00:00Z","modified":"2026-11-23T00:00:00Z","plan":{"label":"A","ends_at":"2026-12-01","starts_at":"soon","capacity":{"hours":8},"notes":"n"},"actual":{}}`
	if err != nil || string(src) != want {
		t.Errorf("%v\n%s\n%s", err, src, want)
	}
	empty, _, err := New(8, "8.md", at("2026-11-23"), Change{})
	if err != nil || empty.Modified != "2026-11-23T00:00:00Z" {
		t.Errorf("an empty sprint: %+v, %v", empty, err)
	}
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
		if l := s.Lifecycle(now); l.State != c.want || l.Status != c.want || l.ComputedEnd != c.end {
			t.Errorf("%+v %+v: %+v", c.plan, c.actual, l)
		}
	}
	_, warnings := (&Sprint{Plan: Plan{EndsAt: "never", Length: "some"}}).Dates()
	if len(warnings) != 2 || warnings[0].Code != UnparseableTimestamp || warnings[1].Code != UnparseableLength {
		t.Errorf("warnings %v", warnings)
	}
}

func TestParseLength(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"10d": 10 * day, "2W": 14 * day, "1 day": day, "3 weeks": 21 * day, " 4 days ": 4 * day,
		"": 0, "d": 0, "0d": 0, "-1d": 0, "2": 0, "2 months": 0, "1.5d": 0, "99999d": 0, "9999w": 0, "1d 2d": 0,
	} {
		if got, ok := ParseLength(text); got != want || ok != (want > 0) {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-11-23": "2026-11-23T00:00:00Z", "2026-11-23T10:00:00+02:00": "2026-11-23T08:00:00Z", "2026-11-23 10:00": "2026-11-23T10:00:00Z",
		"2026-11-23T10:00:00": "2026-11-23T10:00:00Z", "2026-11-23T10:00:00.5Z": "2026-11-23T10:00:00Z", "23.11.2026": "", "2026-02-30": "",
	} {
		if got, ok := ParseTime(text); stamp(got) != want || ok != (want != "") {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}

func TestRef(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{`3`: 3, `3.0`: 3, `"3"`: 3, `"#3"`: 3, `" # 3"`: 3} {
		var got Ref
		if err := json.Unmarshal([]byte(src), &got); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		if id, err := got.ID(); err != nil || id != want || got.Word() != "" {
			t.Errorf("%s: %d, %v", src, id, err)
		}
	}
	for src, want := range map[string]string{`"Prev"`: PreviousWord, `"active"`: ActiveWord, `" NEXT "`: NextWord} {
		var got Ref
		if err := json.Unmarshal([]byte(src), &got); err != nil || got.Word() != want {
			t.Errorf("%s: %q, %v", src, got.Word(), err)
		}
	}
	for _, src := range []string{`0`, `-1`, `1.5`, `"x"`, `"##3"`, `"+3"`, `[1]`, `true`, `{}`, `""`, `null`} {
		var got Ref
		if err := json.Unmarshal([]byte(src), &got); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		if id, err := got.ID(); !errors.Is(err, ErrRef) || (got == "") != (src == `""` || src == "null") {
			t.Errorf("%s: %q, %d", src, got, id)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	exists := func(id int) bool { return id < 10 }
	tasks := map[string][]int{"a": {1, 42}, "b": {2}, "c": {42, 43}}
	found, kept := Check(tasks, exists, false)
	if !reflect.DeepEqual(found, &Integrity{MissingSprints: []int{42, 43}, TasksWithMissing: 2}) || kept != nil {
		t.Errorf("%+v, %v", found, kept)
	}
	found, kept = Check(tasks, exists, true)
	want := &Integrity{MissingSprints: []int{}, TasksWithMissing: 2, AutoCleanup: &Cleanup{
		RemovedReferences: 3, UpdatedTasks: 2, RemovedBySprint: []Count{{42, 2}, {43, 1}}, RemainingMissing: []int{},
	}}
	if !reflect.DeepEqual(found, want) || !reflect.DeepEqual(kept, map[string][]int{"a": {1}, "c": nil}) {
		t.Errorf("%+v, %v", found, kept)
	}
	if found, _ = Check(map[string][]int{"b": {2}}, exists, false); found != nil || len(found.Missing()) != 0 {
		t.Errorf("%+v", found)
	}
}
