package layered

import (
	"cmp"
	"slices"
)

// Edge is a directed edge between two vertices.
type Edge struct{ From, To int }

// Spot is a place on the grid: a layer, counted from 0 in the direction of edges, and a row. The spots of one layer are at
// least Gap rows apart.
type Spot struct{ Layer, Row int }

// Route is the way of an edge.
type Route struct {
	Spots []Spot // those of both ends, and between them one in each layer that it passes
	Back  bool   // it closes a cycle: it leads back to an earlier layer, or to its own vertex
}

// Part is a connected part of a graph.
type Part struct {
	Vertices []int // in ascending order
	Top      int   // its first row
	Rows     int
	Layers   int
}

// Layout is a graph on a grid.
type Layout struct {
	Spots  []Spot  // by vertex
	Routes []Route // by edge
	Layers int
	Rows   int
	Parts  []Part // in order of their rows; vertices without edges are in none
	Alone  []int  // the vertices without edges, below all parts
}

// Arrange puts the vertices 0 to n-1 of a graph on a grid. Ends of edges outside of that range panic.
func Arrange(n int, edges []Edge) Layout {
	l := Layout{Spots: make([]Spot, n), Routes: make([]Route, len(edges))}
	back := backEdges(n, edges)
	parts, alone := connected(n, edges)
	numbers := divide(n, parts, edges)
	passing := maxPassing
	for i, members := range parts {
		p := newPart(members, edges, numbers[i], back)
		p.assignLayers()
		passing -= p.addPassing(passing)
		p.reduceCrossings()
		p.assignRows()
		l.place(p, edges, back)
	}
	l.placeAlone(alone)
	return l
}

// place copies the spots of a part below those of the parts before it.
func (l *Layout) place(p *part, edges []Edge, back []bool) {
	spot := func(v int) Spot { return Spot{p.layer[v], l.Rows + p.row[v]} }
	for i, v := range p.members {
		l.Spots[v] = spot(i)
	}
	for i, e := range p.edges {
		r := &l.Routes[e.number]
		r.Back = back[e.number]
		r.Spots = append(r.Spots, spot(e.from))
		for _, v := range p.chains[i] {
			r.Spots = append(r.Spots, spot(v))
		}
		r.Spots = append(r.Spots, spot(e.to))
		if r.Back {
			slices.Reverse(r.Spots)
		}
	}
	for _, number := range p.loops {
		l.Routes[number] = Route{Spots: []Spot{l.Spots[edges[number].From], l.Spots[edges[number].To]}, Back: true}
	}
	rows := Gap + slices.Max(p.row)
	l.Parts = append(l.Parts, Part{Vertices: p.members, Top: l.Rows, Rows: rows, Layers: len(p.layers)})
	l.Rows, l.Layers = l.Rows+rows, max(l.Layers, len(p.layers))
}

// fewColumns is how many columns vertices without edges get at least.
const fewColumns = 4

// placeAlone puts vertices without edges in rows below everything else.
func (l *Layout) placeAlone(alone []int) {
	columns := max(l.Layers, fewColumns)
	for columns*columns*2 < len(alone) {
		columns++
	}
	for i, v := range alone {
		l.Spots[v] = Spot{i % columns, l.Rows + i/columns*Gap}
	}
	if len(alone) > 0 {
		l.Layers = max(l.Layers, min(columns, len(alone)))
		l.Rows += (len(alone) + columns - 1) / columns * Gap
	}
	l.Alone = alone
}

// connected divides vertices into connected parts, the largest first, and vertices without edges. A vertex whose only
// edges lead to itself is a part.
func connected(n int, edges []Edge) (parts [][]int, alone []int) {
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
		linked[e.From], linked[e.To] = true, true
		a, b := find(e.From), find(e.To)
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

// divide returns the numbers of the edges of each part.
func divide(n int, parts [][]int, edges []Edge) [][]int {
	of, numbers := make([]int, n), make([][]int, len(parts))
	for i, members := range parts {
		for _, v := range members {
			of[v] = i
		}
	}
	for number, e := range edges {
		numbers[of[e.From]] = append(numbers[of[e.From]], number)
	}
	return numbers
}
