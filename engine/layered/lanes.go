package layered

import "slices"

// Mark is what a line of lanes has at one place.
type Mark uint8

// The marks of a line.
const (
	Empty  Mark = iota
	Passes      // a lane goes on to a later line
	Vertex      // the vertex of the line
	Joins       // a lane leads to the vertex of the line, and goes on
	Ends        // a lane leads to the vertex of the line, and ends
	Across      // the line between a lane and the vertex
	Over        // the line between a lane and the vertex, over a lane that passes
)

// Line is one vertex with the lanes beside it.
type Line struct {
	Vertex int
	Marks  []Mark // by lane, without empty ones at the end
	Rest   []int  // vertices from which edges lead here that have no lane
	Back   []int  // vertices to which edges lead back from here, which closes a cycle
	Ended  bool   // the last line of a connected part
	Alone  bool   // the vertex has no edges
}

// Lanes lists the vertices 0 to n-1 so that each comes behind those from which edges lead to it. Each vertex from which
// edges begin has one lane until the last of them ends, unless most lanes are in use. Vertices without edges come last.
func Lanes(n int, edges []Edge, most int) []Line {
	g := newLaneGraph(n, edges, most)
	parts, alone := connected(n, edges)
	lines := make([]Line, 0, n)
	for _, members := range parts {
		for _, v := range g.order(members) {
			lines = append(lines, g.line(v))
		}
		lines[len(lines)-1].Ended = true
		g.avoid = -1
	}
	for _, v := range alone {
		lines = append(lines, Line{Vertex: v, Marks: []Mark{Vertex}, Alone: true})
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

func newLaneGraph(n int, edges []Edge, most int) *laneGraph {
	g := &laneGraph{
		in: make([][]int, n), out: make([][]int, n), back: make([][]int, n),
		waits: make([]int, n), open: make([]int, n), lane: make([]int, n), used: make([]bool, max(most, 1)), avoid: -1,
	}
	seen := make(map[Edge]bool, len(edges))
	for i, closes := range backEdges(n, edges) {
		e := edges[i]
		switch {
		case seen[e]:
			continue
		case closes:
			g.back[e.From] = append(g.back[e.From], e.To)
		default:
			g.out[e.From], g.in[e.To] = append(g.out[e.From], e.To), append(g.in[e.To], e.From)
			g.waits[e.To]++
			g.open[e.From]++
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
func (g *laneGraph) line(v int) Line {
	l := Line{Vertex: v, Back: g.back[v], Marks: make([]Mark, len(g.used)+2)}
	for i, used := range g.used {
		if used {
			l.Marks[i] = Passes
		}
	}
	place, last := -1, -1
	for _, from := range g.in[v] {
		g.open[from]--
		at := g.lane[from]
		if at < 0 {
			l.Rest = append(l.Rest, from)
			continue
		}
		last = max(last, at)
		l.Marks[at] = Joins
		if g.open[from] == 0 {
			l.Marks[at], g.used[at] = Ends, false
			if place < 0 || at < place {
				place = at
			}
		}
	}
	if place < 0 { // no lane ends here in whose place the vertex could be
		place = last + 1
		for place < len(g.used) && g.used[place] || place == g.avoid {
			place++
		}
	}
	g.avoid = place
	if g.open[v] > 0 && place < len(g.used) {
		g.lane[v], g.used[place], g.avoid = place, true, -1
	}
	l.Marks[place] = Vertex
	l.connect(place)
	for len(l.Marks) > 0 && l.Marks[len(l.Marks)-1] == Empty {
		l.Marks = l.Marks[:len(l.Marks)-1]
	}
	return l
}

// connect draws the line from the outermost lanes that lead to the vertex.
func (l *Line) connect(place int) {
	first, last := place, place
	for i, m := range l.Marks {
		if m == Joins || m == Ends {
			first, last = min(first, i), max(last, i)
		}
	}
	for i := first; i <= last; i++ {
		switch l.Marks[i] {
		case Empty:
			l.Marks[i] = Across
		case Passes:
			l.Marks[i] = Over
		}
	}
}
