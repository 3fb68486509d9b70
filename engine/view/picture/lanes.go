package picture

import (
	"cmp"
	"slices"
)

// edge leads from what is needed to what needs it, both by their places in Graph.Specs.
type edge struct{ from, to int }

// mark is the drawing at one place of a line of lanes.
type mark uint8

// The marks of a line.
const (
	empty  mark = iota
	passes      // a lane goes on to a later line
	vertex      // the vertex of the line
	joins       // a lane leads to the vertex of the line, and goes on
	ends        // a lane leads to the vertex of the line, and ends
	across      // the line between a lane and the vertex
	over        // the line between a lane and the vertex, over a lane that passes
)

// laneLine is one vertex with the lanes beside it.
type laneLine struct {
	vertex int
	marks  []mark // by lane, without empty ones at the end
	rest   []int  // vertices from which edges lead here that have no lane
	back   []int  // vertices to which edges lead back from here, which closes a cycle
	ended  bool   // the last line of a connected part
	alone  bool   // the vertex has no edges
}

// lanesOf lists the vertices 0 to n-1 so that each comes behind those from which edges lead to it. Each vertex from which
// edges begin has one lane until the last of them ends, unless most lanes are in use. Vertices without edges come last.
func lanesOf(n int, edges []edge, most int) []laneLine {
	g := newLaneGraph(n, edges, most)
	parts, alone := connectedParts(n, edges)
	lines := make([]laneLine, 0, n)
	for _, members := range parts {
		for _, v := range g.order(members) {
			lines = append(lines, g.line(v))
		}
		lines[len(lines)-1].ended = true
		// The next part has nothing to do with the last line of this one.
		g.avoid = -1
	}
	for _, v := range alone {
		lines = append(lines, laneLine{vertex: v, marks: []mark{vertex}, alone: true})
	}
	return lines
}

// laneGraph is a graph while its lines are made.
type laneGraph struct {
	in, out, back [][]int // neighbours, each once
	waits         []int   // by vertex: how many from which edges lead to it are not listed yet
	open          []int   // by vertex: how many to which edges lead from it are not listed yet
	lane          []int   // by vertex, -1 for none
	used          []bool  // by lane
	avoid         int     // where the vertex of the line before is if it has no lane, otherwise -1
}

func newLaneGraph(n int, edges []edge, most int) *laneGraph {
	g := &laneGraph{
		in: make([][]int, n), out: make([][]int, n), back: make([][]int, n),
		waits: make([]int, n), open: make([]int, n), lane: make([]int, n), used: make([]bool, max(most, 1)), avoid: -1,
	}
	seen := make(map[edge]bool, len(edges))
	for i, closes := range backEdges(n, edges) {
		e := edges[i]
		switch {
		// A spec may need another one for two reasons, and has one lane.
		case seen[e]:
			continue
		case closes:
			g.back[e.from] = append(g.back[e.from], e.to)
		default:
			g.out[e.from], g.in[e.to] = append(g.out[e.from], e.to), append(g.in[e.to], e.from)
			g.waits[e.to]++
			g.open[e.from]++
		}
		seen[e] = true
	}
	for v := range g.lane {
		g.lane[v] = -1
	}
	return g
}

// order lists the vertices of a part. A vertex is followed by one that waits for nothing else, so that lanes are short.
func (g *laneGraph) order(members []int) []int {
	out := make([]int, 0, len(members))
	var ready []int // the last is next
	for _, v := range slices.Backward(members) {
		if g.waits[v] == 0 {
			ready = append(ready, v)
		}
	}
	for len(ready) > 0 {
		v := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		out = append(out, v)
		// Backward, because the last of the list is taken next.
		for _, to := range slices.Backward(g.out[v]) {
			if g.waits[to]--; g.waits[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	return out
}

// line returns the line of a vertex, and ends and opens lanes. A vertex is directly below another one only if an edge
// leads to it from there.
func (g *laneGraph) line(v int) laneLine {
	l := laneLine{vertex: v, back: g.back[v], marks: make([]mark, len(g.used)+2)}
	for i, used := range g.used {
		if used {
			l.marks[i] = passes
		}
	}
	place, last := -1, -1
	for _, from := range g.in[v] {
		g.open[from]--
		// All lanes were in use when that vertex was listed.
		at := g.lane[from]
		if at < 0 {
			l.rest = append(l.rest, from)
			continue
		}
		last = max(last, at)
		l.marks[at] = joins
		if g.open[from] == 0 {
			l.marks[at], g.used[at] = ends, false
			if place < 0 || at < place {
				place = at
			}
		}
	}
	// No lane ends here in whose place the vertex could be.
	if place < 0 {
		place = last + 1
		for place < len(g.used) && g.used[place] || place == g.avoid {
			place++
		}
	}
	g.avoid = place
	// Only a vertex from which edges still lead needs a lane.
	if g.open[v] > 0 && place < len(g.used) {
		g.lane[v], g.used[place], g.avoid = place, true, -1
	}
	l.marks[place] = vertex
	l.connect(place)
	for len(l.marks) > 0 && l.marks[len(l.marks)-1] == empty {
		l.marks = l.marks[:len(l.marks)-1]
	}
	return l
}

// connect draws the line from the outermost lanes that lead to the vertex.
func (l *laneLine) connect(place int) {
	first, last := place, place
	for i, m := range l.marks {
		if m == joins || m == ends {
			first, last = min(first, i), max(last, i)
		}
	}
	for i := first; i <= last; i++ {
		switch l.marks[i] {
		case empty:
			l.marks[i] = across
		case passes:
			l.marks[i] = over
		}
	}
}

// backEdges reports which edges close a cycle in a walk from the sources, depth first, in the order of vertices and
// edges. Without these the graph has no cycle.
func backEdges(n int, edges []edge) []bool {
	back, out, sources := make([]bool, len(edges)), make([][]int, n), make([]bool, n)
	for v := range sources {
		sources[v] = true
	}
	for i, e := range edges {
		out[e.from] = append(out[e.from], i)
		sources[e.to] = false
	}
	const entered, left = 1, 2
	state := make([]uint8, n)
	next := make([]int, n) // the edge of each vertex to follow next
	walk := func(root int) {
		path := []int{root}
		state[root] = entered
		for len(path) > 0 {
			v := path[len(path)-1]
			if next[v] == len(out[v]) {
				state[v] = left
				path = path[:len(path)-1]
				continue
			}
			i := out[v][next[v]]
			next[v]++
			switch to := edges[i].to; state[to] {
			case entered:
				back[i] = true
			case 0:
				state[to] = entered
				path = append(path, to)
			}
		}
	}
	// From sources, so that an edge into a cycle is not the one that closes it.
	for _, first := range []bool{true, false} {
		for v := range n {
			if state[v] == 0 && sources[v] == first {
				walk(v)
			}
		}
	}
	return back
}

// connectedParts divides vertices into connected parts, the largest first, and vertices without edges. A vertex whose only
// edges lead to itself is a part.
func connectedParts(n int, edges []edge) (parts [][]int, alone []int) {
	root, linked := make([]int, n), make([]bool, n)
	for v := range root {
		root[v] = v
	}
	find := func(v int) int {
		for root[v] != v {
			root[v] = root[root[v]]
			v = root[v]
		}
		return v
	}
	for _, e := range edges {
		linked[e.from], linked[e.to] = true, true
		a, b := find(e.from), find(e.to)
		root[max(a, b)] = min(a, b)
	}
	at := map[int]int{}
	for v := range n {
		if !linked[v] {
			alone = append(alone, v)
			continue
		}
		r := find(v)
		if _, known := at[r]; !known {
			at[r] = len(parts)
			parts = append(parts, nil)
		}
		parts[at[r]] = append(parts[at[r]], v)
	}
	slices.SortStableFunc(parts, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return parts, alone
}
