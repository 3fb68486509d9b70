package layered

import (
	"math"
	"slices"
)

// passingWeight is how much more the place of a vertex counts where an edge passes: long edges become straight.
const passingWeight = 4

// Gap is how many rows are between the vertices of one layer at least. It is two, so that a vertex can be in the middle
// of two others.
const Gap = 2

// assignRows gives each vertex a row, in the order of its layer and near its neighbours.
func (p *part) assignRows() {
	p.row = make([]int, len(p.layer))
	number(p.layers, p.row)
	for v := range p.row {
		p.row[v] *= Gap
	}
	for range 3 {
		for i := 1; i < len(p.layers); i++ {
			p.alignLayer(p.layers[i], p.up)
		}
		for i := len(p.layers) - 2; i >= 0; i-- {
			p.alignLayer(p.layers[i], p.down)
		}
	}
	p.closeGaps()
}

// block is a run of vertices whose rows follow each other directly.
type block struct {
	sum, weight float64
	n           int
}

// alignLayer moves the vertices of a layer as near as possible to the mean rows of their neighbours, by least squares,
// without changing their order: vertices that would come too close are joined in a block (pool adjacent violators).
func (p *part) alignLayer(layer []int, near [][]int) {
	var blocks []block
	for i, v := range layer {
		want, weight := float64(p.row[v]), 1.0
		if len(near[v]) > 0 {
			sum := 0
			for _, other := range near[v] {
				sum += p.row[other]
			}
			want = float64(sum) / float64(len(near[v]))
		}
		if v >= len(p.members) {
			weight = passingWeight
		}
		blocks = append(blocks, block{(want - float64(i*Gap)) * weight, weight, 1})
		for len(blocks) > 1 {
			a, b := blocks[len(blocks)-2], blocks[len(blocks)-1]
			if a.sum*b.weight < b.sum*a.weight {
				break
			}
			blocks = append(blocks[:len(blocks)-2], block{a.sum + b.sum, a.weight + b.weight, a.n + b.n})
		}
	}
	i := 0
	for _, b := range blocks {
		start := int(math.Floor(b.sum/b.weight + 0.5))
		for range b.n {
			p.row[layer[i]] = start + i*Gap
			i++
		}
	}
}

// closeGaps numbers the rows from 0, and leaves out those without a vertex as far as vertices of one layer stay apart.
func (p *part) closeGaps() {
	rows := slices.Sorted(slices.Values(p.row))
	place := map[int]int{}
	next := 0
	for i, row := range rows {
		if i > 0 {
			next += min(row-rows[i-1], Gap)
		}
		place[row] = next
	}
	for v, row := range p.row {
		p.row[v] = place[row]
	}
}
