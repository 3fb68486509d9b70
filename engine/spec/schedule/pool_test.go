package schedule

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// at returns a time, counted from the beginning of a test.
func at(d time.Duration) time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC).Add(d) }

// TestParseRotation: both spellings of round-robin are accepted.
func TestParseRotation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Rotation{
		"": None, "none": None, "round_robin": RoundRobin, "round-robin": RoundRobin,
		"random": Random, "least_loaded": LeastLoaded, "least-loaded": LeastLoaded,
	} {
		got, err := ParseRotation(text)
		assert.Equal(t, want, got, "%q", text)
		assert.NoError(t, err, "%q", text)
	}
	_, err := ParseRotation("robin")
	assert.Error(t, err, "an unknown rotation is taken")
}

// taken returns the names of the agents that a pool returns, one after the other.
func taken(p *Pool, n int) []string {
	var names []string
	for range n {
		if a, _, ok := p.Take("", at(0)); ok {
			names = append(names, a.Name)
		}
	}
	return names
}

func TestPool_rotations(t *testing.T) {
	t.Parallel()
	agents := []Agent{{Name: "a", Provider: "x", Max: 3, Weight: 2}, {Name: "b", Provider: "y", Weight: 1}}
	zero := func(int) int { return 0 }
	last := func(n int) int { return n - 1 }
	for name, tc := range map[string]struct {
		rotation Rotation
		random   func(int) int
		want     []string
	}{
		"none":         {None, zero, []string{"a", "a", "a", "b", "b"}},
		"round robin":  {RoundRobin, zero, []string{"a", "a", "b", "a", "b"}},
		"random low":   {Random, zero, []string{"a", "a", "a", "b", "b"}},
		"random high":  {Random, last, []string{"b", "b", "b", "b", "b"}},
		"least loaded": {LeastLoaded, zero, []string{"a", "b", "a", "a", "b"}},
	} {
		assert.Equal(t, tc.want, taken(NewPool(agents, tc.rotation, tc.random), 5), "%s", name)
	}
}

// TestPool_provider: a spec that names a provider gets that one, whether it is in the pool
// or not.
func TestPool_provider(t *testing.T) {
	t.Parallel()
	p := NewPool([]Agent{{Name: "a", Provider: "x", Max: 1}, {Name: "b", Provider: "y"}}, None, nil)
	for _, want := range []string{"b", "b"} {
		a, _, ok := p.Take("y", at(0))
		assert.True(t, ok, "got %+v, %v", a, ok)
		assert.Equal(t, want, a.Name)
	}
	a, _, ok := p.Take("a", at(0))
	assert.True(t, ok, "by name: got %+v, %v", a, ok)
	assert.Equal(t, "x", a.Provider)
	_, wait, ok := p.Take("x", at(0))
	assert.False(t, ok, "a full agent: %v, %s", ok, wait)
	assert.Equal(t, 0, wait, "a full agent")
	a, _, ok = p.Take("z", at(0))
	assert.True(t, ok, "an agent that is in no pool: %+v, %v", a, ok)
	assert.Equal(t, "z", a.Provider, "an agent that is in no pool")
}

func TestPool_postponed(t *testing.T) {
	t.Parallel()
	p := NewPool([]Agent{{Name: "a", Provider: "x"}, {Name: "b", Provider: "x", Max: 1}}, None, nil)
	taken(p, 1)
	p.GiveBack("a", at(time.Minute), "rate limited")
	assert.Equal(t, []string{"b"}, taken(p, 2))
	_, wait, ok := p.Take("", at(20*time.Second))
	assert.False(t, ok, "taken %v, wait %s, want 40s", ok, wait)
	assert.Equal(t, 40*time.Second, wait)
	a, _, ok := p.Take("", at(time.Minute))
	assert.True(t, ok, "at its time: %+v, %v", a, ok)
	assert.Equal(t, "a", a.Name, "at its time")
}

// TestPool_limits: in any order of taking and giving back, no agent exceeds its limit, and
// an agent is free whenever one is below its limit and not postponed.
func TestPool_limits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var agents []Agent
		for _, name := range []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "agents")] {
			agents = append(agents, Agent{
				Name: name, Provider: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "provider"),
				Max: rapid.IntRange(0, 3).Draw(t, "max"), Weight: rapid.IntRange(0, 3).Draw(t, "weight"),
			})
		}
		rotation := rapid.SampledFrom([]Rotation{None, RoundRobin, Random, LeastLoaded}).Draw(t, "rotation")
		p := NewPool(agents, rotation, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "random") })
		now, running, until := at(0), map[string]int{}, map[string]time.Time{}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"take", "give", "later"}).Draw(t, "step") {
			case "take":
				provider := rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "wanted")
				fits := func(a Agent) bool { return provider == "" || a.Provider == provider }
				free := slices.ContainsFunc(agents, func(a Agent) bool {
					return fits(a) && !until[a.Name].After(now) && (a.Max == 0 || running[a.Name] < a.Max)
				})
				if !slices.ContainsFunc(agents, fits) { // it is demanded of the one of its name
					free = !until[provider].After(now)
				}
				a, wait, ok := p.Take(provider, now)
				if ok != free || wait < 0 || ok && wait != 0 {
					t.Fatalf("taken %v, free %v, wait %s", ok, free, wait)
				}
				if ok {
					running[a.Name]++
				}
				if until[a.Name].After(now) || !fits(a) && ok {
					t.Fatalf("%q of %q taken for %q, put off until %s", a.Name, a.Provider, provider, until[a.Name])
				}
				if a.Max > 0 && running[a.Name] > a.Max {
					t.Fatalf("%q has %d runs, its limit is %d", a.Name, running[a.Name], a.Max)
				}
			case "give":
				for _, name := range slices.Sorted(maps.Keys(running)) {
					if running[name] == 0 || !rapid.Bool().Draw(t, "this one") {
						continue
					}
					back := now.Add(time.Duration(rapid.IntRange(-5, 5).Draw(t, "until")) * time.Second)
					p.GiveBack(name, back, "")
					running[name]--
					if back.After(until[name]) {
						until[name] = back
					}
				}
			case "later":
				now = now.Add(time.Duration(rapid.IntRange(-2, 5).Draw(t, "seconds")) * time.Second)
			}
		}
	})
}
