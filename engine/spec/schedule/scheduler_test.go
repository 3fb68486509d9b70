package schedule

import (
	"slices"
	"testing"

	"chant/engine/spec"

	"pgregory.net/rapid"
)

// TestOrder sorts by what was named first, then by priority, depth and id, in the order
// of ids and not of letters.
func TestOrder(t *testing.T) {
	t.Parallel()
	want := []Task{
		{ID: "2026-01-02-009-abc", Rank: 0, Priority: 3, Depth: 9},
		{ID: "2026-01-02-008-abc", Rank: 1, Priority: 0, Depth: 9},
		{ID: "2026-01-02-007-abc", Rank: 1, Priority: 2, Depth: 0},
		{ID: "2026-01-02-00z-abc", Rank: 1, Priority: 2, Depth: 0},
		{ID: "2026-01-02-010-abc", Rank: 1, Priority: 2, Depth: 0},
		{ID: "2026-01-02-001-abc.2", Rank: 1, Priority: 2, Depth: 1},
		{ID: "2026-01-02-001-abc.10", Rank: 1, Priority: 2, Depth: 1},
		{ID: "2026-01-02-000-abc", Rank: 1, Priority: 2, Depth: 2},
		{ID: "2026-01-01-000-abc", Rank: 1, Priority: 3, Depth: 0},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	Order(got)
	for i := range want {
		if got[i].ID != want[i].ID {
			t.Errorf("place %d has %s, want %s", i, got[i].ID, want[i].ID)
		}
	}
}

func TestOrder_keepsAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tasks := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Task {
			small := rapid.IntRange(0, 2)
			return Task{ID: rapid.StringMatching(`[a-c]{1,2}`).Draw(t, "id"), Rank: small.Draw(t, "rank"), Priority: small.Draw(t, "priority"), Depth: small.Draw(t, "depth")}
		})).Draw(t, "tasks")
		sorted := slices.Clone(tasks)
		Order(sorted)
		count := map[string]int{}
		for i := range tasks {
			count[tasks[i].ID]++
			count[sorted[i].ID]--
		}
		for id, n := range count {
			if n != 0 {
				t.Fatalf("%q is %d times too few", id, n)
			}
		}
		for i := 1; i < len(sorted); i++ {
			a, b := sorted[i-1], sorted[i]
			before := [4]int{a.Rank - b.Rank, a.Priority - b.Priority, a.Depth - b.Depth, spec.Compare(a.ID, b.ID)}
			if first := slices.IndexFunc(before[:], func(d int) bool { return d != 0 }); first >= 0 && before[first] > 0 {
				t.Fatalf("%+v precedes %+v", a, b)
			}
		}
	})
}
