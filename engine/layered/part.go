package layered

import (
	"cmp"
	"slices"
)

// maxPassing is how many spots edges may take in the layers that they pass, in the whole graph.
const maxPassing = 60_000

// part is a connected part while it is arranged. Its vertices are numbered from 0; those from len(members) on are not of
// the graph: an edge passes a layer there.
type part struct {
	members []int
	edges   []partEdge
	loops   []int   // edges from a vertex to itself
	chains  [][]int // by edge: the vertices in the layers that it passes

	layer    []int
	row      []int
	up, down [][]int // neighbours in the layer before and behind
	layers   [][]int // vertices in the order of their rows
}

// partEdge is an edge without cycles: the ends of one that closes a cycle are exchanged.
type partEdge struct{ from, to, number int }

// newPart takes the edges with these numbers, which are those between its members.
func newPart(members []int, edges []Edge, numbers []int, back []bool) *part {
	p := &part{members: members}
	local := make(map[int]int, len(members))
	for i, v := range members {
		local[v] = i
	}
	for _, number := range numbers {
		from, to := local[edges[number].From], local[edges[number].To]
		switch {
		case from == to:
			p.loops = append(p.loops, number)
		case back[number]:
			p.edges = append(p.edges, partEdge{to, from, number})
		default:
			p.edges = append(p.edges, partEdge{from, to, number})
		}
	}
	return p
}

// assignLayers puts each vertex behind all from which edges lead to it. One from which more edges begin than end is
// then moved towards those to which they lead, which shortens them.
func (p *part) assignLayers() {
	n := len(p.members)
	p.layer = make([]int, n)
	in, out, open := make([][]int, n), make([][]int, n), make([]int, n)
	for _, e := range p.edges {
		out[e.from] = append(out[e.from], e.to)
		in[e.to] = append(in[e.to], e.from)
		open[e.to]++
	}
	order := make([]int, 0, n)
	for v := range n {
		if open[v] == 0 {
			order = append(order, v)
		}
	}
	for i := 0; i < len(order); i++ {
		v := order[i]
		for _, to := range out[v] {
			p.layer[to] = max(p.layer[to], p.layer[v]+1)
			if open[to]--; open[to] == 0 {
				order = append(order, to)
			}
		}
	}
	for _, v := range slices.Backward(order) {
		if len(out[v]) <= len(in[v]) {
			continue
		}
		nearest := p.layer[out[v][0]]
		for _, to := range out[v] {
			nearest = min(nearest, p.layer[to])
		}
		p.layer[v] = nearest - 1
	}
	first := slices.Min(p.layer)
	for v := range p.layer {
		p.layer[v] -= first
	}
}

// addPassing gives edges vertices in the layers that they pass, the shortest edges first, at most so many. It returns
// their number.
func (p *part) addPassing(most int) int {
	p.chains = make([][]int, len(p.edges))
	order := make([]int, len(p.edges))
	for i := range order {
		order[i] = i
	}
	span := func(i int) int { return p.layer[p.edges[i].to] - p.layer[p.edges[i].from] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(span(a), span(b)) })
	used := 0
	for _, i := range order {
		passes := span(i) - 1
		if used+passes > most {
			break
		}
		used += passes
		for k := range passes {
			p.chains[i] = append(p.chains[i], len(p.layer))
			p.layer = append(p.layer, p.layer[p.edges[i].from]+k+1)
		}
	}
	p.link(span)
	return used
}

// link joins the vertices of neighbouring layers.
func (p *part) link(span func(int) int) {
	p.up, p.down = make([][]int, len(p.layer)), make([][]int, len(p.layer))
	join := func(a, b int) {
		p.down[a] = append(p.down[a], b)
		p.up[b] = append(p.up[b], a)
	}
	for i, e := range p.edges {
		last := e.from
		for _, v := range p.chains[i] {
			join(last, v)
			last = v
		}
		if last != e.from || span(i) == 1 {
			join(last, e.to)
		}
	}
}
