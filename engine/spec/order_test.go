package spec

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

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
		if got[i] != want[i] {
			t.Fatalf("place %d has %s, want %s\n%v", i, got[i], want[i], got)
		}
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
