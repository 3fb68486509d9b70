package spec

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

var shelf = []string{
	"2026-11-20-001-abc", "2026-11-20-001-abc.1", "2026-11-20-001-abc.1.2", "2026-11-20-001-abc.2",
	"2026-11-20-002-xyz", "2026-11-19-001-old", "2026-11-19-003-fix", "2026-10-20-004-oct",
	"web-2026-11-20-007-web", "tidy-up", "2026-11-18-00a-twa", "2026-11-18-00a-twb",
}

func TestResolve_rules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"the id":                    {"2026-11-20-001-abc", "2026-11-20-001-abc"},
		"the id of a member":        {"2026-11-20-001-abc.1", "2026-11-20-001-abc.1"},
		"a name of no form":         {"tidy-up", "tidy-up"},
		"the only suffix":           {"xyz", "2026-11-20-002-xyz"},
		"suffix with sequence":      {"002-xyz", "2026-11-20-002-xyz"},
		"suffix of a member":        {"abc.2", "2026-11-20-001-abc.2"},
		"suffix that is a path":     {".1.2", "2026-11-20-001-abc.1.2"},
		"suffix with a dash":        {"-fix", "2026-11-19-003-fix"},
		"sequence of today":         {"002", "2026-11-20-002-xyz"},
		"driver for its members":    {"001", "2026-11-20-001-abc"},
		"sequence with a prefix":    {"007", "web-2026-11-20-007-web"},
		"day and sequence":          {"19-003", "2026-11-19-003-fix"},
		"month, day, sequence":      {"10-20-004", "2026-10-20-004-oct"},
		"sequence and member":       {"001.1", "2026-11-20-001-abc.1"},
		"sequence and deep member":  {"20-001.1.2", "2026-11-20-001-abc.1.2"},
		"member, not a deep one":    {"001.2", "2026-11-20-001-abc.2"},
		"the only one to contain":   {"19-003-f", "2026-11-19-003-fix"},
		"containing, driver stands": {"001-a", "2026-11-20-001-abc"},
		"another day, contained":    {"003", "2026-11-19-003-fix"},
		"number without zeros":      {"2", "2026-11-20-002-xyz"},
		"the same of another day":   {"3", "2026-11-19-003-fix"},
		"one zero":                  {"04", "2026-10-20-004-oct"},
		"member without zeros":      {"1.2", "2026-11-20-001-abc.2"},
	} {
		got, err := Resolve(c.text, shelf, today)
		assert.NoError(t, err, "%s: %q", name, c.text)
		assert.Equal(t, c.want, got, "%s: %q", name, c.text)
	}
}

func TestResolve_ambiguous(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"18-00a":     {"2026-11-18-00a-twa", "2026-11-18-00a-twb"},
		"2026-11-19": {"2026-11-19-001-old", "2026-11-19-003-fix"},
		"tw":         {"2026-11-18-00a-twa", "2026-11-18-00a-twb"},
	} {
		_, err := Resolve(text, shelf, today)
		many, ok := errors.AsType[*AmbiguousError](err)
		assert.True(t, ok, "%q: %v, want %v", text, err, want)
		assert.Equal(t, text, many.ID, "%v", err)
		assert.Equal(t, want, many.Candidates, "%v", err)
	}
}

// TestResolve_sameNumber: an id that happens to end in a number is not meant while several have the number.
func TestResolve_sameNumber(t *testing.T) {
	t.Parallel()
	ids := []string{"2026-01-02-007-abc", "2026-01-05-007-def", "2026-01-05-012-xy7"}
	for _, text := range []string{"7", "07"} {
		got, err := Resolve(text, ids, today)
		many, ok := errors.AsType[*AmbiguousError](err)
		assert.True(t, ok, "%q = %q, %v, want ambiguous", text, got, err)
		assert.Equal(t, ids[:2], many.Candidates, "%q", text)
	}
	got, err := Resolve("7", ids[2:], today)
	assert.NoError(t, err)
	assert.Equal(t, ids[2], got)
	got, err = Resolve("7", ids, time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC))
	assert.NoError(t, err)
	assert.Equal(t, ids[1], got, "of today")
}

func TestAmbiguousError_listIsBounded(t *testing.T) {
	t.Parallel()
	var ids []string
	for i := range 12 {
		ids = append(ids, fmt.Sprintf("2026-11-20-%03d-abc", i))
	}
	_, err := Resolve("11-20", ids, today)
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "matches 12 specs: 2026-11-20-000-abc, ")
	assert.HasSuffix(t, err.Error(), "2026-11-20-007-abc and 4 more")
}

func TestResolve_notFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"nothing", "00b", "21-001", "001.9", "2026-11-20-001-abc.9"} {
		got, err := Resolve(text, shelf, today)
		missing, ok := errors.AsType[*NotFoundError](err)
		assert.True(t, ok, "%q = %q, %v", text, got, err)
		assert.Equal(t, text, missing.ID, "%q", got)
		assert.Contains(t, err.Error(), `"`+text+`"`, "%q", got)
	}
}

func TestResolve_traversal(t *testing.T) {
	t.Parallel()
	ids := append([]string{"../x", "a/b"}, shelf...)
	for _, text := range []string{"", ".", "..", "---", "../x", "a/b", "/", `..\x`, "x/../abc", "abc..1", "abc\x00", "abc\n", "@{1}", "HEAD~1", " abc"} {
		got, err := Resolve(text, ids, today)
		_, ok := errors.AsType[*IDError](err)
		assert.True(t, ok, "%q = %q, %v", text, got, err)
	}
}

func FuzzResolve(f *testing.F) {
	for _, text := range []string{"001", "20-001.1", "abc", "", "..", "-", "2026-11-20-001-abc", "é", "\xff", "tw"} {
		f.Add(text, strings.Join(shelf, "\n"))
	}
	f.Add("a", "a\nb\na.1")
	f.Fuzz(func(t *testing.T, text, list string) {
		ids := strings.Split(list, "\n")
		got, err := Resolve(text, ids, today)
		if err == nil {
			assert.SliceContains(t, ids, got, "%q", text)
			return
		}
		if many, ok := errors.AsType[*AmbiguousError](err); ok {
			for _, id := range many.Candidates {
				assert.SliceContains(t, ids, id, "%q offers", text)
			}
			return
		}
		_, bad := errors.AsType[*IDError](err)
		_, missing := errors.AsType[*NotFoundError](err)
		assert.False(t, !bad && !missing, "%q: error %T", text, err)
	})
}

// TestResolve_digits: 1 is 001 of today, also beside ids that end in that digit; of another day only if nothing else has it.
func TestResolve_digits(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 1, 22, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{"1": "2026-01-22-001-x7m", "01": "2026-01-22-001-x7m", "2": "2026-01-22-002-ab1", "12": "2026-01-20-012-abc", "9": "task-9"} {
		got, err := Resolve(text, []string{"2026-01-22-001-x7m", "2026-01-22-002-ab1", "2026-01-20-012-abc", "task-9"}, today)
		assert.Equal(t, want, got, "%s", text)
		assert.NoError(t, err, "%s", text)
	}
	_, err := Resolve("1", []string{"a-001-b", "c-001-d"}, today)
	assert.True(t, errors.As(err, new(*AmbiguousError)), "two of other days: %v", err)
}
