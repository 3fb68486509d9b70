package spec

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

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
		if err != nil || !reflect.DeepEqual(got, want) || got.String() != text {
			t.Errorf("%q = %+v (%s), %v", text, got, got, err)
		}
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
		if bad, ok := errors.AsType[*IDError](err); !ok || bad.ID != text {
			t.Errorf("%q = %+v, %v", text, got, err)
		}
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
			if bad, ok := errors.AsType[*IDError](err); !ok || bad.ID != text {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := ParseID(id.String())
		if err != nil || !reflect.DeepEqual(again, id) {
			t.Fatalf("%q reads as %+v, printed and read again as %+v, %v", text, id, again, err)
		}
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
		if got := NewID(today, c.prefix, "new", c.existing).String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
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
		if got := NextMember("d", existing); got != want {
			t.Errorf("after %v: %s, want %s", existing, got, want)
		}
	}
	if got := NextMember("d.3", []string{"d.3.1", "d.4"}); got != "d.3.2" {
		t.Errorf("nested: %s", got)
	}
}

func TestParent_oneLevelUp(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"d.2": "d", "d.2.1": "d.2", "d": "", "d.": "", "d.x": "", ".5": "", "d.2x": "", "v1.x.3": "v1.x"} {
		if got, ok := Parent(id); got != want || ok != (want != "") {
			t.Errorf("%q = %q, %v; want %q", id, got, ok, want)
		}
	}
}

func TestMemberOf_atEveryDepth(t *testing.T) {
	t.Parallel()
	for pair, want := range map[string]bool{
		"d.1 d": true, "d.2.1 d": true, "d.2.1 d.2": true, "d.20.1 d.2": false, "d d": false, "d d.1": false, "dd.1 d": false, "d.x d": false,
	} {
		id, driver, _ := strings.Cut(pair, " ")
		if got := MemberOf(id, driver); got != want {
			t.Errorf("MemberOf(%q, %q) = %v", id, driver, got)
		}
	}
}

func TestValidName_refusals(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"", "..", "../x", "a/b", `a\b`, "-x", ".hidden", "a..b", "a.", "x.lock", "a b", "a\tb", "a\x00b", "a\x7fb", "a\u0085b",
		"a@{1}", "@", "a~1", "a^", "a:b", "a*", "a?", "a[b]", `a"b`, "a|b", "<a>", strings.Repeat("é", 101),
	} {
		if _, ok := errors.AsType[*IDError](ValidName(id)); !ok {
			t.Errorf("%q may be a name", id)
		}
	}
	for _, id := range []string{"a", "2026-11-20-001-abc", "2026-11-20-001-abc.2.1", "web-2026-11-20-001-abc", "répare-ça", "#1", strings.Repeat("a", 200)} {
		if err := ValidName(id); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	if text := ValidName("x" + strings.Repeat("é", 101)).Error(); strings.Contains(text, `\x`) {
		t.Errorf("a letter is cut in two: %s", text)
	}
}
