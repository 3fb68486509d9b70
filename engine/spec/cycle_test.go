package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestCycles_named(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"none":                      {[]string{"a: depends_on: b", "b:", "c: depends_on: [a, b]"}, nil},
		"of itself":                 {[]string{"a: depends_on: a"}, []string{"a a"}},
		"of two":                    {[]string{"a: depends_on: b", "b: depends_on: a"}, []string{"a b a"}},
		"of three":                  {[]string{"c: depends_on: a", "a: depends_on: b", "b: depends_on: c"}, []string{"a b c a"}},
		"entered from outside":      {[]string{"a: depends_on: b", "b: depends_on: c", "c: depends_on: b"}, []string{"b c b"}},
		"two apart":                 {[]string{"a: depends_on: b", "b: depends_on: a", "x: depends_on: y", "y: depends_on: x"}, []string{"a b a", "x y x"}},
		"two that share":            {[]string{"a: depends_on: [b, c]", "b: depends_on: a", "c: depends_on: a"}, []string{"a b a", "a c a"}},
		"a member on its driver":    {[]string{"d: type: driver", "d.1: depends_on: d"}, []string{"d d.1 d"}},
		"via the driver's members":  {[]string{"d: type: driver", "d.1: depends_on: x", "x: depends_on: d"}, []string{"d d.1 x d"}},
		"via what the driver needs": {[]string{"d: type: driver; depends_on: x", "d.1:", "x: depends_on: d.1"}, []string{"d.1 x d.1"}},
		"against the order":         {[]string{"d: type: driver", "d.1: depends_on: d.2", "d.2:"}, []string{"d.1 d.2 d.1"}},
		"driver on its members":     {[]string{"d: type: driver; depends_on: [d.1]", "d.1:"}, nil},
		"its own member":            {[]string{"d: type: group; members: [d]"}, []string{"d d"}},
		"members of each other":     {[]string{"d: members: [e]", "e: members: [d]"}, []string{"d e d"}},
		"a cancelled one breaks it": {[]string{"a: depends_on: b; status: cancelled", "b: depends_on: a"}, nil},
		"a landed one breaks it":    {[]string{"a: depends_on: b", "b: depends_on: a; status: completed"}, nil},
		"what is missing is none":   {[]string{"a: depends_on: none"}, nil},
	} {
		var got []string
		for _, cycle := range graph(t, c.lines...).Cycles() {
			got = append(got, strings.Join(cycle, " "))
		}
		assert.Equal(t, c.want, got, "%s", name)
	}
}

func TestBlockers_cycleIsNamed(t *testing.T) {
	t.Parallel()
	g := graph(t, "a: depends_on: b", "b: depends_on: a", "x: depends_on: a", "s: depends_on: s")
	for id, want := range map[string]string{
		"a": "a cycle a -> b -> a, b pending",
		"b": "b cycle a -> b -> a, a pending",
		"x": "a pending",
		"s": "s cycle s -> s",
	} {
		got := blockers(g, id)
		assert.Equal(t, want, got)
		assert.False(t, g.Ready(id), "%s waits for %q, want %q", id, got, want)
	}
}

func TestCycles_bigOnesEnd(t *testing.T) {
	t.Parallel()
	const n = 5000
	ring := make([]string, n)
	for i := range n {
		ring[i] = fmt.Sprintf("%04d: depends_on: \"%04d\"", i, (i+1)%n)
	}
	all := graph(t, ring...).Cycles()
	assert.Equal(t, 1, len(all))
	assert.Equal(t, n+1, len(all[0]))

	const m = 100 // everyone waits for everyone: more circles than could ever be listed
	var names, knot []string
	for i := range m {
		names = append(names, fmt.Sprintf("k%03d", i))
	}
	for _, id := range names {
		knot = append(knot, id+": depends_on: ["+strings.Join(names, ", ")+"]")
	}
	g := graph(t, knot...)
	all = g.Cycles()
	assert.NotEqual(t, 0, len(all))
	assert.True(t, len(all) <= m, "%d circles in a knot", len(all))
	for _, id := range names {
		assert.Contains(t, blockers(g, id), "cycle ", "%s is not seen to be in a circle", id)
	}
}
