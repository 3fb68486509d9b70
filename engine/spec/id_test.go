package spec

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

var today = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

func TestParseID_parts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]ID{
		"2026-11-20-001-abc":            {Date: "2026-11-20", Seq: 1, Suffix: "abc"},
		"2026-11-20-00z-0a9":            {Date: "2026-11-20", Seq: 35, Suffix: "0a9"},
		"2026-11-20-010-abc":            {Date: "2026-11-20", Seq: 36, Suffix: "abc"},
		"2026-11-20-1000-abc":           {Date: "2026-11-20", Seq: 36 * 36 * 36, Suffix: "abc"},
		"2026-11-20-001-abc.2":          {Date: "2026-11-20", Seq: 1, Suffix: "abc", Members: []int{2}},
		"2026-11-20-001-abc.10.3.1":     {Date: "2026-11-20", Seq: 1, Suffix: "abc", Members: []int{10, 3, 1}},
		"web-2026-11-20-001-abc":        {Prefix: "web", Date: "2026-11-20", Seq: 1, Suffix: "abc"},
		"my-2-site-2026-11-20-001-abc":  {Prefix: "my-2-site", Date: "2026-11-20", Seq: 1, Suffix: "abc"},
		"2026-01-01-2026-11-20-001-abc": {Prefix: "2026-01-01", Date: "2026-11-20", Seq: 1, Suffix: "abc"},
	} {
		got, err := ParseID(text)
		assert.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, text, got.String())
	}
}

func TestParseID_invalid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "abc", "2026-11-20", "2026-11-20-001", "2026-11-20-01-abc", "2026-11-20-001-ab", "2026-11-20-001-abcd", "2026-11-20-001-ABC",
		"2026-11-20-001-abc.", "2026-11-20-001-abc.x", "2026-11-20-001-abc..1", "2026-11-20-001-abc.1.", "-2026-11-20-001-abc",
		"2026-11-20-001-abc ", "2026-11-20-001-abc\n", "2026-11-20-001-abc.9999999999", "2026-11-20-zzzzzzz-abc", "12026-11-20-001-abc",
	} {
		got, err := ParseID(text)
		bad, ok := errors.AsType[*IDError](err)
		assert.True(t, ok, "%q = %+v, %v", text, got, err)
		assert.Equal(t, text, bad.ID, "%+v %v", got, err)
	}
}

// genID generates ids from few different parts, so that many of them have parts in common.
func genID() *rapid.Generator[ID] {
	return rapid.Custom(func(t *rapid.T) ID {
		return ID{
			Prefix:  rapid.SampledFrom([]string{"", "", "web", "web-1", "web-api"}).Draw(t, "prefix"),
			Date:    rapid.SampledFrom([]string{"2026-11-19", "2026-11-20", "2027-01-01"}).Draw(t, "date"),
			Seq:     rapid.SampledFrom([]int{1, 9, 10, 35, 36, 37, 1295, 46655, 46656}).Draw(t, "seq"),
			Suffix:  rapid.SampledFrom([]string{"abc", "0a9", "zzz"}).Draw(t, "suffix"),
			Members: rapid.SliceOfN(rapid.IntRange(0, 12), 0, 3).Draw(t, "members"),
		}
	})
}

func TestParseID_roundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := genID().Draw(t, "id")
		got, err := ParseID(want.String())
		if len(want.Members) == 0 {
			want.Members = nil
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s = %+v, %v; want %+v", want, got, err, want)
		}
		if err := ValidName(want.String()); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzParseID(f *testing.F) {
	for _, text := range []string{"2026-11-20-001-abc.2.1", "web-2026-11-20-010-0a9", "a\n2026-11-20-001-abc", "2026-11-20-0001-abc.01", "é-2026-11-20-zzzzzz-zzz.999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := ParseID(text)
		if err != nil {
			bad, ok := errors.AsType[*IDError](err)
			assert.True(t, ok, "%q: %v", text, err)
			assert.Equal(t, text, bad.ID, "%v", err)
			return
		}
		again, err := ParseID(id.String())
		assert.NoError(t, err, "%q reads", text)
		assert.Equal(t, id, again, "%q reads", text)
	})
}

func TestNewID_nextOfTheDay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prefix   string
		existing []string
		want     string
	}{
		"first":            {"", nil, "2026-11-20-001-new"},
		"after the last":   {"", []string{"2026-11-20-003-abc", "2026-11-20-001-abc"}, "2026-11-20-004-new"},
		"tenth":            {"", []string{"2026-11-20-009-abc"}, "2026-11-20-010-new"},
		"eleventh":         {"", []string{"2026-11-20-010-abc"}, "2026-11-20-011-new"},
		"twentieth":        {"", []string{"2026-11-20-019-abc"}, "2026-11-20-020-new"},
		"hundredth":        {"", []string{"2026-11-20-099-abc"}, "2026-11-20-100-new"},
		"past three":       {"", []string{"2026-11-20-999-abc"}, "2026-11-20-1000-new"},
		"base 36, 00a":     {"", []string{"2026-11-20-00a-abc"}, "2026-11-20-010-new"},
		"base 36, 00z":     {"", []string{"2026-11-20-00z-abc"}, "2026-11-20-010-new"},
		"base 36, 01a":     {"", []string{"2026-11-20-010-abc", "2026-11-20-01a-abc"}, "2026-11-20-020-new"},
		"base 36, 09z":     {"", []string{"2026-11-20-09z-abc"}, "2026-11-20-100-new"},
		"base 36, 0a5":     {"", []string{"2026-11-20-0a5-abc"}, "2026-11-20-100-new"},
		"base 36, a00":     {"", []string{"2026-11-20-a00-abc"}, "2026-11-20-1000-new"},
		"base 36, zzz":     {"", []string{"2026-11-20-zzz-abc"}, "2026-11-20-1000-new"},
		"members count":    {"", []string{"2026-11-20-002-abc.7"}, "2026-11-20-003-new"},
		"other days":       {"", []string{"2026-11-19-009-abc", "2026-12-20-009-abc"}, "2026-11-20-001-new"},
		"other prefixes":   {"", []string{"web-2026-11-20-009-abc"}, "2026-11-20-001-new"},
		"its own prefix":   {"web", []string{"web-2026-11-20-009-abc", "2026-11-20-00a-abc"}, "web-2026-11-20-010-new"},
		"names of no form": {"", []string{"2026-11-20", "2026-11-20-notes", "readme"}, "2026-11-20-001-new"},
	} {
		assert.Equal(t, c.want, NewID(today, c.prefix, "new", c.existing).String(), "%s", name)
	}
}

// Whatever ids a day has, the next id uses digits only, is new and sorts after all of them.
func TestNewID_neverCollides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.OneOf(rapid.StringMatching(`[0-9a-z]{3}`), rapid.StringMatching(`0[0-9]{2}`), rapid.StringMatching(`[0-9]{4}`))
		var ids []string
		for _, seq := range rapid.SliceOfN(form, 0, 8).Draw(t, "existing") {
			ids = append(ids, "2026-11-20-"+seq+"-new")
		}
		for range 15 {
			next := NewID(today, "", "new", ids).String()
			if seq := next[len("2026-11-20-") : len(next)-len("-new")]; strings.Trim(seq, "0123456789") != "" {
				t.Fatalf("%s is not written in digits", next)
			}
			for _, id := range ids {
				if Compare(id, next) >= 0 {
					t.Fatalf("%s does not sort after %s", next, id)
				}
			}
			ids = append(ids, next)
		}
	})
}

func TestNextMember_afterTheHighest(t *testing.T) {
	t.Parallel()
	for want, existing := range map[string][]string{
		"d.1":  nil,
		"d.2":  {"d", "d.1"},
		"d.11": {"d.10", "d.9"},
		"d.4":  {"d.3.7", "dd.8", "d.x"},
	} {
		assert.Equal(t, want, NextMember("d", existing), "after %v", existing)
	}
	assert.Equal(t, "d.3.2", NextMember("d.3", []string{"d.3.1", "d.4"}))
}

func TestParent_oneLevelUp(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"d.2": "d", "d.2.1": "d.2", "d": "", "d.": "", "d.x": "", ".5": "", "d.2x": "", "v1.x.3": "v1.x"} {
		got, ok := Parent(id)
		assert.Equal(t, want, got, "%q", id)
		assert.Equal(t, want != "", ok, "%q", id)
	}
}

func TestMemberOf_atEveryDepth(t *testing.T) {
	t.Parallel()
	for pair, want := range map[string]bool{
		"d.1 d": true, "d.2.1 d": true, "d.2.1 d.2": true, "d.20.1 d.2": false, "d d": false, "d d.1": false, "dd.1 d": false, "d.x d": false,
	} {
		id, driver, _ := strings.Cut(pair, " ")
		assert.Equal(t, want, MemberOf(id, driver), "MemberOf(%q, %q)", id, driver)
	}
}

func TestValidName_refusals(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"", "..", "../x", "a/b", `a\b`, "-x", ".hidden", "a..b", "a.", "x.lock", "a b", "a\tb", "a\x00b", "a\x7fb", "a\u0085b",
		"a@{1}", "@", "a~1", "a^", "a:b", "a*", "a?", "a[b]", `a"b`, "a|b", "<a>", strings.Repeat("é", 101),
	} {
		_, ok := errors.AsType[*IDError](ValidName(id))
		assert.True(t, ok, "%q may be a name", id)
	}
	for _, id := range []string{"a", "2026-11-20-001-abc", "2026-11-20-001-abc.2.1", "web-2026-11-20-001-abc", "répare-ça", "#1", strings.Repeat("a", 200)} {
		assert.NoError(t, ValidName(id), "%q", id)
	}
	assert.NotContains(t, ValidName("x"+strings.Repeat("é", 101)).Error(), `\x`, "a letter is cut in two")
}

func TestCompare_order(t *testing.T) {
	t.Parallel()
	want := []string{
		"2026-11-19-zzz-zzz",
		"2026-11-20-001-abc",
		"2026-11-20-001-abc.1",
		"2026-11-20-001-abc.2",
		"2026-11-20-001-abc.2.1",
		"2026-11-20-001-abc.2.10",
		"2026-11-20-001-abc.3",
		"2026-11-20-001-abc.10",
		"2026-11-20-001-abd",
		"2026-11-20-00z-abc",
		"2026-11-20-010-abc", // the 10th of the day, or the 36th of an older chant
		"2026-11-20-zzz-abc",
		"2026-11-20-1000-abc",
		"2026-11-21-001-abc",
		"web-2026-11-20-001-abc",
		"web-1-2026-11-19-001-abc",
		// names without the form of an id come last, by their text
		"README",
		"implements-the-thing", // as long as an id, but no day in it
		"notes",
		"notes.2",
		"notes.10",
		"notes-x",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Compare)
	for i := range want {
		assert.Equal(t, want[i], got[i], "place %d has %v", i, got)
	}
}

func TestCompare_totalOrder(t *testing.T) {
	t.Parallel()
	odd := rapid.SampledFrom([]string{"", "a", "a.1", "a.2", "a.10", "a.02", "-", "2026-11-20", "2026-11-20-001", "2026-11-20-001-abc.02", "2026-11-20-1-abc", "x2026-11-20-001-abc", "2026-11-20-+1-abc", "2026-11-20-!-abc", "implements-the-thing", "2026-11-20-001-abc.99999999999999999999"})
	text := rapid.OneOf(odd, rapid.Map(genID(), ID.String), rapid.StringMatching(`(20[0-9]{2}-11-20-)?[0-9a-z]{1,3}-[a-z]{3}(\.[0-9]{1,2}){0,2}`))
	sign := func(a, b string) int { return max(-1, min(1, Compare(a, b))) }
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c")
		if (sign(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q compare as %d", a, b, sign(a, b))
		}
		if sign(a, b) != -sign(b, a) {
			t.Fatalf("%q and %q are not antisymmetric", a, b)
		}
		if sign(a, b) <= 0 && sign(b, c) <= 0 && sign(a, c) > 0 {
			t.Fatalf("%q <= %q <= %q, but not the first and the last", a, b, c)
		}
		if MemberOf(a, b) && sign(b, a) >= 0 {
			t.Fatalf("the driver %q does not sort before its member %q", b, a)
		}
	})
}

// TestSortIDs_asCompare: ids whose bytes are compared have the order of Compare too.
func TestSortIDs_asCompare(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{"2026-01-02-001-abc", "2026-01-02-00a-abc", "2026-01-02-001-abd", "2026-01-03-001-0zz", "p-2026-01-02-001-abc", "2026-01-02-1000-abc", "name", "2026-01-02-001-abc.", "2026-01-02-001-Abc"})
	rapid.Check(t, func(t *rapid.T) {
		var ids []string
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			id := part.Draw(t, "stem")
			for range rapid.IntRange(0, 2).Draw(t, "depth") {
				id += "." + rapid.SampledFrom([]string{"1", "2", "9", "10", "0", "x"}).Draw(t, "member")
			}
			ids = append(ids, id)
		}
		if rapid.Bool().Draw(t, "sorted") {
			slices.Sort(ids)
		}
		want := slices.SortedStableFunc(slices.Values(ids), Compare)
		if SortIDs(ids); !slices.Equal(ids, want) {
			t.Fatalf("%q, want %q", ids, want)
		}
	})
}
