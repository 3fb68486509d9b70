package train

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// TestBatches divides cars that fill a machine of two processors.
func TestBatches(t *testing.T) {
	t.Parallel()
	car := func(id string, state State, batch ...string) member {
		return member{Car{ID: id, State: state, Load: 2}, batch}
	}
	a, b, c, d, e := car("a", Waiting), car("b", Waiting), car("c", Waiting), car("d", Waiting), car("e", Waiting)
	light := member{Car: Car{ID: "light", State: Waiting, Load: 1}}
	failed := car("d", Failed, "a", "b", "c", "d")
	for name, test := range map[string]struct {
		cars []member
		size int
		want [][]int
	}{
		"nobody":                         {nil, 0, nil},
		"all that fill the machine":      {[]member{a, b, c}, 0, [][]int{{0, 1, 2}}},
		"no more than there may be":      {[]member{a, b, c, d, e}, 2, [][]int{{0, 1}, {2, 3}, {4}}},
		"each by itself":                 {[]member{a, b}, 1, [][]int{{0}, {1}}},
		"what leaves room for others":    {[]member{a, b, light, light, c}, 0, [][]int{{0, 1}, {2}, {3}, {4}}},
		"that as well with a number":     {[]member{a, light, b}, 3, [][]int{{0, 1, 2}}},
		"not what is held or ejected":    {[]member{a, {Car: Car{Stopped: true}}, {Car: Car{Ejected: true}}, b}, 0, [][]int{{0, 3}}},
		"one under way, then the others": {[]member{car("a", Checking, "a"), b, c}, 0, [][]int{{0}, {1, 2}}},
		"a batch under way":              {[]member{a, car("b", Checking, "a", "b"), c, d}, 4, [][]int{{0, 1}, {2, 3}}},
		"a batch that has passed":        {[]member{a, car("b", Passed, "a", "b"), c}, 1, [][]int{{0, 1}, {2}}},
		"a batch with another in it":     {[]member{a, e, car("b", Checking, "a", "b"), c}, 4, [][]int{{0, 1, 2, 3}}},
		"two that overlap":               {[]member{a, car("b", Checking, "a", "b"), car("c", Checking, "b", "c"), d}, 4, [][]int{{0, 1}, {2, 3}}},
		"halves of one that failed":      {[]member{a, b, c, failed, e}, 4, [][]int{{0, 1}, {2}, {4}}},
		"after its first half":           {[]member{c, failed, e}, 4, [][]int{{0}, {2}}},
		"its first half failed too":      {[]member{a, car("b", Failed, "a", "b"), c, d, e}, 4, [][]int{{0}, {2, 3, 4}}},
		"its last is the one":            {[]member{failed, e}, 4, [][]int{{1}}},
		"behind one that failed":         {[]member{a, car("b", Failed, "b"), c, d}, 4, [][]int{{0}, {2, 3}}},
	} {
		assert.Equal(t, test.want, batches(test.cars, test.size, 2), name)
	}
}

// TestBatches_properties holds for any cars: each that is expected to land is in one batch, in order.
func TestBatches_properties(t *testing.T) {
	t.Parallel()
	name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
	car := rapid.Custom(func(t *rapid.T) member {
		return member{Car: Car{
			State:   rapid.SampledFrom([]State{Waiting, Checking, Passed, Failed, Landing}).Draw(t, "state"),
			Load:    rapid.Float64Range(0, 3).Draw(t, "load"),
			Stopped: rapid.Bool().Draw(t, "stopped"),
		}, Batch: rapid.SliceOfN(name, 0, 4).Draw(t, "batch")}
	})
	rapid.Check(t, func(t *rapid.T) {
		cars := rapid.SliceOfN(car, 0, 5).Draw(t, "cars")
		var want []int
		for i := range cars {
			if cars[i].ID = string(rune('a' + i)); !cars[i].Stopped && cars[i].State != Failed {
				want = append(want, i)
			}
		}
		size := rapid.IntRange(0, 4).Draw(t, "size")
		divided := batches(cars, size, 2)
		if got := slices.Concat(divided...); !slices.Equal(got, want) {
			t.Fatalf("got %v of %+v, want %v", divided, cars, want)
		}
		for _, b := range divided {
			if last := cars[b[len(b)-1]]; len(b) > max(size, len(last.Batch)) && size > 0 {
				t.Fatalf("%v of %+v has more than %d", b, cars, size)
			}
		}
	})
}

// TestBatches_bisect lets a batch with bad ones land all others. Each bad one costs as many checks as the batch can be
// halved, and one of what is behind it.
func TestBatches_bisect(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(2, 16).Draw(t, "size")
		bad := rapid.SliceOfNDistinct(rapid.IntRange(1, size), 0, 3, rapid.ID[int]).Draw(t, "bad")
		// The first is checked while the others arrive.
		queue := make([]change, size+1)
		var want []int
		for i := range queue {
			queue[i] = change{seconds: 60, arrives: float64(i), bad: slices.Contains(bad, i), with: -1, content: 1 << i}
			if !queue[i].bad {
				want = append(want, i)
			}
		}
		got := simulate(workload{load: 2, slots: 2}, policy{batch: size}, queue)
		if !slices.Equal(got.landed, want) {
			t.Fatalf("landed %v, want %v", got.landed, want)
		}
		if most := 2 + len(bad)*(bits.Len(uint(size-1))+1); got.checks > most {
			t.Fatalf("%d checks of %d with %v bad, want at most %d", got.checks, size, bad, most)
		}
	})
}
