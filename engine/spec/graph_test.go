package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// graph builds a graph from lines "id: front matter; front matter". A completed spec has landed unless its line
// contains "away".
func graph(t testing.TB, lines ...string) *Graph {
	t.Helper()
	var all []*File
	for _, line := range lines {
		id, front, _ := strings.Cut(line, ":")
		front, away := strings.CutSuffix(front, "; away")
		s := read(t, id, strings.ReplaceAll(strings.TrimSpace(front), "; ", "\n"), "# T\n")
		s.Landed = s.Landed && !away
		all = append(all, s)
	}
	return GraphOf(all, []string{"gone"})
}

// blockers lists what id waits for, each as "id why".
func blockers(g *Graph, id string) string {
	var out []string
	for _, b := range g.Blockers(id) {
		out = append(out, b.ID+" "+b.Why)
	}
	return strings.Join(out, ", ")
}

func TestBlockers_dependencies(t *testing.T) {
	t.Parallel()
	g := graph(t,
		"p: status: pending", "i: status: in_progress", "z: status: paused", "f: status: failed", "n: status: needs_attention",
		"x: status: cancelled", "c: status: completed", "away: status: completed; away",
		"on-p: depends_on: p", "on-i: depends_on: i", "on-z: depends_on: z", "on-f: depends_on: f", "on-n: depends_on: n",
		"on-x: depends_on: x", "on-c: depends_on: c", "on-away: depends_on: away", "on-gone: depends_on: gone", "on-none: depends_on: none",
		"on-all: depends_on: [c, p, gone, f, p]",
	)
	for id, want := range map[string]string{
		"p": "", "on-p": "p pending", "on-i": "i in_progress", "on-z": "z paused", "on-f": "f failed", "on-n": "n needs_attention",
		"on-x": "", "on-c": "", "on-away": "away not landed", "on-gone": "", "on-none": "none missing", "on-all": "p pending, f failed",
		"nobody": "nobody missing",
	} {
		assert.Equal(t, want, blockers(g, id), "%s waits for", id)
		if s := g.Spec(id); s != nil && (g.Ready(id) != (want == "") || g.Blocked(id) != (want != "")) {
			t.Errorf("%s: ready %v, blocked %v", id, g.Ready(id), g.Blocked(id))
		}
	}
	for _, id := range []string{"i", "z", "f", "n", "x", "c", "nobody"} {
		if g.Ready(id) || g.Blocked(id) {
			t.Errorf("%s is not pending, but ready %v, blocked %v", id, g.Ready(id), g.Blocked(id))
		}
	}
}

func TestBlockers_siblings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		id    string
		want  string
	}{
		"the lower ones, in order": {[]string{"d: type: driver", "d.1:", "d.2: status: failed", "d.10:", "d.11:"}, "d.10", "d.1 pending, d.2 failed"},
		"not the higher ones":      {[]string{"d: type: driver", "d.1:", "d.2:"}, "d.1", ""},
		"explicitly others":        {[]string{"d: type: driver", "d.1:", "d.2:", "d.3: depends_on: [d.1]"}, "d.3", "d.1 pending"},
		"explicitly none":          {[]string{"d: type: driver", "d.1:", "d.2: depends_on: []"}, "d.2", ""},
		"a key without a value":    {[]string{"d: type: driver", "d.1:", "d.2: depends_on:"}, "d.2", "d.1 pending"},
		"missing ones are ignored": {[]string{"d: type: driver", "d.3:"}, "d.3", ""},
		"cancelled ones are done":  {[]string{"d: type: driver", "d.1: status: cancelled", "d.2:"}, "d.2", ""},
		"landed ones are done":     {[]string{"d: type: driver", "d.1: status: completed", "d.2:"}, "d.2", ""},
		"the others are not":       {[]string{"d: type: driver", "d.1: status: completed; away", "d.2:"}, "d.2", "d.1 not landed"},
		"without a driver":         {[]string{"d.1:", "d.2:"}, "d.2", "d.1 pending"},
		"only of its own level":    {[]string{"d: type: driver", "d.1:", "d.1.1:", "d.1.2:"}, "d.1.2", "d.1.1 pending"},
		"a container among them":   {[]string{"d: type: driver", "d.1:", "d.1.1: status: completed", "d.2:"}, "d.2", ""},
		"an open container":        {[]string{"d: type: driver", "d.1:", "d.1.1:", "d.2:"}, "d.2", "d.1 pending"},
		"lower than its driver":    {[]string{"d: type: driver", "d.1:", "d.2: type: driver", "d.2.1:"}, "d.2.1", "d.1 pending"},
		"its driver is explicit":   {[]string{"d: type: driver", "d.1:", "d.2: type: driver; depends_on: []", "d.2.1:"}, "d.2.1", ""},
	} {
		assert.Equal(t, c.want, blockers(graph(t, c.lines...), c.id), "%s: %s waits for", name, c.id)
	}
}

func TestBlockers_throughTheDriver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		id    string
		want  string
	}{
		"its dependencies apply":    {[]string{"a:", "d: type: driver; depends_on: a", "d.1:"}, "d.1", "a pending"},
		"at depth":                  {[]string{"a:", "d: type: driver; depends_on: a", "d.1: type: driver", "d.1.1:"}, "d.1.1", "a pending"},
		"past a missing level":      {[]string{"a:", "d: type: driver; depends_on: a", "d.1.1:"}, "d.1.1", "a pending"},
		"not those on members":      {[]string{"d: type: driver; depends_on: [d.1, d.2]", "d.1:", "d.2: depends_on: []"}, "d.2", ""},
		"nor for the driver":        {[]string{"d: type: driver; depends_on: [d.1]", "d.1:"}, "d", ""},
		"a missing one":             {[]string{"d: type: driver; depends_on: [none]", "d.1:"}, "d.1", "none missing"},
		"each is named once":        {[]string{"a:", "d: type: driver; depends_on: a", "d.1: depends_on: [a, a]"}, "d.1", "a pending"},
		"by the members key":        {[]string{"a:", "m:", "d: type: group; members: [m]; depends_on: a"}, "m", "a pending"},
		"members key, over levels":  {[]string{"a:", "e: type: group", "e.1:", "d: type: group; members: [e]; depends_on: a"}, "e.1", "a pending"},
		"members key, not a member": {[]string{"m:", "n:", "d: type: group; members: [m, n]; depends_on: [m]"}, "n", ""},
	} {
		assert.Equal(t, c.want, blockers(graph(t, c.lines...), c.id), "%s: %s waits for", name, c.id)
	}
}

func TestBlockers_approval(t *testing.T) {
	t.Parallel()
	for approval, want := range map[string]string{
		"":                                    "",
		"{required: false}":                   "",
		"{required: true}":                    "x waits for approval",
		"{required: true, status: pending}":   "x waits for approval",
		"{required: true, status: approved}":  "",
		"{required: true, status: rejected}":  "x was rejected",
		"{required: false, status: rejected}": "x was rejected",
		"{status: rejected}":                  "x was rejected",
		"{status: pending}":                   "",
	} {
		assert.Equal(t, want, blockers(graph(t, "x: approval: "+approval), "x"), "%s", approval)
	}
}

func TestGraph_listsInOrder(t *testing.T) {
	t.Parallel()
	g := graph(t, "d.10:", "x:", "d.2.1:", "d: members: [x, none]", "d.2:")
	var got []string
	for _, s := range g.Specs() {
		got = append(got, s.ID)
	}
	assert.Equal(t, []string{"d", "d.2", "d.2.1", "d.10", "x"}, got)
	assert.Equal(t, []string{"d.2", "d.2.1", "d.10", "x"}, g.Members("d"))
	assert.Equal(t, []string{"d.2", "d"}, g.Drivers("d.2.1"))
	assert.True(t, g.Archived("gone"), "the archive is wrong")
	assert.False(t, g.Archived("d"), "the archive is wrong")
	assert.True(t, g.Spec("gone") == nil, "the archive is wrong")
}

func TestGraph_blockersSeeBigDrivers(t *testing.T) {
	t.Parallel()
	const n = 600
	lines := []string{"2026-11-20-001-abc: type: driver"}
	for i := range n {
		lines = append(lines, fmt.Sprintf("2026-11-20-001-abc.%d:", i+1))
	}
	g := graph(t, lines...)
	assert.Equal(t, n-1, len(g.Blockers(fmt.Sprintf("2026-11-20-001-abc.%d", n))), "the last waits for")
}
