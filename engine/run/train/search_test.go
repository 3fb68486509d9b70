package train

import (
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// TestSearch_finds lets a car that failed behind others find the one that makes it fail, itself too, with as many checks as
// their number can be halved.
func TestSearch_finds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "cars before it")
		cause := rapid.IntRange(0, n).Draw(t, "cause") // n = itself
		var cars []Car
		for i := range n + 1 {
			cars = append(cars, Car{ID: string(rune('a' + i)), Number: i + 1, State: Checking})
		}
		var s search
		s.learn(cars, n, true)
		checks := 0
		for s.low < s.high {
			if !s.isOpen() {
				t.Fatal("it is expected to land while it searches")
			}
			at := s.place(cars, n)
			s.learn(cars, n, cause < at || cause == n)
			checks++
		}
		want := ""
		if cause < n {
			want = cars[cause].ID
		}
		if s.blames != want || s.own != (cause == n) || s.isOpen() != s.own || 1<<checks > 2*(n+1) {
			t.Fatalf("blames %q after %d checks, fails by itself: %v", s.blames, checks, s.own)
		}
	})
}

// TestSearch_ends searches only among cars without a result, and while they stay as they are.
func TestSearch_ends(t *testing.T) {
	t.Parallel()
	begin := func() []Car {
		return []Car{{ID: "a", Number: 1, State: Passed}, {ID: "b", Number: 2, State: Checking}, {ID: "c", Number: 3, State: Waiting}, {ID: "d", Number: 4}}
	}
	for name, c := range map[string]struct {
		change func(cars []Car) []Car
		want   int // where the last is stacked
	}{
		"nothing happens":          {func(cars []Car) []Car { return cars }, 2},
		"the first lands":          {func(cars []Car) []Car { return cars[1:] }, 1},
		"one of them passes":       {func(cars []Car) []Car { cars[1].State = Passed; return cars }, 2},
		"one of them fails":        {func(cars []Car) []Car { cars[1].State = Failed; return cars }, 3},
		"one of them is held":      {func(cars []Car) []Car { cars[2].Stopped = true; return cars }, 3},
		"another has found it":     {func(cars []Car) []Car { cars[1].Blamed = true; return cars }, 3},
		"the next to try has left": {func(cars []Car) []Car { return append(cars[:2], cars[3]) }, 2},
	} {
		cars := begin()
		var s search
		s.learn(cars, 3, true)
		assert.Equal(t, []string{"b", "c"}, ids(s.before), name)
		cars = c.change(cars)
		assert.Equal(t, c.want, s.place(cars, len(cars)-1), name)
	}
	// Behind those that have passed, the fault is its own.
	var s search
	s.learn([]Car{{State: Passed}, {}}, 1, true)
	assert.False(t, s.isOpen())
}

// TestMarkBlamed marks a car until it has a result.
func TestMarkBlamed(t *testing.T) {
	t.Parallel()
	cars := []Car{{ID: "a", Number: 1, State: Checking}, {ID: "b", Number: 2, State: Waiting, Blames: "a"}, {ID: "c", Number: 3, State: Waiting}}
	MarkBlamed(cars)
	_, ok := Ahead(cars, 1)
	assert.False(t, ok)
	c, _ := Ahead(cars, 2)
	assert.Equal(t, "b", c.ID)
	cars[0].State = Passed
	MarkBlamed(cars)
	c, _ = Ahead(cars, 1)
	assert.Equal(t, "a", c.ID)
}
