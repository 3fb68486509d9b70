package train

import (
	"slices"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

func ids(cars []Car) (out []string) {
	for _, c := range cars {
		out = append(out, c.ID)
	}
	return out
}

// TestOrder sorts what lands first, then by a person's order, priority, arrival and place.
func TestOrder(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	cars := []Car{
		{ID: "late", Priority: 2, Since: at.Add(3 * time.Second), Number: 4},
		{ID: "urgent", Priority: 0, Since: at.Add(2 * time.Second), Number: 3},
		{ID: "early", Priority: 2, Since: at, Number: 1},
		{ID: "same", Priority: 2, Since: at, Number: 2},
		{ID: "first", Priority: 4, Since: at.Add(time.Hour), Number: 5, First: at},
		{ID: "firster", Priority: 4, Since: at.Add(time.Hour), Number: 6, First: at.Add(time.Second)},
	}
	got := append(slices.Clone(cars), Car{ID: "landing", Priority: 4, Since: at.Add(time.Hour), Number: 7, State: Landing})
	Order(got)
	assert.Equal(t, []string{"landing", "firster", "first", "urgent", "early", "same", "late"}, ids(got))
}

// TestAhead passes over those that are not expected to land.
func TestAhead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before []Car
		want   string
		front  bool
	}{
		"nobody":      {nil, "", true},
		"one":         {[]Car{{ID: "a"}}, "a", false},
		"a failed":    {[]Car{{ID: "a"}, {ID: "b", State: Failed}}, "a", false},
		"it leaves":   {[]Car{{ID: "a"}, {ID: "b", State: Landing, Why: "it fails"}}, "a", false},
		"only failed": {[]Car{{ID: "b", State: Failed}}, "", false},
		"a held":      {[]Car{{ID: "b", State: Held, Stopped: true}}, "", true},
		"ejected":     {[]Car{{ID: "a"}, {ID: "b", Ejected: true}}, "a", false},
		// Its process can be stopped, and never leave.
		"an ejected": {[]Car{{ID: "b", Ejected: true}}, "", true},
	} {
		cars := append(c.before, Car{ID: "me"})
		got, ok := Ahead(cars, len(cars)-1)
		assert.Equal(t, c.want, got.ID, name)
		assert.Equal(t, c.want != "", ok, name)
		assert.Equal(t, c.front, IsFront(cars, len(cars)-1), name)
	}
}

// TestHasRoom checks as many at once as there is room for: two processors.
func TestHasRoom(t *testing.T) {
	t.Parallel()
	busy := func(state State, loads ...float64) (out []Car) {
		for _, l := range loads {
			out = append(out, Car{State: state, Load: l})
		}
		return out
	}
	for name, c := range map[string]struct {
		before []Car
		load   float64
		width  int
		want   bool
	}{
		"the first fills the machine":           {nil, 2, 0, true},
		"behind one that fills it":              {busy(Checking, 2), 0.1, 0, false},
		"one that fills it behind another":      {busy(Checking, 0.5), 1.9, 0, false},
		"two of one processor":                  {busy(Checking, 1), 1, 0, true},
		"two that nearly do not fit":            {busy(Checking, 1.2), 1.2, 0, true},
		"three of one processor":                {busy(Checking, 1, 1), 1, 0, false},
		"many that wait for something":          {busy(Checking, .01, .01, .01, .01, .01, .01, .01), .01, 0, true},
		"behind those that have passed":         {busy(Passed, 2, 2, 2), 2, 0, true},
		"behind those that failed":              {busy(Failed, 2, 2), 2, 0, true},
		"a width of one":                        {busy(Checking, .01), .01, 1, false},
		"a width of two":                        {busy(Checking, 2), 2, 2, true},
		"a width of two, third":                 {busy(Passed, .01, .01), .01, 2, false},
		"a width of two, third behind a failed": {append(busy(Failed, .01), busy(Checking, .01)...), .01, 2, true},
	} {
		cars := append(c.before, Car{Load: c.load, State: Waiting})
		assert.Equal(t, c.want, HasRoom(cars, len(cars)-1, c.width, 2), name)
	}
}

// TestHasRoom_properties holds for any train: the front always has room, a width is kept, and a train without a width has
// at least two checks unless one fills the machine.
func TestHasRoom_properties(t *testing.T) {
	t.Parallel()
	car := rapid.Custom(func(t *rapid.T) Car {
		return Car{
			State: rapid.SampledFrom([]State{Waiting, Checking, Passed, Failed}).Draw(t, "state"),
			Load:  rapid.Float64Range(0, 3).Draw(t, "load"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		cars := rapid.SliceOfN(car, 1, 12).Draw(t, "cars")
		width := rapid.IntRange(0, 4).Draw(t, "width")
		ahead := 0
		for i, c := range cars {
			got := HasRoom(cars, i, width, 2)
			if ahead == 0 && !got || width > 0 && got != (ahead < width) {
				t.Fatalf("car %d of %+v: %v", i, cars, got)
			}
			if width == 0 && ahead == 1 && !got && c.Load < filled*2 && !slices.ContainsFunc(cars[:i], func(c Car) bool { return c.Load >= filled*2 }) {
				t.Fatalf("the second is not checked: %+v", cars)
			}
			if c.State != Failed {
				ahead++
			}
		}
	})
}

// TestExpected adds up what is before a car, as far as it does not run at the same time.
func TestExpected(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	seconds := func(cars []Car, width int) (out []int) {
		for _, at := range Expected(cars, width, 2, now) {
			if at.IsZero() {
				out = append(out, -1)
				continue
			}
			out = append(out, int(at.Sub(now).Seconds()))
		}
		return out
	}
	waits := Car{State: Waiting, Seconds: 10, Load: 0.01}
	fills := Car{State: Waiting, Seconds: 10, Load: 2}
	begun := Car{State: Checking, Seconds: 10, Load: 2, Began: now.Add(-4 * time.Second)}
	held := Car{State: Held, Stopped: true, Seconds: 10}
	assert.Equal(t, []int{10, 10, 10}, seconds([]Car{waits, waits, waits}, 0))
	assert.Equal(t, []int{10, 20, 30}, seconds([]Car{fills, fills, fills}, 0))
	assert.Equal(t, []int{6, -1, 16}, seconds([]Car{begun, held, fills}, 0))
	assert.Equal(t, []int{10, 10, 20}, seconds([]Car{waits, waits, waits}, 2))
	assert.Equal(t, []int{0, 10}, seconds([]Car{{State: Passed, Seconds: 10, Load: 2}, fills}, 0))
}
